// The query for a window of series, and its result.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "query/line.h"
#include "query/smooth.h"

namespace seamark {

// When a column is there.
enum class ColumnCondition { Always, WithSmoothing, WithAttempts, WithMarkedAttempts };

// The columns with a value per row, X(type, name, condition): the one list that the core, the Python module and its
// callers take them from.
#define SEAMARK_WINDOW_COLUMNS(X)         \
  X(std::int64_t, step, Always)           \
  X(std::int64_t, step_last, Always)      \
  X(double, wall, Always)                 \
  X(double, wall_last, Always)            \
  X(double, first, Always)                \
  X(double, last, Always)                 \
  X(double, min, Always)                  \
  X(double, max, Always)                  \
  X(double, mean, Always)                 \
  X(std::uint32_t, count, Always)         \
  X(std::uint32_t, nan, Always)           \
  X(std::uint32_t, posinf, Always)        \
  X(std::uint32_t, neginf, Always)        \
  X(double, smoothed, WithSmoothing)      \
  X(std::uint32_t, attempt, WithAttempts) \
  X(std::uint32_t, replaced, WithMarkedAttempts)

struct WindowColumn {
  std::string_view name;
  ColumnCondition condition;
};
#define SEAMARK_COLUMN(type, name, condition) WindowColumn{#name, ColumnCondition::condition},
constexpr std::array kWindowColumns{SEAMARK_WINDOW_COLUMNS(SEAMARK_COLUMN)};
#undef SEAMARK_COLUMN

// One bit per column of kWindowColumns. Writing memory is most of the cost of a window of a thousand series, so callers
// name the columns they need.
using ColumnSet = std::uint32_t;
constexpr ColumnSet kEveryColumn = ~ColumnSet{0};
ColumnSet column_named(std::string_view name);  // throws std::invalid_argument if there is none

struct WindowQuery {
  Axis axis = Axis::Step;
  std::optional<double> start;  // default: the start of the range that contains all series
  std::optional<double> stop;
  std::uint64_t max_points = 0;  // columns of the grid; 0 = every point
  Smoothing smoothing;
  Attempts attempts = Attempts::Latest;
  bool edges = false;  // adds the nearest point outside on either side, so that a line enters and leaves the plot
  ColumnSet columns = kEveryColumn;
};

// One row per point, or per column of the grid that has points. The arrays may be longer than `rows`; those that were
// not requested are empty.
struct Window {
  std::size_t rows = 0;
#define SEAMARK_COLUMN(type, name, condition) Column<type> name;
  SEAMARK_WINDOW_COLUMNS(SEAMARK_COLUMN)
#undef SEAMARK_COLUMN

  std::size_t series = 0;
  Column<std::uint64_t> offsets;                // where the rows of each series start, and the total
  Column<std::uint64_t> points, total, stored;  // per series: in the window; of the chosen attempts; of all
  Column<double> weight;                        // per series, with smoothing: from one point to the next; 0: as logged
};

}  // namespace seamark
