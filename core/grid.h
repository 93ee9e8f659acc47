// Where the points of a line lie on its axis, and on a grid of columns over a stretch of it.
#pragma once

#include <algorithm>
#include <cmath>

#include "line.h"

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

// Equal columns over [start, stop]. Positions stay doubles: a conversion to an integer could run over.
struct Grid {
  double start;
  double scale;
  double columns;

  Grid(double from, double to, std::uint64_t count) : start(from), columns(static_cast<double>(count)) {
    scale = columns / (to - from);
    if (!std::isfinite(scale)) scale = 0;  // a window of no width is one column
  }
  double position(double x) const { return (x - start) * scale; }
  // The position at which the column holding x ends, given where the one before ended (0 for the first). It always ends
  // further on, even if x goes back because a damaged stripe claims an order it does not have: so there are never more
  // columns than room was made for.
  double column_end(double x, double before) const {
    const double at = std::floor(position(x)) + 1;
    const double end = at > before + 1 ? at : before + 1;  // also where the position is no number
    // The last column is closed: it keeps what lies on `stop` itself.
    return end <= columns - 1 ? end : std::numeric_limits<double>::infinity();
  }
};

// The first row in [row, end) for which `past` holds; `past` is false, then true. Quick when that row is near.
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
  const auto piece = std::partition_point(line.pieces.begin(), line.pieces.end(), [&](const Piece& candidate) {
    return !past(x(candidate.segment, candidate.end - 1));
  });
  if (piece == line.pieces.end()) return line.size();
  std::uint64_t low = piece->begin;
  std::uint64_t high = piece->end;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (past(x(piece->segment, middle))) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return line.starts[static_cast<std::size_t>(piece - line.pieces.begin())] + low - piece->begin;
}

// Calls visit(segment, begin, end) for the rows from one place to another.
template <class Visit>
void for_rows(const Line& line, Place from, Place to, Visit visit) {
  while (from != to) {
    const Piece& piece = line.pieces[from.piece];
    const std::uint64_t end = from.piece == to.piece ? to.row : piece.end;
    visit(piece.segment, from.row, end);
    from = from.piece == to.piece ? to : line.after_piece(from.piece);
  }
}

}  // namespace seamark
