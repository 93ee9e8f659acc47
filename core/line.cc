#include "line.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace seamark {
namespace {

void number_points(Line& line) {
  line.starts.reserve(line.pieces.size() + 1);
  line.starts.push_back(0);
  for (const Piece& piece : line.pieces) line.starts.push_back(line.starts.back() + piece.size());
}

bool walls_in_order(const Line& line) {
  double before = -std::numeric_limits<double>::infinity();
  for (const Piece& piece : line.pieces) {
    if ((piece.segment.flags & kWallsSorted) == 0 || piece.segment.walls[piece.begin] < before) return false;
    before = piece.segment.walls[piece.end - 1];
  }
  return true;
}

double first_finite_wall(const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    for (std::uint64_t row = piece.begin; row < piece.end; ++row) {
      if (std::isfinite(piece.segment.walls[row])) return piece.segment.walls[row];
    }
  }
  return 0;
}

SortedColumns gather(const std::vector<Piece>& pieces, bool need_wall) {
  SortedColumns out;
  for (const Piece& piece : pieces) {
    for (std::uint64_t row = piece.begin; row < piece.end; ++row) {
      if (need_wall && !std::isfinite(piece.segment.walls[row])) continue;
      out.steps.push_back(piece.segment.steps[row]);
      out.walls.push_back(piece.segment.walls[row]);
      out.values.push_back(piece.segment.values[row]);
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

// Replaces the pieces by a sorted copy. Stable: points of one x stay in order of arrival.
void sort_points(Line& line, Axis axis) {
  const SortedColumns from = gather(line.pieces, axis != Axis::Step);
  std::vector<std::size_t> order(from.steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return axis == Axis::Step ? from.steps[a] < from.steps[b] : from.walls[a] < from.walls[b];
  });
  line.sorted = std::make_unique<SortedColumns>(
      SortedColumns{pick(from.steps, order), pick(from.walls, order), pick(from.values, order)});
  line.pieces.clear();
  line.starts.clear();
  Segment segment;
  segment.steps = line.sorted->steps.data();
  segment.walls = line.sorted->walls.data();
  segment.values = line.sorted->values.data();
  segment.count = order.size();
  if (segment.count > 0) line.pieces.push_back({segment, 0, segment.count});
  number_points(line);
}

}  // namespace

Axis axis_of(int number) {
  if (number < 0 || number > 2) throw std::invalid_argument("no such axis: " + std::to_string(number));
  return static_cast<Axis>(number);
}

Place Line::place(std::uint64_t index) const {
  if (index >= size()) return {pieces.size(), 0};
  const auto above = std::upper_bound(starts.begin(), starts.end(), index);
  const auto piece = static_cast<std::size_t>(above - starts.begin()) - 1;
  return {piece, pieces[piece].begin + (index - starts[piece])};
}

std::vector<Line> lines_of(const Series& series, Axis axis, bool all_attempts) {
  std::vector<Line> lines;
  const auto ranges = all_attempts ? series.all_ranges() : series.latest_ranges();
  const bool apart = all_attempts && ranges.size() <= kMostAttempts;
  for (const Series::Range& range : ranges) {
    if (apart || lines.empty()) lines.emplace_back().attempt = apart ? range.attempt : 0;
    series.append_pieces(range.begin, range.end, lines.back().pieces);
  }
  if (lines.empty()) return lines;
  const double origin = axis == Axis::Relative ? first_finite_wall(lines.front().pieces) : 0;
  for (Line& line : lines) {
    number_points(line);
    line.origin = origin;
    const bool too_many = all_attempts && !apart;
    if (too_many || (axis != Axis::Step && !walls_in_order(line))) sort_points(line, axis);
  }
  std::erase_if(lines, [](const Line& line) { return line.size() == 0; });
  return lines;
}

std::uint64_t points_of(const Series& series, bool all_attempts) {
  if (all_attempts) return series.count();
  std::uint64_t points = 0;
  for (const Series::Range& range : series.latest_ranges()) points += range.end - range.begin;
  return points;
}

}  // namespace seamark
