// What a chart draws as one line: points of a series in order of x.
#pragma once

#include <memory>

#include "series.h"

namespace seamark {

enum class Axis { Step = 0, Relative = 1, Wall = 2 };
Axis axis_of(int number);  // throws std::invalid_argument when there is no such axis

// A place in a line. The end of the line is the piece after its last one, row 0.
struct Place {
  std::size_t piece = 0;
  std::uint64_t row = 0;  // within the piece's segment

  bool operator==(const Place&) const = default;
};

struct SortedColumns {
  std::vector<std::int64_t> steps;
  std::vector<double> walls;
  std::vector<double> values;
};

struct Line {
  std::vector<Piece> pieces;          // none is empty
  std::vector<std::uint64_t> starts;  // index of each piece's first point, and the total
  std::uint32_t attempt = 0;
  double origin = 0;                             // relative axis: the wall time that is zero
  std::unique_ptr<SortedColumns> sorted;         // set when the points had to be copied to be sorted

  std::uint64_t size() const { return starts.back(); }
  Place place(std::uint64_t index) const;
  std::uint64_t index(Place at) const {
    return at.piece < pieces.size() ? starts[at.piece] + at.row - pieces[at.piece].begin : size();
  }
  Place after_piece(std::size_t piece) const {
    return {piece + 1, piece + 1 < pieces.size() ? pieces[piece + 1].begin : 0};
  }
};

// Beyond this many attempts nobody can tell them apart: some writer logs out of order. They become one line by x.
constexpr std::uint64_t kMostAttempts = 1000;

// With the latest attempts only: one line, none if there are no points. Otherwise one for each attempt.
// On a time axis, points whose wall time is no finite number have no place and are left out.
std::vector<Line> lines_of(const Series& series, Axis axis, bool all_attempts);

// How many points the chosen attempts have, whether or not they have a place on the axis.
std::uint64_t points_of(const Series& series, bool all_attempts);

}  // namespace seamark
