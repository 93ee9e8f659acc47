// One scalar series over all its stripes, in order of arrival, with the points that a restart replaced.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "columns/stripe.h"
#include "columns/table.h"

namespace seamark {

// X(type, name). Count and attempts are of all points; the rest is of the current points, those that no restart
// replaced. The first step is the smallest and the last step the greatest; minimum and maximum are over finite values.
#define SEAMARK_SERIES_STATS(X) \
  X(std::uint64_t, count)       \
  X(std::uint64_t, attempts)    \
  X(std::int64_t, first_step)   \
  X(std::int64_t, last_step)    \
  X(double, first_wall)         \
  X(double, last_wall)          \
  X(double, last_value)         \
  X(double, min_value)          \
  X(double, max_value)          \
  X(std::uint64_t, nan)         \
  X(std::uint64_t, posinf)      \
  X(std::uint64_t, neginf)

struct SeriesStats {
  SEAMARK_SERIES_STATS(SEAMARK_DECLARE_FIELD)
};

// Consecutive rows of one segment.
struct SegmentRange {
  Segment segment;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t size() const { return end - begin; }
};

// A point, by a range that contains it and its row in the segment.
struct PointRef {
  const SegmentRange* range;
  std::uint64_t row;

  std::int64_t step() const { return range->segment.steps[row]; }
  double wall() const { return range->segment.walls[row]; }
  double value() const { return range->segment.values[row]; }
};

struct Point {
  std::int64_t step = 0;
  double wall = std::numeric_limits<double>::quiet_NaN();
  double value = std::numeric_limits<double>::quiet_NaN();
};

template <class T>
using Column = std::unique_ptr<T[]>;

// A copy of the points, in order of arrival.
struct SeriesColumns {
  std::size_t rows = 0;
  Column<std::int64_t> steps;
  Column<double> walls;
  Column<double> values;
  Column<std::uint32_t> attempts;  // which attempt each point belongs to
};

// Consecutive rows of a series that were written in one attempt of the run. The caller decides, for the whole run,
// which attempts there are and what a later one replaced.
struct Span {
  std::uint64_t begin = 0;  // row of the whole series
  std::uint32_t attempt = 0;
  std::optional<std::int64_t> replaced_from;  // a later attempt replaced the points with this step and above
};

// Rows of one attempt.
struct AttemptRanges {
  std::uint32_t attempt = 0;
  std::vector<SegmentRange> ranges;
};

// A view of stripes that its user keeps alive. Immutable, so any number of threads may use it.
class Series {
 public:
  // Spans in order of `begin`; rows before the first one belong to attempt 0 and are not replaced.
  explicit Series(std::vector<Segment> segments, std::vector<Span> spans = {});

  std::uint64_t count() const { return starts_.back(); }
  std::uint64_t attempts() const;  // attempts that have points here, at least one
  std::uint32_t last_attempt() const { return spans_.back().attempt; }
  // The current point with the greatest step, the latest written among equals. Throws std::invalid_argument if there is
  // none.
  Point last() const;
  SeriesStats stats() const;
  SeriesColumns columns(bool all_attempts) const;

  // The current points, in order of arrival. Reads points only in segments whose steps are not sorted.
  std::vector<SegmentRange> current() const;
  std::vector<AttemptRanges> replaced() const;    // by attempt, without attempts that lost nothing
  std::vector<AttemptRanges> by_attempt() const;  // every point

 private:
  std::uint64_t end_of(std::size_t span) const { return span + 1 < spans_.size() ? spans_[span + 1].begin : count(); }
  void append_rows(std::uint64_t begin, std::uint64_t end, std::vector<SegmentRange>& out) const;
  void append_part(std::size_t span, bool replaced, std::vector<SegmentRange>& out) const;

  std::vector<Segment> segments_;
  std::vector<std::uint64_t> starts_;  // first row of each segment, and the total
  std::vector<Span> spans_;            // at least one, the first from row 0; none is empty if there are points
};

// One stripe of a series: its rows there, if it has any.
using SeriesPart = std::optional<Segment>;

// A span as callers know it: its first row is `row` rows of the series after the start of a part.
struct PartSpan {
  std::size_t part = 0;
  std::uint64_t row = 0;
  std::uint32_t attempt = 0;
  std::optional<std::int64_t> replaced_from;
};

// Throws std::invalid_argument if a span starts after the last part.
Series make_series(std::span<const SeriesPart> parts, std::span<const PartSpan> spans);

// Whether no step is smaller than the one before. Reads only the ends of the ranges.
bool steps_in_order(std::span<const SegmentRange> ranges);

}  // namespace seamark
