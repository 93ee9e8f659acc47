// The points of a series in order of x, as a chart draws them in one line.
#pragma once

#include <memory>

#include "columns/series.h"

namespace seamark {

enum class Axis { Step = 0, Relative = 1, Wall = 2 };
Axis axis_of(int number);  // throws std::invalid_argument if there is no such axis

// A position in a line. The end of the line is row 0 of the range after the last one.
struct LinePosition {
  std::size_t range = 0;
  std::uint64_t row = 0;  // within the range's segment

  bool operator==(const LinePosition&) const = default;
};

struct SortedColumns {
  std::vector<std::int64_t> steps;
  std::vector<double> walls;
  std::vector<double> values;
};

struct Line {
  std::vector<SegmentRange> ranges;   // none is empty
  std::vector<std::uint64_t> starts;  // index of each range's first point, and the total
  std::uint32_t attempt = 0;
  bool replaced = false;                  // a restart replaced these points
  double origin = 0;                      // relative axis: the wall time at zero
  std::unique_ptr<SortedColumns> sorted;  // set if the points had to be copied to be sorted

  std::uint64_t size() const { return starts.back(); }
  LinePosition position_at(std::uint64_t index) const;
  std::uint64_t index(LinePosition at) const {
    return at.range < ranges.size() ? starts[at.range] + at.row - ranges[at.range].begin : size();
  }
  LinePosition after_range(std::size_t range) const {
    return {range + 1, range + 1 < ranges.size() ? ranges[range + 1].begin : 0};
  }
};

enum class Attempts {
  Latest = 0,  // the current points: one line
  All = 1,     // every point: a line for each attempt
  Marked = 2,  // replaced points, a line for each attempt that lost some; then the current points
};
Attempts attempts_of(int number);  // throws std::invalid_argument if there is no such choice

// More attempts than this become one line.
constexpr std::size_t kMaxAttempts = 1000;

// Each line is in order of x, then of arrival. On a time axis, points without a finite wall time are left out.
std::vector<Line> lines_of(const Series& series, Axis axis, Attempts attempts);

// One line of these points, without a copy if they are in order.
Line line_of(std::vector<SegmentRange> ranges, Axis axis);

// Whether the steps of every line are in order of arrival.
bool is_in_order(const Series& series, Attempts attempts);

// The number of points of the chosen attempts, including those without a position on the axis.
std::uint64_t points_of(const Series& series, Attempts attempts);

}  // namespace seamark
