#include "line.h"

#include <stdexcept>

#include "testing_rows.h"

namespace seamark {
using testing::Points;
using testing::Stored;

TEST(line_places_and_indices_go_back_and_forth) {
  Points points;
  for (const std::int64_t step : {0, 1, 2, 3, 1, 2, 3, 4, 5}) points.add(step, 0, 0);
  const Stored stored(points, 3);
  const auto lines = lines_of(stored.series(), Axis::Step, false);
  CHECK(lines.size() == 1 && lines[0].size() == 6);
  for (std::uint64_t index = 0; index <= 6; ++index) CHECK(lines[0].index(lines[0].place(index)) == index);
  CHECK(lines[0].after_piece(lines[0].pieces.size() - 1) == lines[0].place(6));
}

TEST(line_axis_must_be_one_of_three) {
  CHECK(axis_of(2) == Axis::Wall);
  CHECK_THROWS(std::invalid_argument, axis_of(3));
  CHECK_THROWS(std::invalid_argument, axis_of(-1));
}

}  // namespace seamark
