// What was read: stripes, series, and questions about them.
#include <nanobind/stl/pair.h>

#include <optional>
#include <unordered_map>

#include "../decimate.h"
#include "../digest.h"
#include "../smooth.h"
#include "../stripe.h"
#include "bind.h"

namespace seamark {
namespace {

struct PyStripe {
  PyStripe(nb::handle data, bool verify) : lease(data) {
    // Without checksums it is over before another thread could begin something.
    std::optional<nb::gil_scoped_release> release;
    if (verify) release.emplace();
    if (auto problem = StripeView::open(lease.bytes(), verify, view)) throw std::invalid_argument(*problem);
  }
  Lease lease;
  StripeView view;
};

nb::tuple to_ranges(const std::vector<StepRange>& ranges) {
  return nb::make_tuple(collect<std::int64_t>(ranges, [](const StepRange& range) { return range.min; }),
                        collect<std::int64_t>(ranges, [](const StepRange& range) { return range.max; }));
}

struct PySeries {
  PySeries(std::vector<nb::object> kept, Series made) : stripes(std::move(kept)), series(std::move(made)) {}
  std::vector<nb::object> stripes;  // keeps what `series` points into alive
  Series series;
};

}  // namespace

void bind_stripe(nb::module_& m) {
  nb::class_<PyStripe>(m, "Stripe")
      .def("__init__", [](PyStripe* self, nb::handle data, bool verify) { new (self) PyStripe(data, verify); }, "data"_a,
           nb::kw_only(), "verify"_a = false)
      .def_prop_ro("nbytes", [](const PyStripe& self) { return self.view.size(); })
      .def_prop_ro("scalar_rows", [](const PyStripe& self) { return self.view.steps().size(); })
      .def_prop_ro("payload_rows", [](const PyStripe& self) { return self.view.payload_steps().size(); })
      .def_prop_ro("last_wall", [](const PyStripe& self) {
        nb::gil_scoped_release release;
        return self.view.last_wall();
      })
      .def("max_step", [](const PyStripe& self, const std::vector<std::uint32_t>& skipped) {
        nb::gil_scoped_release release;
        return self.view.max_step(skipped);
      }, "skipped"_a)
      .def("scalar_groups", [](const PyStripe& self) { return to_groups(self.view.scalar_groups()); })
      .def("payload_groups", [](const PyStripe& self) { return to_groups(self.view.payload_groups()); })
      .def("scalar_step_ranges", [](const PyStripe& self) { return to_ranges(self.view.scalar_step_ranges()); })
      .def("payload_step_ranges", [](const PyStripe& self) { return to_ranges(self.view.payload_step_ranges()); })
      .def("scalars", [](nb::handle owner) {
        const StripeView& view = nb::cast<const PyStripe&>(owner).view;
        return nb::make_tuple(to_view(view.steps(), owner), to_view(view.walls(), owner), to_view(view.values(), owner));
      })
      .def("payloads", [](nb::handle owner) {
        const StripeView& view = nb::cast<const PyStripe&>(owner).view;
        return nb::make_tuple(to_view(view.payload_steps(), owner), to_view(view.payload_walls(), owner),
                              to_view(view.payload_offsets(), owner), to_view(view.payload_lengths(), owner));
      });
  m.def("stripe_size", [](nb::handle header) {
    const Lease lease(header);
    std::uint64_t size = 0;
    if (auto problem = stripe_size(lease.bytes(), size)) throw std::invalid_argument(*problem);
    return size;
  }, "header"_a);
  m.def("merge_stripes", [](const std::vector<nb::object>& stripes) {
    std::vector<const StripeView*> views;
    for (const nb::object& stripe : stripes) views.push_back(&nb::cast<const PyStripe&>(stripe).view);
    Block block;
    {
      nb::gil_scoped_release release;
      block = merge_stripes(views);
    }
    return to_memory(std::move(block));
  }, "stripes"_a);
}

namespace {

nb::tuple stats_tuple(const SeriesStats& stats) {
  return nb::make_tuple(stats.count, stats.attempts, stats.first_step, stats.last_step,
                        stats.first_wall, stats.last_wall, stats.last_value, stats.finite_min, stats.finite_max, stats.nan,
                        stats.posinf, stats.neginf);
}

nb::dict stats_columns(const std::vector<SeriesStats>& all) {
  nb::dict out;
  const auto put = [&]<class T>(const char* name, T SeriesStats::* member) {
    out[name] = collect<T>(all, [&](const SeriesStats& stats) { return stats.*member; });
  };
  put("count", &SeriesStats::count);
  put("attempts", &SeriesStats::attempts);
  put("first_step", &SeriesStats::first_step);
  put("last_step", &SeriesStats::last_step);
  put("first_wall", &SeriesStats::first_wall);
  put("last_wall", &SeriesStats::last_wall);
  put("last_value", &SeriesStats::last_value);
  put("finite_min", &SeriesStats::finite_min);
  put("finite_max", &SeriesStats::finite_max);
  put("nan", &SeriesStats::nan);
  put("posinf", &SeriesStats::posinf);
  put("neginf", &SeriesStats::neginf);
  return out;
}

nb::dict digest_columns(const std::vector<Digest>& all) {
  nb::dict out;
  const auto put = [&]<class T>(const char* name, T Digest::* member) {
    out[name] = collect<T>(all, [&](const Digest& one) { return one.*member; });
  };
  put("count", &Digest::count);
  put("first", &Digest::first);
  put("last", &Digest::last);
  put("min", &Digest::min);
  put("max", &Digest::max);
  put("mean", &Digest::mean);
  put("tail", &Digest::tail);
  put("min_step", &Digest::min_step);
  put("max_step", &Digest::max_step);
  put("last_step", &Digest::last_step);
  return out;
}

// The caller's vector holds a reference to each: another thread may empty the list it came from meanwhile.
std::vector<const Series*> series_of(const std::vector<nb::object>& list) {
  std::vector<const Series*> out;
  for (const nb::object& item : list) out.push_back(&nb::cast<const PySeries&>(item).series);
  return out;
}

// (part, row behind that part's first one, attempt, the step from which on it was replaced or None), with the first row
// of each part of this series.
std::vector<Span> spans_of(const nb::list& given, const std::vector<std::uint64_t>& part_rows) {
  std::vector<Span> out;
  for (nb::handle item : given) {
    const auto span = nb::cast<nb::tuple>(item);
    const auto part = nb::cast<std::size_t>(span[0]);
    if (part >= part_rows.size()) throw std::invalid_argument("a span begins behind the last part");
    Span& made = out.emplace_back();
    made.begin = part_rows[part] + nb::cast<std::uint64_t>(span[1]);
    made.attempt = nb::cast<std::uint32_t>(span[2]);
    if (!span[3].is_none()) made.replaced_from = nb::cast<std::int64_t>(span[3]);
  }
  return out;
}

// Many series of many runs. An object for each would take longer to make than its few numbers.
class SegmentTable {
 public:
  // Of each run its stripes in order, each with as many ids as there are series, below zero where it has none of it; and
  // the spans of those series that have some.
  SegmentTable(const std::vector<std::pair<nb::list, nb::dict>>& runs, std::size_t series) {
    for (const auto& [run, spans] : runs) {
      std::vector<std::pair<const StripeView*, std::vector<std::int64_t>>> parts;
      for (nb::handle part : run) {
        const auto pair = nb::cast<nb::tuple>(part);
        kept_.emplace_back(pair[0]);
        parts.emplace_back(&nb::cast<const PyStripe&>(pair[0]).view, nb::cast<std::vector<std::int64_t>>(pair[1]));
        if (parts.back().second.size() != series) throw std::invalid_argument("want an id for every series");
      }
      for (std::size_t at = 0; at < series; ++at) {
        std::vector<std::uint64_t> rows{0};
        for (const auto& [stripe, ids] : parts) {
          rows.push_back(rows.back());
          if (ids[at] < 0) continue;
          const auto segment = stripe->find(static_cast<std::uint32_t>(ids[at]));
          if (!segment) continue;
          segments_.push_back(*segment);
          rows.back() += segment->count;
        }
        const nb::int_ key(at);
        if (spans.size() > 0 && spans.contains(key)) spans_[ends_.size()] = spans_of(nb::cast<nb::list>(spans[key]), rows);
        ends_.push_back(segments_.size());
      }
    }
  }

