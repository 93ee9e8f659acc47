// Lines are sorted by x, so a column of the grid is a run of rows: its end is found by galloping, and its summary comes
// from the pyramid, so a point is looked at only near the borders of columns.
#include "decimate.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "grid.h"
#include "smooth.h"

namespace seamark {
namespace {

// A line, and the points [begin, end) of it that lie in the window.
struct Cut {
  Line line;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t points() const { return end - begin; }
};

bool fits(const Cut& cut, const WindowQuery& query) {
  return query.max_points == 0 || cut.points() <= query.max_points;
}

std::uint64_t most_rows(const Cut& cut, const WindowQuery& query) {
  return (fits(cut, query) ? cut.points() : query.max_points) + (query.edges ? 2 : 0);
}

Cell summarize_rows(const Line& line, Place from, Place to, Spot first, Spot last) {
  for (const double scale : {1.0, Tally::kSafeScale}) {
    Tally tally(scale);
    for_rows(line, from, to, [&](const Segment& segment, std::uint64_t begin, std::uint64_t end) {
      tally_range(segment.leveled(), begin, end, tally);
    });
    if (tally.sound() || scale != 1) return tally.cell(first.value(), last.value());
  }
  return {};
}

bool is_constant(const Line& line) {
  const double first = line.pieces[0].segment.values[line.pieces[0].begin];
  return std::all_of(line.pieces.begin(), line.pieces.end(), [&](const Piece& piece) {
    const double* values = piece.segment.values;
    return std::all_of(values + piece.begin, values + piece.end, [&](double value) { return value == first; });
  });
}

constexpr std::uint64_t kMostCounted = std::numeric_limits<std::uint32_t>::max();

// Writes the rows of one line.
template <class X>
class Drawer {
 public:
  Drawer(const Cut& cut, const WindowQuery& query, const Grid& grid, const Debias& debias, Window& out)
      : cut_(cut), line_(cut.line), query_(query), grid_(grid), out_(out), x_(cut.line),
        smoother_(debias, query.smoothing > 0 && is_constant(cut.line)), smoothed_to_(line_.place(0)) {}

  void draw() {
    const Place begin = line_.place(cut_.begin);
    const Place end = line_.place(cut_.end);
    if (query_.edges && cut_.begin > 0) points(line_.place(cut_.begin - 1), begin);
    if (fits(cut_, query_)) {
      points(begin, end);
    } else {
      columns(begin, end);
    }
    if (query_.edges && cut_.end < line_.size()) points(end, line_.place(cut_.end + 1));
  }

 private:
  void points(Place from, Place to) {
    for_rows(line_, from, to, [&](const Segment& segment, std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t row = begin; row < end; ++row) point({&segment, row});
    });
  }

  void columns(Place at, Place end) {
    double position = 0;
    while (at != end) {
      const Segment& segment = line_.pieces[at.piece].segment;
      Place next;
      Spot last{};
      position = grid_.column_end(x_(segment, at.row), position);
      find_column_end(at, end, position, next, last);
      const Spot first{&segment, at.row};
      if (last.segment == first.segment && last.row == first.row) {
        point(first);
      } else {
        column(first, last, line_.index(next) - line_.index(at), summarize_rows(line_, at, next, first, last));
      }
      at = next;
    }
  }

  // `next` is where the column after this one starts, `last` this one's last point. Always moves on by a point.
  void find_column_end(Place at, Place end, double position, Place& next, Spot& last) const {
    const bool takes_the_rest = std::isinf(position);  // even a point which a damaged stripe puts at infinity
    std::uint64_t from = at.row + 1;
    last = {&line_.pieces[at.piece].segment, at.row};
    while (at != end) {
      const Segment& segment = line_.pieces[at.piece].segment;
      const std::uint64_t limit = at.piece == end.piece ? end.row : line_.pieces[at.piece].end;
      const std::uint64_t row = gallop(from, limit, [&](std::uint64_t candidate) {
        return !takes_the_rest && grid_.position(x_(segment, candidate)) >= position;
      });
      if (row > at.row) last = {&segment, row - 1};
      if (row < limit) {
        next = {at.piece, row};
        return;
      }
      at = at.piece == end.piece ? end : line_.after_piece(at.piece);
      from = at.row;
    }
    next = end;
  }

  void point(Spot at) {
    const double value = at.value();
    const bool finite = std::isfinite(value);
    const double known = finite ? value : std::numeric_limits<double>::quiet_NaN();
    const bool nan = std::isnan(value);
    const bool up = !finite && value > 0;
    const bool down = !finite && value < 0;
    column(at, at, 1, {known, known, value, value, known, finite, nan, up, down});
  }

  void column(Spot first, Spot last, std::uint64_t count, const Cell& cell) {
    const std::size_t row = out_.rows++;
    if (out_.step) out_.step[row] = first.step();
    if (out_.step_last) out_.step_last[row] = last.step();
    if (out_.wall) out_.wall[row] = first.wall();
    if (out_.wall_last) out_.wall_last[row] = last.wall();
    if (out_.first) out_.first[row] = cell.first;
    if (out_.last) out_.last[row] = cell.last;
    if (out_.min) out_.min[row] = cell.min;
    if (out_.max) out_.max[row] = cell.max;
    if (out_.mean) out_.mean[row] = cell.mean;
    if (out_.count) out_.count[row] = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, kMostCounted));
    if (out_.nan) out_.nan[row] = cell.nan;
    if (out_.posinf) out_.posinf[row] = cell.posinf;
    if (out_.neginf) out_.neginf[row] = cell.neginf;
    if (out_.attempt) out_.attempt[row] = line_.attempt;
    if (out_.replaced) out_.replaced[row] = line_.replaced;
    if (out_.smoothed) out_.smoothed[row] = smoothed_at(last);
  }

  // Points come in order, so the average is carried on from the row before: over every point, drawn or not.
  double smoothed_at(Spot last) {
    std::size_t piece = smoothed_to_.piece;
    while (&line_.pieces[piece].segment != last.segment) ++piece;
    const Place to = last.row + 1 < line_.pieces[piece].end ? Place{piece, last.row + 1} : line_.after_piece(piece);
    for_rows(line_, smoothed_to_, to, [&](const Segment& segment, std::uint64_t begin, std::uint64_t end) {
      smoother_.feed({segment.values + begin, static_cast<std::size_t>(end - begin)});
    });
    smoothed_to_ = to;
    return smoother_.smoothed(last.value());
  }

  const Cut& cut_;
  const Line& line_;
  const WindowQuery& query_;
  const Grid& grid_;
  Window& out_;
  X x_;
  Smoother smoother_;
  Place smoothed_to_;
};

