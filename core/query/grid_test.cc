#include "query/grid.h"

#include "testing/stored_series.h"

namespace seamark {
using testing::Points;
using testing::StoredSeries;

TEST(grid_columns_are_half_open_but_the_last) {
  const Grid grid(0, 10, 5);
  CHECK(grid.column_end(0, 0) == 1 && grid.column_end(1.9, 0) == 1 && grid.column_end(2, 1) == 2);
  CHECK(std::isinf(grid.column_end(8, 1)) && std::isinf(grid.column_end(10, 1)));
}

TEST(grid_of_no_or_infinite_width_is_one_column) {
  CHECK(Grid(5, 5, 3).position(5) == 0);
  CHECK(Grid(-1.7e308, 1.7e308, 3).position(0) == 0);
  CHECK(std::isinf(Grid(0, 1, 1).column_end(0, 0)));
}

TEST(grid_never_has_more_columns_than_it_was_made_with) {
  const Grid grid(0, 10, 5);
  double end = 0;
  int columns = 0;
  for (; !std::isinf(end); ++columns) end = grid.column_end(columns % 2 == 0 ? std::nan("") : -7, end);
  CHECK(columns == 5);
}

TEST(grid_gallop_finds_the_first_row_past) {
  for (std::uint64_t size = 0; size < 70; ++size) {
    for (std::uint64_t want = 0; want <= size; ++want) {
      CHECK(gallop(0, size, [&](std::uint64_t row) { return row >= want; }) == want);
    }
  }
}

TEST(grid_first_point_is_found_across_ranges) {
  Points points;
  for (int i = 0; i < 20; ++i) points.add(i * 2, 0, 0);
  const StoredSeries stored(points, 3);
  const auto lines = lines_of(stored.series(), Axis::Step, Attempts::Latest);
  for (int x = -1; x < 42; ++x) {
    const auto found = first_point(lines[0], StepX(lines[0]), [&](double at) { return at >= x; });
    CHECK(found == static_cast<std::uint64_t>(x < 0 ? 0 : std::min(20, (x + 1) / 2)));
  }
}

}  // namespace seamark
