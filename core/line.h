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
  bool replaced = false;                  // by a restart: these points do not count
  double origin = 0;                      // relative axis: the wall time that is zero
  std::unique_ptr<SortedColumns> sorted;  // set when the points had to be copied to be sorted

  std::uint64_t size() const { return starts.back(); }
  Place place(std::uint64_t index) const;
  std::uint64_t index(Place at) const {
    return at.piece < pieces.size() ? starts[at.piece] + at.row - pieces[at.piece].begin : size();
  }
  Place after_piece(std::size_t piece) const {
    return {piece + 1, piece + 1 < pieces.size() ? pieces[piece + 1].begin : 0};
  }
};

enum class Attempts {
  Latest = 0,  // the points that count: one line
  All = 1,     // every point: a line for each attempt
  Marked = 2,  // what restarts replaced, a line for each attempt that lost points; then the points that count
};
Attempts attempts_of(int number);  // throws std::invalid_argument when there is no such choice

// Beyond this many attempts nobody can tell them apart: they become one line.
constexpr std::size_t kMostAttempts = 1000;

// Each line is in order of x; points of one x are in order of arrival.
// On a time axis, points whose wall time is no finite number have no place and are left out.
std::vector<Line> lines_of(const Series& series, Axis axis, Attempts attempts);

// Makes one line of these points: without a copy if they are in order.
Line line_of(std::vector<Piece> pieces, Axis axis);

// Whether the steps of every line rise in order of arrival already.
bool is_in_order(const Series& series, Attempts attempts);

// How many points the chosen attempts have, whether or not they have a place on the axis.
std::uint64_t points_of(const Series& series, Attempts attempts);

}  // namespace seamark
