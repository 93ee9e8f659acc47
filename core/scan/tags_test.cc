#include "scan/tags.h"

#include <vector>

#include "testing/messages.h"
#include "testing/testing.h"

namespace seamark {
using testing::text;

TEST(tags_are_numbered_by_first_sight) {
  TagTable table;
  CHECK(table.find_or_add(text("a")) == 0);
  CHECK(table.find_or_add(text("b")) == 1);
  CHECK(table.find_or_add(text("a")) == 0);
  CHECK(table.find_or_add(text("")) == 2);
  CHECK(table.find_or_add(text("")) == 2);
}

TEST(tags_of_any_length_and_number_are_distinct) {
  TagTable table;
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t i = 0; i < 2000; ++i) {
      const std::string name = std::to_string(i) + std::string(i % 40, 'x');
      CHECK(table.find_or_add(text(name)) == i);
      CHECK(testing::letters(table[i].name) == name);
    }
  }
}

TEST(the_hash_is_siphash_1_3) {
  // The first of the algorithm's published vectors.
  CHECK(hash_of({}, {0x0706050403020100U, 0x0f0e0d0c0b0a0908U}) == 0xabac0158050fc4dcU);
}

TEST(names_made_to_collide_do_not_without_the_key) {
  // Any two of these had the same hash when it had no key.
  const auto mix = [](std::uint64_t hash) {
    hash ^= hash >> 32U;
    hash *= 0x9e3779b97f4a7c15U;
    return hash ^ (hash >> 29U);
  };
  constexpr std::uint64_t kNames = 1U << 14U;
  std::vector<bool> is_taken(kNames);
  std::uint64_t taken = 0;
  for (std::uint64_t i = 0; i < kNames; ++i) {
    std::uint8_t name[16];
    store(name, i);
    store(name + 8, mix(17 ^ i));
    const std::uint64_t slot = hash_of(name, {1, 2}) % kNames;
    CHECK(hash_of(name, {1, 2}) != hash_of(name, {1, 3}));
    if (!is_taken[slot]) ++taken;
    is_taken[slot] = true;
  }
  CHECK(taken > kNames / 2);  // 63 % of the slots if they fall at random
}

}  // namespace seamark
