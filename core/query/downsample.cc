// Lines are sorted by x, so the points of a grid column are consecutive rows: a galloping search finds where they end,
// and their summary comes from the pyramid. Single points are read only near the borders of columns.
#include "query/downsample.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "query/grid.h"
#include "query/smooth.h"

namespace seamark {
namespace {

// A line, and its points [begin, end) that are in the window.
struct VisibleRange {
  Line line;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t points() const { return end - begin; }
};

// The lines of each series.
using VisibleLines = std::vector<std::vector<VisibleRange>>;

// Whether every point of the line gets a row of its own.
bool shows_every_point(const VisibleRange& visible, const WindowQuery& query) {
  return query.max_points == 0 || visible.points() <= query.max_points;
}

std::uint64_t max_rows(const VisibleRange& visible, const WindowQuery& query) {
  return (shows_every_point(visible, query) ? visible.points() : query.max_points) + (query.edges ? 2 : 0);
}

PointRef point_at(const Line& line, LinePosition at) { return {&line.ranges[at.range], at.row}; }

Cell summarize_rows(const Line& line, LinePosition from, LinePosition to, PointRef first, PointRef last) {
  for (const double scale : {1.0, Tally::kSafeScale}) {
    Tally tally(scale);
    for_rows(line, from, to, [&](const Segment& segment, std::uint64_t begin, std::uint64_t end) {
      tally_range(segment.pyramid(), begin, end, tally);
    });
    if (tally.is_finite() || scale != 1) return tally.cell(first.value(), last.value());
  }
  return {};
}

bool is_constant(const Line& line) {
  const double first = line.ranges[0].segment.values[line.ranges[0].begin];
  return std::all_of(line.ranges.begin(), line.ranges.end(), [&](const SegmentRange& range) {
    const double* values = range.segment.values;
    return std::all_of(values + range.begin, values + range.end, [&](double value) { return value == first; });
  });
}

bool stays_as_logged(const Line& line) { return line.size() < kMinSmoothedPoints || is_constant(line); }

std::uint32_t narrow_count(std::uint64_t count) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max()));
}

// Writes the rows of one line.
template <class X>
class WindowWriter {
 public:
  WindowWriter(const VisibleRange& visible, const WindowQuery& query, const Grid& grid, double weight, Debias& debias,
               Window& out)
      : visible_(visible),
        line_(visible.line),
        query_(query),
        grid_(grid),
        out_(out),
        x_(visible.line),
        smoother_(debias, weight == 0),
        smoothed_to_(line_.position_at(0)) {}

  void write() {
    const LinePosition begin = line_.position_at(visible_.begin);
    const LinePosition end = line_.position_at(visible_.end);
    if (query_.edges && visible_.begin > 0) write_points(line_.position_at(visible_.begin - 1), begin);
    if (shows_every_point(visible_, query_)) {
      write_points(begin, end);
    } else {
      write_columns(begin, end);
    }
    if (query_.edges && visible_.end < line_.size()) write_points(end, line_.position_at(visible_.end + 1));
  }

 private:
  struct ColumnEnd {
    LinePosition last;  // the last point of the column
    LinePosition next;  // the first point of the next one
  };

  void write_points(LinePosition at, LinePosition end) {
    while (at != end) {
      const SegmentRange& range = line_.ranges[at.range];
      const std::uint64_t stop = at.range == end.range ? end.row : range.end;
      for (std::uint64_t row = at.row; row < stop; ++row) write_point({&range, row});
      at = at.range == end.range ? end : line_.after_range(at.range);
    }
  }

  void write_columns(LinePosition at, LinePosition end) {
    double position = 0;
    while (at != end) {
      const PointRef first = point_at(line_, at);
      position = grid_.column_end(x_(first.range->segment, first.row), position);
      const auto [last_at, next] = find_column_end(at, end, position);
      if (last_at == at) {
        write_point(first);
      } else {
        const PointRef last = point_at(line_, last_at);
        const Cell cell = summarize_rows(line_, at, next, first, last);
        write_row(first, last, line_.index(next) - line_.index(at), cell);
      }
      at = next;
    }
  }

