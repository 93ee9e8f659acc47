#include "series.h"

#include <algorithm>
#include <stdexcept>

namespace seamark {
namespace {

// The rows of a piece whose step is below `bound`, or the others. Of a sorted segment they are one range.
void append_side(const Piece& piece, std::int64_t bound, bool at_or_above, std::vector<Piece>& out) {
  const std::int64_t* const steps = piece.segment.steps;
  const auto append = [&](std::uint64_t begin, std::uint64_t end) {
    if (begin < end) out.push_back({piece.segment, begin, end});
  };
  if ((piece.segment.flags & kStepsSorted) != 0) {
    const auto cut = static_cast<std::uint64_t>(std::lower_bound(steps + piece.begin, steps + piece.end, bound) - steps);
    if (at_or_above) {
      append(cut, piece.end);
    } else {
      append(piece.begin, cut);
    }
    return;
  }
  for (std::uint64_t row = piece.begin; row < piece.end;) {
    const std::uint64_t begin = row;
    while (row < piece.end && (steps[row] >= bound) == at_or_above) ++row;
    append(begin, row);
    while (row < piece.end && (steps[row] >= bound) != at_or_above) ++row;
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

Ends ends_of(std::span<const Piece> pieces) {
  Ends ends;
  for (const auto& [segment, begin, end] : pieces) {
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
    if (span.begin <= spans_.back().begin) {  // the one before has no rows
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
  const Ends ends = ends_of(counted());
  if (!ends.has_points) throw std::invalid_argument("the series has no points");
  return ends.last;
}

SeriesColumns Series::columns(bool all_attempts) const {
  std::vector<AttemptPieces> parts(spans_.size());
  SeriesColumns out;
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    parts[i].attempt = spans_[i].attempt;
    if (all_attempts) {
      append_rows(spans_[i].begin, end_of(i), parts[i].pieces);
    } else {
      append_part(i, false, parts[i].pieces);
    }
    for (const Piece& piece : parts[i].pieces) out.rows += static_cast<std::size_t>(piece.size());
  }
  out.steps = std::make_unique_for_overwrite<std::int64_t[]>(out.rows);
  out.walls = std::make_unique_for_overwrite<double[]>(out.rows);
  out.values = std::make_unique_for_overwrite<double[]>(out.rows);
  out.attempts = std::make_unique_for_overwrite<std::uint32_t[]>(out.rows);
  std::size_t row = 0;
  for (const auto& [attempt, pieces] : parts) {
    for (const auto& [segment, begin, end] : pieces) {
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
  const std::vector<Piece> pieces = counted();
  const Ends ends = ends_of(pieces);
  if (!ends.has_points) return out;
  out.first_step = ends.first.step;
  out.first_wall = ends.first.wall;
  out.last_step = ends.last.step;
  out.last_wall = ends.last.wall;
  out.last_value = ends.last.value;
  Tally tally;
  for (const Piece& piece : pieces) tally_range(piece.segment.leveled(), piece.begin, piece.end, tally);
  out.finite_min = tally.min();
  out.finite_max = tally.max();
  out.nan = tally.nan();
  out.posinf = tally.posinf();
  out.neginf = tally.neginf();
  return out;
}

std::vector<Piece> Series::counted() const {
  std::vector<Piece> out;
  for (std::size_t i = 0; i < spans_.size(); ++i) append_part(i, false, out);
  return out;
}

std::vector<AttemptPieces> Series::replaced() const {
  std::vector<AttemptPieces> out;
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    if (!spans_[i].replaced_from) continue;
    if (out.empty() || out.back().attempt != spans_[i].attempt) out.push_back({spans_[i].attempt, {}});
    append_part(i, true, out.back().pieces);
  }
  std::erase_if(out, [](const AttemptPieces& one) { return one.pieces.empty(); });
  return out;
}

std::vector<AttemptPieces> Series::by_attempt() const {
  std::vector<AttemptPieces> out;
  if (count() == 0) return out;
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    if (out.empty() || out.back().attempt != spans_[i].attempt) out.push_back({spans_[i].attempt, {}});
    append_rows(spans_[i].begin, end_of(i), out.back().pieces);
  }
  return out;
}

void Series::append_rows(std::uint64_t begin, std::uint64_t end, std::vector<Piece>& out) const {
  if (begin >= end) return;
  const auto above = std::upper_bound(starts_.begin(), starts_.end(), begin);
  for (auto i = static_cast<std::size_t>(above - starts_.begin()) - 1; i < segments_.size() && starts_[i] < end; ++i) {
    const std::uint64_t from = std::max(begin, starts_[i]) - starts_[i];
    const std::uint64_t to = std::min(end, starts_[i + 1]) - starts_[i];
    out.push_back({segments_[i], from, to});
  }
}

// Of a span the rows that a later attempt replaced, or the others.
void Series::append_part(std::size_t span, bool replaced, std::vector<Piece>& out) const {
  const auto bound = spans_[span].replaced_from;
  if (!bound) {
    if (!replaced) append_rows(spans_[span].begin, end_of(span), out);
    return;
  }
  std::vector<Piece> all;
  append_rows(spans_[span].begin, end_of(span), all);
  for (const Piece& piece : all) append_side(piece, *bound, replaced, out);
}

bool steps_in_order(std::span<const Piece> pieces) {
  std::int64_t before = std::numeric_limits<std::int64_t>::min();
  for (const auto& [segment, begin, end] : pieces) {
    // A piece of one row needs no flag: where steps go back, segments fall into many of them.
    if ((end - begin > 1 && (segment.flags & kStepsSorted) == 0) || segment.steps[begin] < before) return false;
    before = segment.steps[end - 1];
  }
  return true;
}

}  // namespace seamark