struct Range {
  double start = std::numeric_limits<double>::infinity();
  double stop = -std::numeric_limits<double>::infinity();
};

template <class X>
Range common_range(const std::vector<std::vector<Cut>>& all) {
  Range range;
  for (const auto& cuts : all) {
    for (const Cut& cut : cuts) {
      const X x(cut.line);
      range.start = std::min(range.start, x(cut.line.pieces.front().segment, cut.line.pieces.front().begin));
      range.stop = std::max(range.stop, x(cut.line.pieces.back().segment, cut.line.pieces.back().end - 1));
    }
  }
  return range;
}

template <class X>
void cut_lines(std::vector<std::vector<Cut>>& all, const Range& range) {
  for (auto& cuts : all) {
    for (Cut& cut : cuts) {
      const X x(cut.line);
      cut.begin = first_point(cut.line, x, [&](double at) { return at >= range.start; });
      cut.end = std::max(cut.begin, first_point(cut.line, x, [&](double at) { return at > range.stop; }));
    }
  }
}

template <class T>
void allocate(std::size_t rows, std::initializer_list<Column<T>*> columns) {
  for (Column<T>* column : columns) *column = std::make_unique_for_overwrite<T[]>(rows);
}

constexpr std::string_view kColumnNames[] = {"step", "step_last", "wall", "wall_last", "first",    "last",    "min",     "max",
                                             "mean", "count",     "nan",  "posinf",    "neginf", "smoothed", "attempt", "replaced"};

void allocate_rows(std::size_t most, const WindowQuery& query, Window& out) {
  const auto want = [&](const char* name, auto& column) {
    if ((query.columns & column_named(name)) != 0) allocate(most, {&column});
  };
  want("step", out.step);
  want("step_last", out.step_last);
  want("wall", out.wall);
  want("wall_last", out.wall_last);
  want("first", out.first);
  want("last", out.last);
  want("min", out.min);
  want("max", out.max);
  want("mean", out.mean);
  want("count", out.count);
  want("nan", out.nan);
  want("posinf", out.posinf);
  want("neginf", out.neginf);
  if (query.smoothing > 0) want("smoothed", out.smoothed);
  if (query.attempts != Attempts::Latest) want("attempt", out.attempt);
  if (query.attempts == Attempts::Marked) want("replaced", out.replaced);
}

template <class X>
void draw_all(std::vector<std::vector<Cut>>& all, const WindowQuery& query, Window& out) {
  Range range = common_range<X>(all);
  // A bound that is no number, or lies infinitely far out, says nothing.
  if (query.start && *query.start > -std::numeric_limits<double>::infinity()) range.start = *query.start;
  if (query.stop && *query.stop < std::numeric_limits<double>::infinity()) range.stop = *query.stop;
  if (range.start <= range.stop) {
    cut_lines<X>(all, range);
  } else {
    for (auto& cuts : all) cuts.clear();  // an empty window has no edges either
  }
  std::uint64_t most = 0;
  for (const auto& cuts : all) {
    for (const Cut& cut : cuts) most += most_rows(cut, query);
  }
  allocate_rows(static_cast<std::size_t>(most), query, out);
  const Grid grid(range.start, range.stop, query.max_points);
  const Debias debias(query.smoothing);
  for (std::size_t i = 0; i < all.size(); ++i) {
    out.offsets[i] = out.rows;
    out.points[i] = 0;
    for (const Cut& cut : all[i]) {
      out.points[i] += cut.points();
      Drawer<X>(cut, query, grid, debias, out).draw();
    }
  }
  out.offsets[all.size()] = out.rows;
}

}  // namespace

ColumnSet column_named(std::string_view name) {
  const auto* const found = std::find(std::begin(kColumnNames), std::end(kColumnNames), name);
  if (found == std::end(kColumnNames)) throw std::invalid_argument("no such column: " + std::string(name));
  return ColumnSet{1} << static_cast<unsigned>(found - std::begin(kColumnNames));
}

Window window(std::span<const Series* const> series, const WindowQuery& query) {
  Window out;
  out.series = series.size();
  allocate(series.size() + 1, {&out.offsets, &out.points, &out.total, &out.stored});
  std::vector<std::vector<Cut>> all(series.size());
  for (std::size_t i = 0; i < series.size(); ++i) {
    out.total[i] = points_of(*series[i], query.attempts);
    out.stored[i] = series[i]->count();
    for (Line& line : lines_of(*series[i], query.axis, query.attempts)) all[i].push_back({std::move(line)});
  }
  if (query.axis == Axis::Step) {
    draw_all<StepX>(all, query, out);
  } else {
    draw_all<WallX>(all, query, out);
  }
  return out;
}

}  // namespace seamark