  void write_point(PointRef point) {
    const double value = point.value();
    const bool finite = std::isfinite(value);
    const double known = finite ? value : std::numeric_limits<double>::quiet_NaN();
    const bool nan = std::isnan(value);
    const bool posinf = !finite && value > 0;
    const bool neginf = !finite && value < 0;
    write_row(point, point, 1, {known, known, value, value, known, finite, nan, posinf, neginf});
  }

  // The column has at least the point at `at`.
  ColumnEnd find_column_end(LinePosition at, LinePosition end, double position) const {
    const bool takes_the_rest = std::isinf(position);  // even a point that a damaged stripe puts at infinity
    std::uint64_t from = at.row + 1;
    LinePosition last = at;
    while (at != end) {
      const Segment& segment = line_.ranges[at.range].segment;
      const std::uint64_t limit = at.range == end.range ? end.row : line_.ranges[at.range].end;
      const std::uint64_t row = gallop(from, limit, [&](std::uint64_t candidate) {
        return !takes_the_rest && grid_.position(x_(segment, candidate)) >= position;
      });
      if (row > at.row) last = {at.range, row - 1};
      if (row < limit) return {last, {at.range, row}};
      at = at.range == end.range ? end : line_.after_range(at.range);
      from = at.row;
    }
    return {last, end};
  }

  // Reads only the values of requested columns.
  void write_row(PointRef first, PointRef last, std::uint64_t count, const Cell& cell) {
    static_assert(kWindowColumns.size() == 16, "every column has its line here");
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
    if (out_.count) out_.count[row] = narrow_count(count);
    if (out_.nan) out_.nan[row] = cell.nan;
    if (out_.posinf) out_.posinf[row] = cell.posinf;
    if (out_.neginf) out_.neginf[row] = cell.neginf;
    if (out_.attempt) out_.attempt[row] = line_.attempt;
    if (out_.replaced) out_.replaced[row] = line_.replaced;
    if (out_.smoothed) out_.smoothed[row] = smoothed_at(last);
  }

  // Rows come in order, so this continues the average of the row before: over every point, drawn or not.
  // Not inline: it would slow down rows without smoothing.
  [[gnu::noinline]] double smoothed_at(PointRef last) {
    const auto index = static_cast<std::size_t>(last.range - line_.ranges.data());
    const bool is_last_row = last.row + 1 == last.range->end;
    const LinePosition next = is_last_row ? line_.after_range(index) : LinePosition{index, last.row + 1};
    for_rows(line_, smoothed_to_, next, [&](const Segment& segment, std::uint64_t begin, std::uint64_t end) {
      smoother_.feed({segment.values + begin, static_cast<std::size_t>(end - begin)});
    });
    smoothed_to_ = next;
    return smoother_.smoothed(last.value());
  }

  const VisibleRange& visible_;
  const Line& line_;
  const WindowQuery& query_;
  const Grid& grid_;
  Window& out_;
  X x_;
  Smoother smoother_;
  LinePosition smoothed_to_;
};

struct AxisRange {
  double start = std::numeric_limits<double>::infinity();
  double stop = -std::numeric_limits<double>::infinity();
};

template <class X>
AxisRange common_range(const VisibleLines& all) {
  AxisRange range;
  for (const auto& lines : all) {
    for (const auto& [line, begin, end] : lines) {
      const X x(line);
      range.start = std::min(range.start, x(line.ranges.front().segment, line.ranges.front().begin));
      range.stop = std::max(range.stop, x(line.ranges.back().segment, line.ranges.back().end - 1));
    }
  }
  return range;
}

// The range that the query names; NaN and infinite bounds count as not given.
AxisRange requested_range(const WindowQuery& query, AxisRange range) {
  if (query.start && *query.start > -std::numeric_limits<double>::infinity()) range.start = *query.start;
  if (query.stop && *query.stop < std::numeric_limits<double>::infinity()) range.stop = *query.stop;
  return range;
}