  std::size_t size() const { return ends_.size(); }
  Series operator[](std::size_t at) const {
    const auto begin = segments_.begin();
    const auto spans = spans_.find(at);
    return Series({begin + static_cast<std::ptrdiff_t>(at == 0 ? 0 : ends_[at - 1]), begin + static_cast<std::ptrdiff_t>(ends_[at])},
                  spans == spans_.end() ? std::vector<Span>{} : spans->second);
  }

 private:
  std::vector<nb::object> kept_;  // keeps what the segments point into alive
  std::vector<Segment> segments_;
  std::vector<std::size_t> ends_;
  std::unordered_map<std::size_t, std::vector<Span>> spans_;
};

nb::tuple to_tuple(SeriesColumns columns) {
  const std::size_t rows = columns.rows;
  return nb::make_tuple(to_array(std::move(columns.steps), rows), to_array(std::move(columns.walls), rows),
                        to_array(std::move(columns.values), rows), to_array(std::move(columns.attempts), rows));
}

}  // namespace

void bind_series(nb::module_& m) {
  nb::class_<PySeries>(m, "SeriesView")
      .def("__init__", [](PySeries* self, const nb::list& parts, const nb::list& given) {
        std::vector<nb::object> kept;
        std::vector<Segment> segments;
        std::vector<std::uint64_t> rows{0};
        for (nb::handle part : parts) {
          const auto pair = nb::cast<nb::tuple>(part);
          const auto segment = nb::cast<const PyStripe&>(pair[0]).view.find(nb::cast<std::uint32_t>(pair[1]));
          rows.push_back(rows.back() + (segment ? segment->count : 0));
          if (!segment) continue;
          segments.push_back(*segment);
          kept.emplace_back(pair[0]);
        }
        std::vector<Span> spans = spans_of(given, rows);
        nb::gil_scoped_release release;
        new (self) PySeries(std::move(kept), Series(std::move(segments), std::move(spans)));
      }, "parts"_a, "spans"_a = nb::list())
      .def_prop_ro("count", [](const PySeries& self) { return self.series.count(); })
      .def_prop_ro("counted", [](const PySeries& self) { return points_of(self.series, Attempts::Latest); })
      .def_prop_ro("attempts", [](const PySeries& self) { return self.series.attempts(); })
      .def("last", [](const PySeries& self) {
        Point last;
        {
          nb::gil_scoped_release release;
          last = self.series.last();
        }
        return nb::make_tuple(last.step, last.wall, last.value);
      })
      .def("is_in_order", [](const PySeries& self, int attempts) {
        const Attempts choice = attempts_of(attempts);
        nb::gil_scoped_release release;
        return is_in_order(self.series, choice);
      }, nb::kw_only(), "attempts"_a)
      .def("stats", [](const PySeries& self) {
        SeriesStats stats;
        {
          nb::gil_scoped_release release;
          stats = self.series.stats();
        }
        return stats_tuple(stats);
      })
      .def("columns", [](const PySeries& self, bool all_attempts) {
        SeriesColumns columns;
        {
          nb::gil_scoped_release release;
          columns = self.series.columns(all_attempts);
        }
        return to_tuple(std::move(columns));
      }, nb::kw_only(), "all_attempts"_a);
  m.def("series_stats", [](const std::vector<nb::object>& series) {
    const auto all = series_of(series);
    std::vector<SeriesStats> stats;
    {
      nb::gil_scoped_release release;
      for (const Series* one : all) stats.push_back(one->stats());
    }
    return stats_columns(stats);
  }, "series"_a);
  m.def("digests", [](const std::vector<std::pair<nb::list, nb::dict>>& runs, std::size_t series, std::uint64_t tail) {
    const SegmentTable table(runs, series);
    std::vector<Digest> found;
    {
      nb::gil_scoped_release release;
      found.reserve(table.size());
      for (std::size_t at = 0; at < table.size(); ++at) found.push_back(digest(table[at], tail));
    }
    return digest_columns(found);
  }, "runs"_a, nb::kw_only(), "series"_a, "tail"_a);
}

namespace {

ColumnSet columns_named(const std::vector<std::string>& names) {
  ColumnSet columns = 0;
  for (const std::string& name : names) columns |= column_named(name);
  return columns;
}

nb::dict window_columns(Window found) {
  nb::dict out;
  const auto put = [&](const char* name, auto column, std::size_t size) {
    if (column) out[name] = to_array(std::move(column), size);
  };
  const std::size_t rows = found.rows;
  put("offsets", std::move(found.offsets), found.series + 1);
  put("step", std::move(found.step), rows);
  put("step_last", std::move(found.step_last), rows);
  put("wall", std::move(found.wall), rows);
  put("wall_last", std::move(found.wall_last), rows);
  put("first", std::move(found.first), rows);
  put("last", std::move(found.last), rows);
  put("min", std::move(found.min), rows);
  put("max", std::move(found.max), rows);
  put("mean", std::move(found.mean), rows);
  put("count", std::move(found.count), rows);
  put("nan", std::move(found.nan), rows);
  put("posinf", std::move(found.posinf), rows);
  put("neginf", std::move(found.neginf), rows);
  put("smoothed", std::move(found.smoothed), rows);
  put("attempt", std::move(found.attempt), rows);
  put("replaced", std::move(found.replaced), rows);
  put("points", std::move(found.points), found.series);
  put("total", std::move(found.total), found.series);
  put("stored", std::move(found.stored), found.series);
  return out;
}

}  // namespace

void bind_queries(nb::module_& m) {
  m.def("window", [](const std::vector<nb::object>& series, int axis, std::optional<double> start, std::optional<double> stop,
                     std::uint64_t max_points, double smoothing, int attempts, bool edges,
                     const std::optional<std::vector<std::string>>& columns) {
    WindowQuery query{axis_of(axis), start, stop, max_points, smoothing, attempts_of(attempts), edges};
    if (columns) query.columns = columns_named(*columns);
    const auto all = series_of(series);
    Window found;
    {
      nb::gil_scoped_release release;
      found = window(all, query);
    }
    return window_columns(std::move(found));
  }, "series"_a, nb::kw_only(), "axis"_a, "start"_a.none(), "stop"_a.none(), "max_points"_a, "smoothing"_a,
     "attempts"_a, "edges"_a, "columns"_a = nb::none());
  m.def("smooth", [](const Array<double>& values, double weight) {
    auto out = std::make_unique_for_overwrite<double[]>(values.shape(0));
    {
      nb::gil_scoped_release release;
      smooth(span_of(values), weight, out.get());
    }
    return to_array(std::move(out), values.shape(0));
  }, "values"_a, "weight"_a);
}

}  // namespace seamark
