#include "query/line.h"

#include <stdexcept>

#include "testing/stored_series.h"

namespace seamark {
using testing::Points;
using testing::Random;
using testing::StoredSeries;

TEST(line_positions_and_indices_convert_both_ways) {
  Points points;
  for (const std::int64_t step : {0, 1, 2, 3, 1, 2, 3, 4, 5}) points.add(step, 0, 0);
  const StoredSeries stored(points, 3, {{0, 0, 1}, {4, 1, {}}});
  const auto lines = lines_of(stored.series(), Axis::Step, Attempts::Latest);
  CHECK(lines.size() == 1 && lines[0].size() == 6);
  for (std::uint64_t index = 0; index <= 6; ++index) CHECK(lines[0].index(lines[0].position_at(index)) == index);
  CHECK(lines[0].after_range(lines[0].ranges.size() - 1) == lines[0].position_at(6));
}

TEST(line_of_steps_that_go_back_is_in_order_of_step_and_then_of_arrival) {
  Random random(3);
  for (int round = 0; round < 60; ++round) {
    Points points;
    points.add(100, 0, 0);  // so that they never happen to be in order
    const std::uint64_t count = 2 + random.below(round % 5 == 0 ? 2000 : 40);
    for (std::uint64_t i = 1; i < count; ++i)
      points.add(static_cast<std::int64_t>(random.below(30)), 0, static_cast<double>(i));
    const StoredSeries stored(points, 1 + random.below(50));
    const auto lines = lines_of(stored.series(), Axis::Step, Attempts::Latest);
    CHECK(lines.size() == 1 && lines[0].size() == count && lines[0].sorted);
    const Segment& segment = lines[0].ranges[0].segment;
    for (std::uint64_t i = 1; i < count; ++i) {
      CHECK(segment.steps[i - 1] < segment.steps[i] ||
            (segment.steps[i - 1] == segment.steps[i] && segment.values[i - 1] < segment.values[i]));
    }
  }
}

TEST(line_of_sorted_segments_is_no_copy) {
  Points points;
  for (int i = 0; i < 1000; ++i) points.add(i < 500 ? i : i - 100, i, i);
  const StoredSeries stored(points, 50, {{0, 0, 400}, {500, 1, {}}});
  for (const Attempts attempts : {Attempts::Latest, Attempts::All, Attempts::Marked}) {
    for (const Line& line : lines_of(stored.series(), Axis::Step, attempts)) CHECK(!line.sorted);
  }
}

TEST(line_axis_must_be_one_of_three) {
  CHECK(axis_of(2) == Axis::Wall);
  CHECK_THROWS(std::invalid_argument, axis_of(3));
  CHECK_THROWS(std::invalid_argument, axis_of(-1));
  CHECK(attempts_of(1) == Attempts::All);
  CHECK_THROWS(std::invalid_argument, attempts_of(3));
}

}  // namespace seamark
