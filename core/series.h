// One scalar series over all its stripes: in order, split into attempts.
#pragma once

#include <memory>
#include <vector>

#include "stripe.h"

namespace seamark {

struct SeriesStats {
  std::uint64_t count = 0;
  std::uint64_t attempts = 0;
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
  std::int64_t min_step = 0;
  std::int64_t max_step = 0;
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

template <class T>
using Column = std::unique_ptr<T[]>;

// A copy of the points.
struct SeriesColumns {
  std::size_t rows = 0;
  Column<std::int64_t> steps;
  Column<double> walls;
  Column<double> values;
  Column<std::uint32_t> attempts;  // which attempt each point belongs to
};

// Views stripes that someone else keeps alive. Never changes once made, so any number of threads may ask it.
class Series {
 public:
  explicit Series(std::vector<Segment> segments);

  std::uint64_t count() const { return starts_.back(); }
  // A step smaller than the one before starts a new attempt; an equal one does not. One even when empty.
  std::uint64_t attempts() const { return attempt_rows_.size(); }
  Spot last() const;  // throws std::invalid_argument on an empty series
  SeriesStats stats() const;
  SeriesColumns columns(bool all_attempts) const;

  // The rows [begin, end) of the whole series as pieces of its segments.
  void append_pieces(std::uint64_t begin, std::uint64_t end, std::vector<Piece>& out) const;

  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint32_t attempt;
  };
  std::vector<Range> all_ranges() const;
  // What the latest attempts leave standing: a point counts while its step is below the first step of every later
  // attempt. So history before a restart stays, and what was done again is superseded. Steps never go back in it.
  std::vector<Range> latest_ranges() const;

 private:
  Spot at(std::uint64_t row) const;
  void find_attempts();
  std::uint64_t rows_below(std::uint64_t begin, std::uint64_t end, std::int64_t step) const;

  std::vector<Segment> segments_;
  std::vector<std::uint64_t> starts_;        // first row of each segment, and the total
  std::vector<std::uint64_t> attempt_rows_;  // first row of each attempt
};

}  // namespace seamark
