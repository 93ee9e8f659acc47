// Windows of many series at the width of a screen.
#pragma once

#include <optional>
#include <string_view>

#include "line.h"

namespace seamark {

// The columns of a window, one bit each. Filling memory is most of what a window of a thousand series costs, so those
// who want three columns should not pay for fifteen.
using ColumnSet = std::uint32_t;
constexpr ColumnSet kEveryColumn = ~ColumnSet{0};
ColumnSet column_named(std::string_view name);  // std::invalid_argument when there is none

struct WindowQuery {
  Axis axis = Axis::Step;
  std::optional<double> start;  // without one: the range that all series asked for have together
  std::optional<double> stop;
  std::uint64_t max_points = 0;  // columns of the grid; 0 = every point
  double smoothing = 0;
  Attempts attempts = Attempts::Latest;
  bool edges = false;  // also the nearest point outside on either side, so that a line enters and leaves the plot
  ColumnSet columns = kEveryColumn;
};

// One row per point, or per column of the grid that has points. The arrays may be longer than `rows`; those that were
// not asked for are empty.
struct Window {
  std::size_t rows = 0;
  Column<std::int64_t> step, step_last;
  Column<double> wall, wall_last, first, last, min, max, mean;
  Column<std::uint32_t> count, nan, posinf, neginf;
  Column<double> smoothed;         // only with smoothing
  Column<std::uint32_t> attempt;   // unless only the latest attempts are asked for
  Column<std::uint32_t> replaced;  // only with marked attempts: 1 where a restart replaced the points

  std::size_t series = 0;
  Column<std::uint64_t> offsets;                // series + 1 of them
  Column<std::uint64_t> points, total, stored;  // in the window; of the chosen attempts; of all
};

Window window(std::span<const Series* const> series, const WindowQuery& query);

}  // namespace seamark
