#include "columns/series.h"

#include <algorithm>
#include <stdexcept>

namespace seamark {
namespace {

// The rows of a range whose step is below `bound`, or the others: in a sorted segment, one range.
void append_side(const SegmentRange& range, std::int64_t bound, bool at_or_above, std::vector<SegmentRange>& out) {
  const std::int64_t* const steps = range.segment.steps;
  const auto append = [&](std::uint64_t begin, std::uint64_t end) {
    if (begin < end) out.push_back({range.segment, begin, end});
  };
  if ((range.segment.flags & kStepsSorted) != 0) {
    const auto bound_row =
        static_cast<std::uint64_t>(std::lower_bound(steps + range.begin, steps + range.end, bound) - steps);
    if (at_or_above) {
      append(bound_row, range.end);
    } else {
      append(range.begin, bound_row);
    }
    return;
  }
  for (std::uint64_t row = range.begin; row < range.end;) {
    const std::uint64_t begin = row;
    while (row < range.end && (steps[row] >= bound) == at_or_above) ++row;
    append(begin, row);
    while (row < range.end && (steps[row] >= bound) != at_or_above) ++row;
  }
}

// The first of the smallest steps, the last of the greatest.
struct Ends {
  bool has_points = false;
  Point first;
  Point last;

  void add(const Segment& segment, std::uint64_t row) {
    const Point point{segment.steps[row], segment.walls[row], segment.values[row]};
    if (!has_points || point.step < first.step) first = point;
    if (!has_points || point.step >= last.step) last = point;
    has_points = true;
  }
};

Ends ends_of(std::span<const SegmentRange> ranges) {
  Ends ends;
  for (const auto& [segment, begin, end] : ranges) {
    if ((segment.flags & kStepsSorted) != 0) {
      ends.add(segment, begin);
      ends.add(segment, end - 1);
    } else {
      for (std::uint64_t row = begin; row < end; ++row) ends.add(segment, row);
    }
  }
  return ends;
}

}  // namespace

Series::Series(std::vector<Segment> segments, std::vector<Span> spans) : segments_(std::move(segments)) {
  std::erase_if(segments_, [](const Segment& segment) { return segment.count == 0; });
  starts_.reserve(segments_.size() + 1);
  starts_.push_back(0);
  for (const Segment& segment : segments_) starts_.push_back(starts_.back() + segment.count);
  spans_.emplace_back();
  for (Span& span : spans) {
    if (span.begin >= count()) break;
    if (span.begin <= spans_.back().begin) {  // the previous span has no rows
      span.begin = spans_.back().begin;
      spans_.pop_back();
    }
    spans_.push_back(span);
  }
}

std::uint64_t Series::attempts() const {
  std::uint64_t found = 1;
  for (std::size_t i = 1; i < spans_.size(); ++i) found += spans_[i].attempt != spans_[i - 1].attempt;
  return found;
}

Point Series::last() const {
  const Ends ends = ends_of(current());
  if (!ends.has_points) throw std::invalid_argument("the series has no points");
  return ends.last;
}

SeriesColumns Series::columns(bool all_attempts) const {
  std::vector<AttemptRanges> parts(spans_.size());
  SeriesColumns out;
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    parts[i].attempt = spans_[i].attempt;
    if (all_attempts) {
      append_rows(spans_[i].begin, end_of(i), parts[i].ranges);
    } else {
      append_part(i, false, parts[i].ranges);
    }
    for (const SegmentRange& range : parts[i].ranges) out.rows += static_cast<std::size_t>(range.size());
  }
  out.steps = std::make_unique_for_overwrite<std::int64_t[]>(out.rows);
  out.walls = std::make_unique_for_overwrite<double[]>(out.rows);
  out.values = std::make_unique_for_overwrite<double[]>(out.rows);
  out.attempts = std::make_unique_for_overwrite<std::uint32_t[]>(out.rows);
  std::size_t row = 0;
  for (const auto& [attempt, ranges] : parts) {
    for (const auto& [segment, begin, end] : ranges) {
      std::copy(segment.steps + begin, segment.steps + end, out.steps.get() + row);
      std::copy(segment.walls + begin, segment.walls + end, out.walls.get() + row);
      std::copy(segment.values + begin, segment.values + end, out.values.get() + row);
      const auto size = static_cast<std::size_t>(end - begin);
      std::fill_n(out.attempts.get() + row, size, attempt);
      row += size;
    }
  }
  return out;
}

