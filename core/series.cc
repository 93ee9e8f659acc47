#include "series.h"

#include <algorithm>
#include <stdexcept>

namespace seamark {

Series::Series(std::vector<Segment> segments) : segments_(std::move(segments)) {
  std::erase_if(segments_, [](const Segment& segment) { return segment.count == 0; });
  starts_.reserve(segments_.size() + 1);
  starts_.push_back(0);
  for (const Segment& segment : segments_) starts_.push_back(starts_.back() + segment.count);
  find_attempts();
}

void Series::find_attempts() {
  attempt_rows_.push_back(0);
  std::int64_t before = std::numeric_limits<std::int64_t>::min();
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const Segment& segment = segments_[i];
    if (segment.steps[0] < before) attempt_rows_.push_back(starts_[i]);
    if ((segment.flags & kStepsSorted) == 0) {
      for (std::uint64_t row = 1; row < segment.count; ++row) {
        if (segment.steps[row] < segment.steps[row - 1]) attempt_rows_.push_back(starts_[i] + row);
      }
    }
    before = segment.steps[segment.count - 1];
  }
}

Spot Series::at(std::uint64_t row) const {
  const auto above = std::upper_bound(starts_.begin(), starts_.end(), row);
  const auto index = static_cast<std::size_t>(above - starts_.begin()) - 1;
  return {&segments_[index], row - starts_[index]};
}

Spot Series::last() const {
  if (count() == 0) throw std::invalid_argument("the series has no points");
  return at(count() - 1);
}

SeriesColumns Series::columns(bool all_attempts) const {
  const auto ranges = all_attempts ? all_ranges() : latest_ranges();
  SeriesColumns out;
  for (const Range& range : ranges) out.rows += static_cast<std::size_t>(range.end - range.begin);
  out.steps = std::make_unique_for_overwrite<std::int64_t[]>(out.rows);
  out.walls = std::make_unique_for_overwrite<double[]>(out.rows);
  out.values = std::make_unique_for_overwrite<double[]>(out.rows);
  out.attempts = std::make_unique_for_overwrite<std::uint32_t[]>(out.rows);
  std::size_t row = 0;
  std::vector<Piece> pieces;
  for (const Range& range : ranges) {
    pieces.clear();
    append_pieces(range.begin, range.end, pieces);
    for (const auto& [segment, begin, end] : pieces) {
      std::copy(segment.steps + begin, segment.steps + end, out.steps.get() + row);
      std::copy(segment.walls + begin, segment.walls + end, out.walls.get() + row);
      std::copy(segment.values + begin, segment.values + end, out.values.get() + row);
      const auto size = static_cast<std::size_t>(end - begin);
      std::fill_n(out.attempts.get() + row, size, range.attempt);
      row += size;
    }
  }
  return out;
}

SeriesStats Series::stats() const {
  SeriesStats out;
  out.count = count();
  out.attempts = attempts();
  if (count() == 0) return out;
  out.first_step = at(0).step();
  out.first_wall = at(0).wall();
  out.last_step = last().step();
  out.last_wall = last().wall();
  out.last_value = last().value();
  out.min_step = out.first_step;
  out.max_step = out.last_step;
  // Steps rise within an attempt, so its ends say it all.
  for (std::size_t i = 1; i < attempt_rows_.size(); ++i) {
    out.min_step = std::min(out.min_step, at(attempt_rows_[i]).step());
    out.max_step = std::max(out.max_step, at(attempt_rows_[i] - 1).step());
  }
  Tally tally;
  for (const Segment& segment : segments_) tally_range(segment.leveled(), 0, segment.count, tally);
  out.finite_min = tally.min();
  out.finite_max = tally.max();
  out.nan = tally.nan();
  out.posinf = tally.posinf();
  out.neginf = tally.neginf();
  return out;
}

void Series::append_pieces(std::uint64_t begin, std::uint64_t end, std::vector<Piece>& out) const {
  if (begin >= end) return;
  const auto above = std::upper_bound(starts_.begin(), starts_.end(), begin);
  for (auto i = static_cast<std::size_t>(above - starts_.begin()) - 1; i < segments_.size() && starts_[i] < end; ++i) {
    const std::uint64_t from = std::max(begin, starts_[i]) - starts_[i];
    const std::uint64_t to = std::min(end, starts_[i + 1]) - starts_[i];
    out.push_back({segments_[i], from, to});
  }
}

std::vector<Series::Range> Series::all_ranges() const {
  std::vector<Range> out;
  if (count() == 0) return out;
  out.reserve(attempt_rows_.size());
  for (std::size_t i = 0; i < attempt_rows_.size(); ++i) {
    const std::uint64_t end = i + 1 < attempt_rows_.size() ? attempt_rows_[i + 1] : count();
    out.push_back({attempt_rows_[i], end, static_cast<std::uint32_t>(i)});
  }
  return out;
}

std::vector<Series::Range> Series::latest_ranges() const {
  std::vector<Range> out = all_ranges();
  if (out.size() < 2) return out;
  std::int64_t bound = at(out.back().begin).step();
  for (std::size_t i = out.size() - 1; i-- > 0;) {
    out[i].end = rows_below(out[i].begin, out[i].end, bound);
    bound = std::min(bound, at(attempt_rows_[i]).step());
  }
  std::erase_if(out, [](const Range& range) { return range.begin >= range.end; });
  return out;
}

std::uint64_t Series::rows_below(std::uint64_t begin, std::uint64_t end, std::int64_t step) const {
  while (begin < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    if (at(middle).step() < step) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

}  // namespace seamark
