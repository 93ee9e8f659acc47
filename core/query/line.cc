#include "query/line.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace seamark {
namespace {

void number_points(Line& line) {
  line.starts.reserve(line.ranges.size() + 1);
  line.starts.push_back(0);
  for (const SegmentRange& range : line.ranges) line.starts.push_back(line.starts.back() + range.size());
}

bool walls_in_order(std::span<const SegmentRange> ranges) {
  double before = -std::numeric_limits<double>::infinity();
  for (const SegmentRange& range : ranges) {
    if ((range.segment.flags & kWallsSorted) == 0 || range.segment.walls[range.begin] < before) return false;
    before = range.segment.walls[range.end - 1];
  }
  return true;
}

// The wall time of the first point that has a finite one; with several attempts, the earliest of theirs.
double first_wall(std::span<const AttemptRanges> parts) {
  double first = std::numeric_limits<double>::infinity();
  for (const AttemptRanges& part : parts) {
    double found = std::numeric_limits<double>::infinity();
    for (const auto& [segment, begin, end] : part.ranges) {
      const double* const wall =
          std::find_if(segment.walls + begin, segment.walls + end, [](double at) { return std::isfinite(at); });
      if (wall == segment.walls + end) continue;
      found = *wall;
      break;
    }
    first = std::min(first, found);
  }
  return std::isfinite(first) ? first : 0;
}

void join_beyond(std::size_t max_parts, std::vector<AttemptRanges>& parts) {
  if (parts.size() <= max_parts) return;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    parts[0].ranges.insert(parts[0].ranges.end(), parts[i].ranges.begin(), parts[i].ranges.end());
  }
  parts.resize(1);
}

SortedColumns gather(const std::vector<SegmentRange>& ranges, bool need_wall) {
  SortedColumns out;
  for (const SegmentRange& range : ranges) {
    for (std::uint64_t row = range.begin; row < range.end; ++row) {
      if (need_wall && !std::isfinite(range.segment.walls[row])) continue;
      out.steps.push_back(range.segment.steps[row]);
      out.walls.push_back(range.segment.walls[row]);
      out.values.push_back(range.segment.values[row]);
    }
  }
  return out;
}

template <class T>
std::vector<T> pick(const std::vector<T>& column, const std::vector<std::size_t>& order) {
  std::vector<T> out(order.size());
  std::transform(order.begin(), order.end(), out.begin(), [&](std::size_t i) { return column[i]; });
  return out;
}

// The order of the rows by x, rows with the same x in order of arrival. Merges runs that are in order already: points
// of a few writers consist of a few long runs.
template <class Less>
std::vector<std::size_t> sorted_order(std::size_t rows, Less less) {
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::size_t> runs{0};
  for (std::size_t i = 1; i < rows; ++i) {
    if (less(i, i - 1)) runs.push_back(i);
  }
  runs.push_back(rows);
  std::vector<std::size_t> merged(rows);
  while (runs.size() > 2) {
    std::vector<std::size_t> longer{0};
    for (std::size_t i = 0; i + 1 < runs.size(); i += 2) {
      const auto at = [&](std::size_t run) {
        return order.begin() + static_cast<std::ptrdiff_t>(runs[std::min(run, runs.size() - 1)]);
      };
      std::merge(at(i), at(i + 1), at(i + 1), at(i + 2), merged.begin() + static_cast<std::ptrdiff_t>(runs[i]), less);
      longer.push_back(runs[std::min(i + 2, runs.size() - 1)]);
    }
    order.swap(merged);
    runs.swap(longer);
  }
  return order;
}

// Replaces the ranges by a sorted copy.
void sort_points(Line& line, Axis axis) {
  const SortedColumns from = gather(line.ranges, axis != Axis::Step);
  const auto order =
      axis == Axis::Step
          ? sorted_order(from.steps.size(), [&](std::size_t a, std::size_t b) { return from.steps[a] < from.steps[b]; })
          : sorted_order(from.walls.size(),
                         [&](std::size_t a, std::size_t b) { return from.walls[a] < from.walls[b]; });
  line.sorted = std::make_unique<SortedColumns>(
      SortedColumns{pick(from.steps, order), pick(from.walls, order), pick(from.values, order)});
  line.ranges.clear();
  Segment segment;
  segment.steps = line.sorted->steps.data();
  segment.walls = line.sorted->walls.data();
  segment.values = line.sorted->values.data();
  segment.count = order.size();
  if (segment.count > 0) line.ranges.push_back({segment, 0, segment.count});
}

// The points of each line; the current points, if requested, come last.
std::vector<AttemptRanges> parts_of(const Series& series, Attempts attempts) {
  std::vector<AttemptRanges> parts;
  if (attempts == Attempts::All) parts = series.by_attempt();
  if (attempts == Attempts::Marked) parts = series.replaced();
  join_beyond(kMaxAttempts, parts);
  if (attempts != Attempts::All) parts.push_back({series.last_attempt(), series.current()});
  return parts;
}

}  // namespace

Axis axis_of(int number) {
  if (number < 0 || number > 2) throw std::invalid_argument("no such axis: " + std::to_string(number));
  return static_cast<Axis>(number);
}

Attempts attempts_of(int number) {
  if (number < 0 || number > 2) throw std::invalid_argument("no such choice of attempts: " + std::to_string(number));
  return static_cast<Attempts>(number);
}

LinePosition Line::position_at(std::uint64_t index) const {
  if (index >= size()) return {ranges.size(), 0};
  const auto above = std::upper_bound(starts.begin(), starts.end(), index);
  const auto range = static_cast<std::size_t>(above - starts.begin()) - 1;
  return {range, ranges[range].begin + (index - starts[range])};
}

Line line_of(std::vector<SegmentRange> ranges, Axis axis) {
  Line line;
  line.ranges = std::move(ranges);
  if (!(axis == Axis::Step ? steps_in_order(line.ranges) : walls_in_order(line.ranges))) sort_points(line, axis);
  number_points(line);
  return line;
}

std::vector<Line> lines_of(const Series& series, Axis axis, Attempts attempts) {
  std::vector<AttemptRanges> parts = parts_of(series, attempts);
  const std::size_t replaced = attempts == Attempts::Marked ? parts.size() - 1 : 0;
  const double origin = axis == Axis::Relative ? first_wall(parts) : 0;
  std::vector<Line> lines;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Line& line = lines.emplace_back(line_of(std::move(parts[i].ranges), axis));
    line.attempt = parts[i].attempt;
    line.replaced = i < replaced;
    line.origin = origin;
  }
  std::erase_if(lines, [](const Line& line) { return line.size() == 0; });
  return lines;
}

bool is_in_order(const Series& series, Attempts attempts) {
  const auto parts = parts_of(series, attempts);
  return std::all_of(parts.begin(), parts.end(), [](const AttemptRanges& part) { return steps_in_order(part.ranges); });
}

std::uint64_t points_of(const Series& series, Attempts attempts) {
  if (attempts != Attempts::Latest) return series.count();
  std::uint64_t points = 0;
  for (const SegmentRange& range : series.current()) points += range.size();
  return points;
}

}  // namespace seamark
