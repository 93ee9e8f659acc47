// Series over many stripes, their statistics and digests.
#include "columns/series.h"

#include <nanobind/stl/pair.h>

#include "bind/series.h"
#include "query/digest.h"
#include "query/line.h"
#include "query/segment_table.h"

namespace seamark {

std::vector<const Series*> series_of(const std::vector<nb::object>& list) {
  std::vector<const Series*> out;
  for (const nb::object& item : list) out.push_back(&nb::cast<const PySeries&>(item).series);
  return out;
}

namespace {

std::vector<PartSpan> to_spans(const nb::list& given) {
  std::vector<PartSpan> out;
  for (nb::handle item : given) {
    const auto span = nb::cast<nb::tuple>(item);
    out.push_back({nb::cast<std::size_t>(span[0]), nb::cast<std::uint64_t>(span[1]), nb::cast<std::uint32_t>(span[2]),
                   nb::cast<std::optional<std::int64_t>>(span[3])});
  }
  return out;
}

void make_view(PySeries* self, const nb::list& given_parts, const nb::list& spans) {
  std::vector<nb::object> stripes;
  std::vector<SeriesPart> parts;
  for (nb::handle part : given_parts) {
    const auto pair = nb::cast<nb::tuple>(part);
    parts.push_back(nb::cast<const PyStripe&>(pair[0]).view.find(nb::cast<std::uint32_t>(pair[1])));
    if (parts.back()) stripes.emplace_back(pair[0]);
  }
  // With the GIL: if this throws, the references in `stripes` are dropped.
  new (self) PySeries{std::move(stripes), make_series(parts, to_spans(spans))};
}

nb::tuple last_point(const PySeries& self) {
  Point last;
  {
    nb::gil_scoped_release release;
    last = self.series.last();
  }
  return nb::make_tuple(last.step, last.wall, last.value);
}

bool is_in_order_of(const PySeries& self, int attempts) {
  const Attempts choice = attempts_of(attempts);
  nb::gil_scoped_release release;
  return is_in_order(self.series, choice);
}

nb::tuple columns_of(const PySeries& self, bool all_attempts) {
  SeriesColumns columns;
  {
    nb::gil_scoped_release release;
    columns = self.series.columns(all_attempts);
  }
  const std::size_t rows = columns.rows;
  return nb::make_tuple(to_array(std::move(columns.steps), rows), to_array(std::move(columns.walls), rows),
                        to_array(std::move(columns.values), rows), to_array(std::move(columns.attempts), rows));
}

#define SEAMARK_PUT_COLUMN(type, name) out[#name] = collect<type>(rows, [](const auto& row) { return row.name; });

nb::dict series_stats(const std::vector<nb::object>& series) {
  const auto all = series_of(series);
  std::vector<SeriesStats> rows;
  {
    nb::gil_scoped_release release;
    for (const Series* one : all) rows.push_back(one->stats());
  }
  nb::dict out;
  SEAMARK_SERIES_STATS(SEAMARK_PUT_COLUMN)
  return out;
}

// Adds references to the stripes to `kept`.
RunSeries to_run(const nb::list& stripes, const nb::dict& spans, std::vector<nb::object>& kept) {
  RunSeries run;
  for (nb::handle part : stripes) {
    const auto pair = nb::cast<nb::tuple>(part);
    kept.emplace_back(pair[0]);
    run.stripes.push_back({&nb::cast<const PyStripe&>(pair[0]).view, nb::cast<std::vector<std::int64_t>>(pair[1])});
  }
  for (const auto& [series, given] : spans) {
    run.spans[nb::cast<std::size_t>(series)] = to_spans(nb::cast<nb::list>(given));
  }
  return run;
}

nb::dict digests(const std::vector<std::pair<nb::list, nb::dict>>& runs, std::size_t series, std::uint64_t tail) {
  std::vector<nb::object> kept;
  SegmentTable table(series);
  for (const auto& [stripes, spans] : runs) table.add(to_run(stripes, spans, kept));
  std::vector<Digest> rows;
  {
    nb::gil_scoped_release release;
    rows.reserve(table.size());
    for (std::size_t i = 0; i < table.size(); ++i) rows.push_back(digest(table[i], tail));
  }
  nb::dict out;
  SEAMARK_DIGEST_FIELDS(SEAMARK_PUT_COLUMN)
  return out;
}

}  // namespace

void bind_series(nb::module_& m) {
  nb::class_<PySeries>(m, "SeriesView", "One scalar series over the stripes of all its files, in order.")
      .def("__init__", make_view, "parts"_a, "spans"_a = nb::list(),
           nb::sig("def __init__(self, parts: list[tuple[Stripe, int]], spans: " SIG_SPANS " = ...) -> None"),
           "Each part is a stripe and the id of the series in it; stripes without that series are skipped.\n\n"
           "Spans assign rows to attempts, in order: (the part they start in, rows of the series after the start of\n"
           "that part, attempt, the first step that a later attempt replaced or None).")
      .def_prop_ro("count", [](const PySeries& self) { return self.series.count(); })
      .def_prop_ro(
          "current_count", [](const PySeries& self) { return points_of(self.series, Attempts::Latest); },
          "Points that no restart replaced.")
      .def_prop_ro(
          "attempts", [](const PySeries& self) { return self.series.attempts(); },
          "Attempts that have points of it, at least one.")
      .def("last", last_point, nb::sig("def last(self) -> tuple[int, float, float]"),
           "Step, wall time and value of the current point with the greatest step, the latest written among equals.\n"
           "ValueError if there is none.")
      .def("is_in_order", is_in_order_of, nb::kw_only(), "attempts"_a,
           "Whether the steps of every line of these attempts are in order of arrival, so that none has to be sorted.")
      .def(
          "columns", columns_of, nb::kw_only(), "all_attempts"_a,
          nb::sig("def columns(self, *, all_attempts: bool) -> tuple[" SIG_I64 ", " SIG_F64 ", " SIG_F64 ", " SIG_U32
                  "]"),
          "A copy of steps, wall times, values and attempts, in order of arrival; without `all_attempts`, only of the\n"
          "current points.");
  m.def(
      "series_stats", series_stats, "series"_a, nb::sig("def series_stats(series: list[SeriesView]) -> " SIG_TABLE),
      "One row per series: count and attempts of all its points, the rest of the current points.\n\n"
      "uint64 count, attempts; int64 first_step (the smallest), last_step (the greatest); float64 first_wall, "
      "last_wall,\nlast_value, min_value, max_value (over finite values); uint64 nan, posinf, neginf. Without points, "
      "integers are 0\nand the rest is NaN.");
  m.def(
      "digests", digests, "runs"_a, nb::kw_only(), "series"_a, "tail"_a,
      nb::sig("def digests(runs: list[tuple[list[tuple[Stripe, tuple[int, ...]]], dict[int, " SIG_SPANS
              "]]], *, series: int, tail: int) -> " SIG_TABLE),
      "`series` rows per run, over the current points in order of step.\n\n"
      "Each run is its stripes in order, each with the ids of the series in it, -1 where it has none of one; and the "
      "spans\nof the series that have any (see SeriesView).\n\n"
      "uint64 count; float64 first, last, min, max, mean, tail (the mean of the last `tail` points), min_step, "
      "max_step\n(where the extreme was reached first), last_step. Minimum, maximum and means are over finite values,\n"
      "NaN without any.");
}

}  // namespace seamark
