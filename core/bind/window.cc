// Windows of many series.
#include "query/window.h"

#include "bind/series.h"
#include "query/downsample.h"

namespace seamark {
namespace {

ColumnSet columns_named(const std::vector<std::string>& names) {
  ColumnSet columns = 0;
  for (const std::string& name : names) columns |= column_named(name);
  return columns;
}

nb::dict to_dict(Window window) {
  nb::dict out;
  const auto put = [&](const char* name, auto column, std::size_t size) {
    if (column) out[name] = to_array(std::move(column), size);
  };
  put("offsets", std::move(window.offsets), window.series + 1);
#define SEAMARK_COLUMN(type, name, condition) put(#name, std::move(window.name), window.rows);
  SEAMARK_WINDOW_COLUMNS(SEAMARK_COLUMN)
#undef SEAMARK_COLUMN
  put("points", std::move(window.points), window.series);
  put("total", std::move(window.total), window.series);
  put("stored", std::move(window.stored), window.series);
  put("weight", std::move(window.weight), window.series);
  return out;
}

nb::dict window_of(const std::vector<nb::object>& series, int axis, std::optional<double> start,
                   std::optional<double> stop, std::uint64_t max_points, double smoothing, bool adaptive,
                   std::optional<double> visible, int attempts, bool edges,
                   const std::optional<std::vector<std::string>>& columns) {
  const WindowQuery query{.axis = axis_of(axis),
                          .start = start,
                          .stop = stop,
                          .max_points = max_points,
                          .smoothing = {smoothing, adaptive ? SmoothingMode::Adaptive : SmoothingMode::Fixed, visible},
                          .attempts = attempts_of(attempts),
                          .edges = edges,
                          .columns = columns ? columns_named(*columns) : kEveryColumn};
  const auto all = series_of(series);
  Window found;
  {
    nb::gil_scoped_release release;
    found = window(all, query);
  }
  return to_dict(std::move(found));
}

nb::tuple column_names(bool optional) {
  nb::list names;
  for (const auto& [name, condition] : kWindowColumns) {
    if ((condition != ColumnCondition::Always) == optional) names.append(nb::str(name.data(), name.size()));
  }
  return nb::tuple(names);
}

}  // namespace

void bind_window(nb::module_& m) {
  m.attr("WINDOW_COLUMNS") = column_names(false);
  m.attr("OPTIONAL_WINDOW_COLUMNS") = column_names(true);
  m.def(
      "window", window_of, "series"_a, nb::kw_only(), "axis"_a, "start"_a.none(), "stop"_a.none(), "max_points"_a,
      "smoothing"_a, "adaptive"_a = false, "visible"_a = nb::none(), "attempts"_a, "edges"_a, "columns"_a = nb::none(),
      nb::sig("def window(series: list[SeriesView], *, axis: int, start: float | None, stop: float | None, max_points: "
              "int, smoothing: float, adaptive: bool = False, visible: float | None = None, attempts: int, edges: "
              "bool, columns: "
              "list[str] | None = None) -> " SIG_TABLE),
      "The points of many series in [start, stop], or a grid of `max_points` columns over it if there are more.\n\n"
      "Row columns: int64 step, step_last; float64 wall, wall_last, first, last, min, max, mean (the last three over\n"
      "finite values, NaN without any); uint32 count, nan, posinf, neginf; float64 smoothed, at the last point, only\n"
      "with smoothing > 0; uint32 attempt, not with ATTEMPTS_LATEST; uint32 replaced (0 or 1), only with\n"
      "ATTEMPTS_MARKED. uint64 offsets: where the rows of each series start, and the total. Per series: uint64 points\n"
      "in the window, total of the chosen attempts, stored of all; float64 weight, only with smoothing > 0. `columns`\n"
      "limits the row columns, and so the cost.\n\n"
      "`smoothing` is the weight of the moving average from one point to the next; with `adaptive`, its half-life as "
      "a\n"
      "share of `visible`, or else of [start, stop]. weight is what was used; 0 for a series that stays as logged.\n\n"
      "ATTEMPTS_LATEST gives the current points of each series as one line; ATTEMPTS_ALL a line for each attempt with\n"
      "all its points; ATTEMPTS_MARKED a line for each attempt that lost points, of those, and then the current\n"
      "points. Lines are in order of x, then of arrival.\n\n"
      "Without start or stop, or with one that is NaN or infinite, the bound is that of all series together. On a\n"
      "time axis, points without a finite wall time are left out, but counted in total.");
}

}  // namespace seamark
