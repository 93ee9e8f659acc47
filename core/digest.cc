#include "digest.h"

#include <algorithm>

#include "line.h"

namespace seamark {
namespace {

Cell summary(std::span<const Piece> pieces) {
  for (const double scale : {1.0, Tally::kSafeScale}) {
    Tally tally(scale);
    for (const Piece& piece : pieces) tally_range(piece.segment.leveled(), piece.begin, piece.end, tally);
    if (tally.sound() || scale != 1.0) return tally.cell(0, 0);
  }
  return {};
}

// The last `points` of the pieces.
std::vector<Piece> ending(std::span<const Piece> pieces, std::uint64_t points) {
  std::vector<Piece> out;
  for (std::size_t i = pieces.size(); i-- > 0 && points > 0;) {
    Piece piece = pieces[i];
    piece.begin = piece.end - std::min(points, piece.size());
    points -= piece.size();
    out.push_back(piece);
  }
  return out;
}

// The step of the first point with that value. `of_cell` is the cell's minimum or maximum: a cell with another one may
// still hold the value, but then not as the extreme that is looked for.
double step_of(std::span<const Piece> pieces, double value, double Cell::* of_cell) {
  for (const Piece& piece : pieces) {
    const Segment& segment = piece.segment;
    for (std::uint64_t row = piece.begin; row < piece.end;) {
      const std::uint64_t cell = row / kFineRows;
      const std::uint64_t cell_end = (cell + 1) * kFineRows;
      const bool is_whole = row % kFineRows == 0 && cell_end <= piece.end && cell < fine_cells(segment.count);
      const std::uint64_t end = std::min(cell_end, piece.end);
      if (!(is_whole && segment.fine != nullptr && segment.fine[cell].*of_cell != value)) {
        const double* const found = std::find(segment.values + row, segment.values + end, value);
        if (found != segment.values + end) return static_cast<double>(segment.steps[found - segment.values]);
      }
      row = end;
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Digest digest(const Series& series, std::uint64_t tail_points) {
  Digest out;
  const Line line = line_of(series.counted(), Axis::Step);
  const std::vector<Piece>& pieces = line.pieces;
  if (pieces.empty()) return out;
  for (const Piece& piece : pieces) out.count += piece.size();
  const Piece& front = pieces.front();
  const Piece& back = pieces.back();
  out.first = front.segment.values[front.begin];
  out.last = back.segment.values[back.end - 1];
  out.last_step = static_cast<double>(back.segment.steps[back.end - 1]);
  const Cell all = summary(pieces);
  out.mean = all.mean;
  if (all.finite > 0) {
    out.min = all.min;
    out.max = all.max;
    out.min_step = step_of(pieces, all.min, &Cell::min);
    out.max_step = step_of(pieces, all.max, &Cell::max);
  }
  out.tail = summary(ending(pieces, tail_points)).mean;
  return out;
}

}  // namespace seamark
