// Queries of traces: windows, search, sums and trees.
#include "trace/query/window.h"

#include "bind/bind.h"
#include "trace/query/area.h"
#include "trace/query/search.h"
#include "trace/query/stacks.h"

#define SIG_U8 "numpy.typing.NDArray[numpy.uint8]"
#define SIG_LEVELS "tuple[numpy.typing.NDArray[numpy.uint32], ...]"
#define SIG_COLUMNS "start: " SIG_I64 ", duration: " SIG_I64 ", name: " SIG_U32 ", row_start: " SIG_I64
#define SIG_AREA "rows: " SIG_I64 ", from_ns: int, to_ns: int"

namespace seamark {
namespace {

template <class T>
nb::object to_array(std::vector<T>&& column) {
  auto owned = std::make_unique<std::vector<T>>(std::move(column));
  T* data = owned->data();
  const std::size_t size = owned->size();
  nb::capsule owner(owned.get(), [](void* vector) noexcept { delete static_cast<std::vector<T>*>(vector); });
  owned.release();
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, owner), nb::rv_policy::reference);
}

nb::tuple longest_levels(const Array<std::int64_t>& duration) {
  std::vector<std::vector<std::uint32_t>> levels;
  {
    nb::gil_scoped_release release;
    levels = build_longest(span_of(duration));
  }
  nb::list out;
  for (auto& level : levels) out.append(to_array(std::move(level)));
  return nb::tuple(out);
}

// The columns of a trace and the levels above them, which stay in memory meanwhile.
class TraceSlices {
 public:
  TraceSlices(Array<std::int64_t> start, Array<std::int64_t> duration, Array<std::uint32_t> name,
              Array<std::int64_t> row_start, Array<std::int32_t> row_track, Array<std::int32_t> parent,
              std::vector<Array<std::uint32_t>> levels)
      : start_(std::move(start)),
        duration_(std::move(duration)),
        name_(std::move(name)),
        row_start_(std::move(row_start)),
        row_track_(std::move(row_track)),
        parent_(std::move(parent)),
        levels_(std::move(levels)),
        columns_{span_of(start_), span_of(duration_), span_of(name_), span_of(row_start_)},
        longest_(columns_.duration, spans_of(levels_)) {
    check_slices(columns_);
  }

  nb::dict window(const Array<std::uint8_t>& activity_of_name, const Array<std::int64_t>& rows, std::int64_t from,
                  std::int64_t to, std::size_t width) const {
    TraceWindow found;
    {
      nb::gil_scoped_release release;
      found = trace_window(columns_, longest_, span_of(activity_of_name), {span_of(rows), from, to, width});
    }
    nb::dict out;
    out["row"] = to_array(std::move(found.row));
    out["start"] = to_array(std::move(found.start));
    out["duration"] = to_array(std::move(found.duration));
    out["name"] = to_array(std::move(found.name));
    out["activity"] = to_array(std::move(found.activity));
    out["slice"] = to_array(std::move(found.slice));
    out["count"] = to_array(std::move(found.count));
    return out;
  }

  nb::tuple search(const Array<std::uint8_t>& is_match, std::size_t limit) const {
    SliceMatches found;
    {
      nb::gil_scoped_release release;
      found = search_slices(columns_, span_of(is_match), limit);
    }
    return nb::make_tuple(to_array(std::move(found.slices)), found.total, found.longest);
  }

  nb::dict sums(const Array<std::uint32_t>& group_of_name, std::size_t groups, const Array<std::int64_t>& rows,
                std::int64_t from, std::int64_t to) const {
    AreaSums found;
    {
      nb::gil_scoped_release release;
      found = sum_area(columns_, span_of(parent_), span_of(row_track_), span_of(group_of_name), groups,
                       {span_of(rows), from, to});
    }
    nb::dict out;
    out["count"] = to_array(std::move(found.count));
    out["total"] = to_array(std::move(found.total));
    out["self"] = to_array(std::move(found.self));
    out["longest"] = to_array(std::move(found.longest));
    out["track"] = to_array(std::move(found.track));
    return out;
  }

  std::int64_t busy(const Array<std::uint8_t>& is_busy, const Array<std::int64_t>& rows, std::int64_t from,
                    std::int64_t to) const {
    nb::gil_scoped_release release;
    return busy_time(columns_, span_of(is_busy), {span_of(rows), from, to});
  }