template <class X>
void find_visible(const AxisRange& range, VisibleLines& all) {
  for (auto& lines : all) {
    if (!(range.start <= range.stop)) lines.clear();  // an empty window has no edges either
    for (VisibleRange& visible : lines) {
      const X x(visible.line);
      visible.begin = first_point(visible.line, x, [&](double at) { return at >= range.start; });
      visible.end = std::max(visible.begin, first_point(visible.line, x, [&](double at) { return at > range.stop; }));
    }
  }
}

bool is_requested(std::size_t column, const WindowQuery& query) {
  if ((query.columns & (ColumnSet{1} << column)) == 0) return false;
  switch (kWindowColumns[column].condition) {
    case ColumnCondition::WithSmoothing: return query.smoothing.weight > 0;
    case ColumnCondition::WithAttempts: return query.attempts != Attempts::Latest;
    case ColumnCondition::WithMarkedAttempts: return query.attempts == Attempts::Marked;
    default: return true;
  }
}

void allocate_rows(std::size_t rows, const WindowQuery& query, Window& out) {
  std::size_t column = 0;
#define SEAMARK_COLUMN(type, name, condition) \
  if (is_requested(column++, query)) out.name = std::make_unique_for_overwrite<type[]>(rows);
  SEAMARK_WINDOW_COLUMNS(SEAMARK_COLUMN)
#undef SEAMARK_COLUMN
}

// The weight from point to point; 0 for a line that stays as logged.
template <class X>
double weight_of(const Line& line, const Smoothing& smoothing, const AxisRange& range) {
  if (smoothing.weight == 0 || stays_as_logged(line)) return 0;
  const X x(line);
  const SegmentRange& first = line.ranges.front();
  const SegmentRange& last = line.ranges.back();
  const double width = x(last.segment, last.end - 1) - x(first.segment, first.begin);
  return point_weight(smoothing, range.stop - range.start, width / static_cast<double>(line.size() - 1));
}

template <class X>
void fill_window(VisibleLines& all, const WindowQuery& query, Window& out) {
  const AxisRange range = requested_range(query, common_range<X>(all));
  find_visible<X>(range, all);
  std::uint64_t rows = 0;
  for (const auto& lines : all) {
    for (const VisibleRange& visible : lines) rows += max_rows(visible, query);
  }
  allocate_rows(static_cast<std::size_t>(rows), query, out);
  const Grid grid(range.start, range.stop, query.max_points);
  Debias debias(query.smoothing.weight);
  for (std::size_t i = 0; i < all.size(); ++i) {
    out.offsets[i] = out.rows;
    out.points[i] = 0;
    for (const VisibleRange& visible : all[i]) {
      out.points[i] += visible.points();
      const double weight = weight_of<X>(visible.line, query.smoothing, range);
      // Lines of one spacing share the powers.
      if (weight > 0 && weight != debias.weight()) debias = Debias(weight);
      if (out.weight) out.weight[i] = weight;
      WindowWriter<X>(visible, query, grid, weight, debias, out).write();
    }
  }
  out.offsets[all.size()] = out.rows;
}

}  // namespace

ColumnSet column_named(std::string_view name) {
  const auto found = std::ranges::find(kWindowColumns, name, &WindowColumn::name);
  if (found == kWindowColumns.end()) throw std::invalid_argument("no such column: " + std::string(name));
  return ColumnSet{1} << static_cast<unsigned>(found - kWindowColumns.begin());
}

Window window(std::span<const Series* const> series, const WindowQuery& query) {
  Window out;
  out.series = series.size();
  for (Column<std::uint64_t>* column : {&out.offsets, &out.points, &out.total, &out.stored}) {
    *column = std::make_unique_for_overwrite<std::uint64_t[]>(series.size() + 1);
  }
  if (query.smoothing.weight > 0) out.weight = std::make_unique<double[]>(series.size());
  VisibleLines all(series.size());
  for (std::size_t i = 0; i < series.size(); ++i) {
    out.total[i] = points_of(*series[i], query.attempts);
    out.stored[i] = series[i]->count();
    for (Line& line : lines_of(*series[i], query.axis, query.attempts)) all[i].push_back({std::move(line)});
  }
  if (query.axis == Axis::Step) {
    fill_window<StepX>(all, query, out);
  } else {
    fill_window<WallX>(all, query, out);
  }
  return out;
}

}  // namespace seamark
