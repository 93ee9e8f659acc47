#include "trace/query/pyramid.h"

#include <algorithm>
#include <random>
#include <stdexcept>

#include "testing/testing.h"

namespace seamark {
namespace {

std::vector<std::int64_t> random_durations(std::size_t size, std::int64_t highest, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::int64_t> any(0, highest);
  std::vector<std::int64_t> duration(size);
  for (std::int64_t& one : duration) one = any(random);
  return duration;
}

LongestView view_of(const std::vector<std::int64_t>& duration, const std::vector<std::vector<std::uint32_t>>& levels) {
  return {duration, {levels.begin(), levels.end()}};
}

std::size_t slow_longest(const std::vector<std::int64_t>& duration, std::size_t first, std::size_t end) {
  const auto begin = duration.begin();
  return static_cast<std::size_t>(
      std::max_element(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(end)) - begin);
}

}  // namespace

TEST(pyramid_has_the_longest_slice_of_each_block) {
  std::vector<std::int64_t> duration(40, 1);
  duration[3] = 5;
  duration[20] = 7;
  const auto levels = build_longest(duration);
  CHECK(levels == std::vector<std::vector<std::uint32_t>>{{3, 20, 32}});
  CHECK(build_longest({}).empty());
  CHECK(build_longest(std::vector<std::int64_t>(257, 0)).size() == 2);
}

TEST(pyramid_finds_the_longest_of_any_range) {
  std::mt19937 random(5);
  for (const std::size_t size : {1U, 15U, 16U, 17U, 255U, 256U, 257U, 4096U, 5000U, 70'000U}) {
    // Few different durations: of equal slices the first counts.
    const auto duration = random_durations(size, size % 2 == 0 ? 3 : 1'000'000, static_cast<unsigned>(size));
    const auto levels = build_longest(duration);
    const LongestView view = view_of(duration, levels);
    std::uniform_int_distribution<std::size_t> any(0, size - 1);
    for (int trial = 0; trial < 200; ++trial) {
      const std::size_t a = any(random);
      const std::size_t b = any(random);
      const std::size_t first = std::min(a, b);
      const std::size_t end = std::max(a, b) + 1;
      CHECK(view.longest(first, end) == slow_longest(duration, first, end));
    }
    CHECK(view.longest(0, size) == slow_longest(duration, 0, size));
  }
}

TEST(pyramid_needs_no_levels_and_rejects_others) {
  const auto duration = random_durations(100, 9, 1);
  CHECK(LongestView(duration, {}).longest(3, 90) == slow_longest(duration, 3, 90));
  const std::vector<std::uint32_t> level(6);
  CHECK_THROWS(std::invalid_argument, LongestView(duration, {level}));
  const std::vector<std::uint32_t> damaged(7, 100);
  CHECK_THROWS(std::invalid_argument, LongestView(duration, {damaged}));
}

}  // namespace seamark
