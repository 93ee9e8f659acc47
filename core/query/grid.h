// Positions of points on an axis, and on a grid of columns over a part of it.
#pragma once

#include <algorithm>
#include <cmath>

#include "query/line.h"

namespace seamark {

struct StepX {
  explicit StepX(const Line&) {}
  double operator()(const Segment& segment, std::uint64_t row) const { return static_cast<double>(segment.steps[row]); }
};

struct WallX {
  explicit WallX(const Line& line) : origin(line.origin) {}
  double operator()(const Segment& segment, std::uint64_t row) const { return segment.walls[row] - origin; }
  double origin;
};

// Equal columns over [start, stop]. Positions are doubles, because a conversion to an integer could overflow.
struct Grid {
  double start;
  double scale;
  double columns;

  Grid(double from, double to, std::uint64_t count) : start(from), columns(static_cast<double>(count)) {
    scale = columns / (to - from);
    if (!std::isfinite(scale)) scale = 0;  // a window of no width is one column
  }
  double position(double x) const { return (x - start) * scale; }
  // The end of the column that contains x, given the end of the previous one (0 for the first). Always greater than
  // that, even if x goes back in a damaged stripe that claims to be sorted: so there are never more columns than
  // allocated.
  double column_end(double x, double before) const {
    const double at = std::floor(position(x)) + 1;
    const double end = at > before + 1 ? at : before + 1;  // also if the position is NaN
    // The last column is closed: it contains points at `stop`.
    return end <= columns - 1 ? end : std::numeric_limits<double>::infinity();
  }
};

// The first row in [row, end) for which `past` holds; `past` is false, then true. Fast if that row is near.
template <class Past>
std::uint64_t gallop(std::uint64_t row, std::uint64_t end, Past past) {
  std::uint64_t stride = 1;
  std::uint64_t low = row;
  while (low < end && !past(std::min(low + stride, end) - 1)) {
    low = std::min(low + stride, end);
    stride *= 2;
  }
  std::uint64_t high = std::min(low + stride, end);
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (past(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// The index of the first point for which `past(x)` holds.
template <class X, class Past>
std::uint64_t first_point(const Line& line, X x, Past past) {
  const auto range = std::partition_point(line.ranges.begin(), line.ranges.end(), [&](const SegmentRange& candidate) {
    return !past(x(candidate.segment, candidate.end - 1));
  });
  if (range == line.ranges.end()) return line.size();
  std::uint64_t low = range->begin;
  std::uint64_t high = range->end;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (past(x(range->segment, middle))) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return line.starts[static_cast<std::size_t>(range - line.ranges.begin())] + low - range->begin;
}

// Calls visit(segment, begin, end) for the rows from one position to another.
template <class Visit>
void for_rows(const Line& line, LinePosition from, LinePosition to, Visit visit) {
  while (from != to) {
    const SegmentRange& range = line.ranges[from.range];
    const std::uint64_t end = from.range == to.range ? to.row : range.end;
    visit(range.segment, from.row, end);
    from = from.range == to.range ? to : line.after_range(from.range);
  }
}

}  // namespace seamark
