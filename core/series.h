// One scalar series over all its stripes: in order of arrival, and which of its points a restart replaced.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "stripe.h"

namespace seamark {

// Count and attempts are of all points; everything else is of the points that count.
struct SeriesStats {
  std::uint64_t count = 0;
  std::uint64_t attempts = 0;
  std::int64_t first_step = 0;  // the smallest
  std::int64_t last_step = 0;   // the greatest
  double first_wall = std::numeric_limits<double>::quiet_NaN();
  double last_wall = std::numeric_limits<double>::quiet_NaN();
  double last_value = std::numeric_limits<double>::quiet_NaN();
  double finite_min = std::numeric_limits<double>::quiet_NaN();
  double finite_max = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t nan = 0;
  std::uint64_t posinf = 0;
  std::uint64_t neginf = 0;
};

// Consecutive rows of one segment.
struct Piece {
  Segment segment;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t size() const { return end - begin; }
};

// A point, by the segment that holds it and its row there.
struct Spot {
  const Segment* segment;
  std::uint64_t row;

  std::int64_t step() const { return segment->steps[row]; }
  double wall() const { return segment->walls[row]; }
  double value() const { return segment->values[row]; }
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

// Neighbouring rows of a series that were written in one attempt of the run. Which attempts there are, and what a later
// one replaced, is decided for the whole run by those who know its files.
struct Span {
  std::uint64_t begin = 0;  // row of the whole series
  std::uint32_t attempt = 0;
  std::optional<std::int64_t> replaced_from;  // a later attempt replaced the points with this step and above
};

// Pieces of one attempt.
struct AttemptPieces {
  std::uint32_t attempt = 0;
  std::vector<Piece> pieces;
};

// Views stripes that someone else keeps alive. Never changes once made, so any number of threads may ask it.
class Series {
 public:
  // Spans in order of `begin`; rows before the first one are of attempt 0, and nothing replaced them.
  explicit Series(std::vector<Segment> segments, std::vector<Span> spans = {});

  std::uint64_t count() const { return starts_.back(); }
  std::uint64_t attempts() const;  // those that have points here; one even when empty
  std::uint32_t last_attempt() const { return spans_.back().attempt; }
  // The point that counts with the greatest step, the latest written among equals. Throws std::invalid_argument on a
  // series without any.
  Point last() const;
  SeriesStats stats() const;
  SeriesColumns columns(bool all_attempts) const;

  // In order of arrival. No point is looked at, except in segments whose steps go back.
  std::vector<Piece> counted() const;
  std::vector<AttemptPieces> replaced() const;    // by attempt, without those that lost nothing
  std::vector<AttemptPieces> by_attempt() const;  // every point

 private:
  std::uint64_t end_of(std::size_t span) const { return span + 1 < spans_.size() ? spans_[span + 1].begin : count(); }
  void append_rows(std::uint64_t begin, std::uint64_t end, std::vector<Piece>& out) const;
  void append_part(std::size_t span, bool replaced, std::vector<Piece>& out) const;

  std::vector<Segment> segments_;
  std::vector<std::uint64_t> starts_;  // first row of each segment, and the total
  std::vector<Span> spans_;            // at least one, the first from row 0 on; none is empty if there are points
};

// Whether the steps never go back from one point to the next. Looks at the ends of the pieces only.
bool steps_in_order(std::span<const Piece> pieces);

}  // namespace seamark
