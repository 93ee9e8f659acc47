#include "tags.h"

#include "testing.h"
#include "testing_bytes.h"

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

TEST(tags_of_any_length_and_any_number_are_told_apart) {
  TagTable table;
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t i = 0; i < 2000; ++i) {
      const std::string name = std::to_string(i) + std::string(i % 40, 'x');
      CHECK(table.find_or_add(text(name)) == i);
      CHECK(testing::letters(table[i].name) == name);
    }
  }
}

}  // namespace seamark