SeriesStats Series::stats() const {
  SeriesStats out;
  out.count = count();
  out.attempts = attempts();
  const std::vector<SegmentRange> ranges = current();
  const Ends ends = ends_of(ranges);
  if (!ends.has_points) return out;
  out.first_step = ends.first.step;
  out.first_wall = ends.first.wall;
  out.last_step = ends.last.step;
  out.last_wall = ends.last.wall;
  out.last_value = ends.last.value;
  Tally tally;
  for (const SegmentRange& range : ranges) tally_range(range.segment.pyramid(), range.begin, range.end, tally);
  out.min_value = tally.min();
  out.max_value = tally.max();
  out.nan = tally.nan();
  out.posinf = tally.posinf();
  out.neginf = tally.neginf();
  return out;
}

std::vector<SegmentRange> Series::current() const {
  std::vector<SegmentRange> out;
  for (std::size_t i = 0; i < spans_.size(); ++i) append_part(i, false, out);
  return out;
}

std::vector<AttemptRanges> Series::replaced() const {
  std::vector<AttemptRanges> out;
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    if (!spans_[i].replaced_from) continue;
    if (out.empty() || out.back().attempt != spans_[i].attempt) out.push_back({spans_[i].attempt, {}});
    append_part(i, true, out.back().ranges);
  }
  std::erase_if(out, [](const AttemptRanges& one) { return one.ranges.empty(); });
  return out;
}

std::vector<AttemptRanges> Series::by_attempt() const {
  std::vector<AttemptRanges> out;
  if (count() == 0) return out;
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    if (out.empty() || out.back().attempt != spans_[i].attempt) out.push_back({spans_[i].attempt, {}});
    append_rows(spans_[i].begin, end_of(i), out.back().ranges);
  }
  return out;
}

void Series::append_rows(std::uint64_t begin, std::uint64_t end, std::vector<SegmentRange>& out) const {
  if (begin >= end) return;
  const auto above = std::upper_bound(starts_.begin(), starts_.end(), begin);
  for (auto i = static_cast<std::size_t>(above - starts_.begin()) - 1; i < segments_.size() && starts_[i] < end; ++i) {
    const std::uint64_t from = std::max(begin, starts_[i]) - starts_[i];
    const std::uint64_t to = std::min(end, starts_[i + 1]) - starts_[i];
    out.push_back({segments_[i], from, to});
  }
}

// The rows of a span that a later attempt replaced, or the others.
void Series::append_part(std::size_t span, bool replaced, std::vector<SegmentRange>& out) const {
  const auto bound = spans_[span].replaced_from;
  if (!bound) {
    if (!replaced) append_rows(spans_[span].begin, end_of(span), out);
    return;
  }
  std::vector<SegmentRange> all;
  append_rows(spans_[span].begin, end_of(span), all);
  for (const SegmentRange& range : all) append_side(range, *bound, replaced, out);
}

Series make_series(std::span<const SeriesPart> parts, std::span<const PartSpan> spans) {
  std::vector<Segment> segments;
  std::vector<std::uint64_t> part_rows{0};  // first row of each part, and the total
  for (const SeriesPart& part : parts) {
    part_rows.push_back(part_rows.back() + (part ? part->count : 0));
    if (part) segments.push_back(*part);
  }
  std::vector<Span> rows;
  for (const PartSpan& span : spans) {
    if (span.part >= part_rows.size()) throw std::invalid_argument("a span starts after the last part");
    rows.push_back({part_rows[span.part] + span.row, span.attempt, span.replaced_from});
  }
  return Series(std::move(segments), std::move(rows));
}

bool steps_in_order(std::span<const SegmentRange> ranges) {
  std::int64_t before = std::numeric_limits<std::int64_t>::min();
  for (const auto& [segment, begin, end] : ranges) {
    // A range of one row is always sorted: unsorted segments are split into many of those.
    if ((end - begin > 1 && (segment.flags & kStepsSorted) == 0) || segment.steps[begin] < before) return false;
    before = segment.steps[end - 1];
  }
  return true;
}

}  // namespace seamark
