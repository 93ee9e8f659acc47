#include "query/digest.h"

#include <algorithm>

#include "query/line.h"

namespace seamark {
namespace {

Cell summary(std::span<const SegmentRange> ranges) {
  for (const double scale : {1.0, Tally::kSafeScale}) {
    Tally tally(scale);
    for (const SegmentRange& range : ranges) tally_range(range.segment.pyramid(), range.begin, range.end, tally);
    if (tally.is_finite() || scale != 1.0) return tally.cell(0, 0);
  }
  return {};
}

// The last `points` of the ranges.
std::vector<SegmentRange> last_points(std::span<const SegmentRange> ranges, std::uint64_t points) {
  std::vector<SegmentRange> out;
  for (std::size_t i = ranges.size(); i-- > 0 && points > 0;) {
    SegmentRange range = ranges[i];
    range.begin = range.end - std::min(points, range.size());
    points -= range.size();
    out.push_back(range);
  }
  return out;
}

// The step of the first point with that value, which is the minimum or maximum of all points. `of_cell` is the same
// extreme of a cell: cells where it differs do not contain the value.
double first_step_with(std::span<const SegmentRange> ranges, double value, double Cell::* of_cell) {
  for (const SegmentRange& range : ranges) {
    const Segment& segment = range.segment;
    for (std::uint64_t row = range.begin; row < range.end;) {
      const std::uint64_t cell = row / kFineRows;
      const std::uint64_t cell_end = (cell + 1) * kFineRows;
      const bool is_whole = row % kFineRows == 0 && cell_end <= range.end && cell < fine_cells(segment.count);
      const std::uint64_t end = std::min(cell_end, range.end);
      if (!(is_whole && segment.fine != nullptr && segment.fine[cell].*of_cell != value)) {
        const double* const found = std::find(segment.values + row, segment.values + end, value);
        if (found != segment.values + end) return static_cast<double>(segment.steps[found - segment.values]);
      }
      row = end;
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Digest digest(const Series& series, std::uint64_t tail_points) {
  Digest out;
  const Line line = line_of(series.current(), Axis::Step);
  const std::vector<SegmentRange>& ranges = line.ranges;
  if (ranges.empty()) return out;
  for (const SegmentRange& range : ranges) out.count += range.size();
  const SegmentRange& front = ranges.front();
  const SegmentRange& back = ranges.back();
  out.first = front.segment.values[front.begin];
  out.last = back.segment.values[back.end - 1];
  out.last_step = static_cast<double>(back.segment.steps[back.end - 1]);
  const Cell all = summary(ranges);
  out.mean = all.mean;
  if (all.finite > 0) {
    out.min = all.min;
    out.max = all.max;
    out.min_step = first_step_with(ranges, all.min, &Cell::min);
    out.max_step = first_step_with(ranges, all.max, &Cell::max);
  }
  out.tail = summary(last_points(ranges, tail_points)).mean;
  return out;
}

}  // namespace seamark