  nb::tuple stacks(const Array<std::int64_t>& slices, std::int64_t from, std::int64_t to, std::size_t max_nodes) const {
    StackNodes found;
    {
      nb::gil_scoped_release release;
      found = build_stacks(columns_, span_of(parent_), {span_of(slices), from, to, max_nodes});
    }
    nb::dict out;
    out["parent"] = to_array(std::move(found.parent));
    out["name"] = to_array(std::move(found.name));
    out["calls"] = to_array(std::move(found.calls));
    out["total"] = to_array(std::move(found.total));
    out["self"] = to_array(std::move(found.self));
    out["longest"] = to_array(std::move(found.longest));
    return nb::make_tuple(out, to_array(std::move(found.node_of_slice)), found.is_cut);
  }

 private:
  static std::vector<std::span<const std::uint32_t>> spans_of(const std::vector<Array<std::uint32_t>>& levels) {
    std::vector<std::span<const std::uint32_t>> spans;
    for (const auto& level : levels) spans.push_back(span_of(level));
    return spans;
  }

  Array<std::int64_t> start_, duration_;
  Array<std::uint32_t> name_;
  Array<std::int64_t> row_start_;
  Array<std::int32_t> row_track_, parent_;
  std::vector<Array<std::uint32_t>> levels_;
  SliceColumns columns_;
  LongestView longest_;
};

}  // namespace

void bind_trace_window(nb::module_& m) {
  m.def("build_longest", longest_levels, "duration"_a,
        nb::sig("def build_longest(duration: " SIG_I64 ") -> " SIG_LEVELS),
        "The index of the longest slice of each block of 16, of each block of 256, …, for TraceSlices.");
  nb::class_<TraceSlices>(m, "TraceSlices", "The slices of a trace, for queries. Immutable; for any thread.")
      .def(nb::init<Array<std::int64_t>, Array<std::int64_t>, Array<std::uint32_t>, Array<std::int64_t>,
                    Array<std::int32_t>, Array<std::int32_t>, std::vector<Array<std::uint32_t>>>(),
           nb::kw_only(), "start"_a, "duration"_a, "name"_a, "row_start"_a, "row_track"_a, "parent"_a, "longest"_a,
           nb::sig("def __init__(self, *, " SIG_COLUMNS ", row_track: " SIG_I32 ", parent: " SIG_I32
                   ", longest: collections.abc.Sequence[numpy.typing.NDArray[numpy.uint32]]) -> None"),
           "The columns as in seamark.profiles.form.Trace. Raises ValueError if they do not fit together.")
      .def("window", &TraceSlices::window, "activity_of_name"_a, "rows"_a, "from_ns"_a, "to_ns"_a, "width"_a,
           nb::sig("def window(self, activity_of_name: " SIG_U8 ", " SIG_AREA ", width: int) -> " SIG_TABLE),
           "The slices of some rows between two times; those narrower than a pixel are merged into blocks.\n\n"
           "Columns: int32 row; int64 start, duration; uint32 name; uint8 activity; uint32 slice (of a block: the\n"
           "longest one, which also gives name and activity), count.")
      .def("search", &TraceSlices::search, "is_match"_a, "limit"_a,
           nb::sig("def search(self, is_match: " SIG_U8 ", limit: int) -> tuple[" SIG_U32 ", int, int]"),
           "The slices whose name is marked: the first `limit` by start, how many there are, the longest or -1.")
      .def("sums", &TraceSlices::sums, "group_of_name"_a, "groups"_a, "rows"_a, "from_ns"_a, "to_ns"_a,
           nb::sig("def sums(self, group_of_name: " SIG_U32 ", groups: int, " SIG_AREA ") -> " SIG_TABLE),
           "Sums over the slices of some tracks between two times, for each group of names; without groups for each\n"
           "track. int64 count, total, self (clipped), longest (-1: no slice); int32 track (-1: several).")
      .def("busy", &TraceSlices::busy, "is_busy"_a, "rows"_a, "from_ns"_a, "to_ns"_a,
           nb::sig("def busy(self, is_busy: " SIG_U8 ", " SIG_AREA ") -> int"),
           "How long at least one slice runs whose name is marked.")
      .def(
          "stacks", &TraceSlices::stacks, "slices"_a, "from_ns"_a, "to_ns"_a, "max_nodes"_a,
          nb::sig("def stacks(self, slices: " SIG_I64 ", from_ns: int, to_ns: int, max_nodes: int) -> tuple[" SIG_TABLE
                  ", " SIG_I32 ", bool]"),
          "Slices as a tree of names. One entry for each node, parents first: int32 parent (-1: a root); uint32 name;\n"
          "int64 calls, total, self, longest. Also the node of each slice of the trace (-1: none), and whether\n"
          "`max_nodes` cut the tree.");
}

}  // namespace seamark
