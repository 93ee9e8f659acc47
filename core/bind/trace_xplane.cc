// XPlane files as columns.
#include <nanobind/stl/unique_ptr.h>

#include "bind/trace.h"
#include "trace/read/xplane_messages.h"
#include "trace/read/xplane_scan.h"

namespace seamark {
namespace {

struct PyXPlaneScanner {
  TraceBuilder builder;
  XPlaneReport report;
  std::atomic<std::uint64_t> bytes_read = 0;
  mutable std::atomic_flag busy;

  ExclusiveUse use() const { return {busy, "XPlaneScanner"}; }
};

void scan(PyXPlaneScanner& self, nb::handle data) {
  const PinnedBuffer buffer(data);
  const ExclusiveUse use = self.use();
  nb::gil_scoped_release release;
  self.report = scan_xplane(buffer.bytes(), self.builder, &self.bytes_read);
}

std::unique_ptr<PyTraceColumns> finish(PyXPlaneScanner& self) {
  const ExclusiveUse use = self.use();
  nb::gil_scoped_release release;
  return std::make_unique<PyTraceColumns>(std::move(self.builder));
}

template <auto Member>
auto read(const PyXPlaneScanner& self) {
  const ExclusiveUse use = self.use();
  return self.report.*Member;
}

// Rows of (id, start, end).
nb::object to_table(const std::vector<MetadataPlace>& places) {
  auto rows = std::make_unique_for_overwrite<std::int64_t[]>(places.size() * 3);
  for (std::size_t i = 0; i < places.size(); ++i) {
    rows[3 * i] = places[i].id;
    rows[3 * i + 1] = places[i].start;
    rows[3 * i + 2] = places[i].end;
  }
  return to_array<std::int64_t>(std::move(rows), places.size() * 3);
}

nb::tuple index_places(nb::handle data) {
  const PinnedBuffer buffer(data);
  MetadataIndex index;
  {
    nb::gil_scoped_release release;
    index = index_metadata(buffer.bytes());
  }
  return nb::make_tuple(to_table(index.events), to_table(index.stats));
}

}  // namespace

void bind_trace_xplane(nb::module_& m) {
  nb::class_<PyXPlaneScanner>(m, "XPlaneScanner", "Reads the events of an XSpace.")
      .def(nb::init<>())
      .def("scan", scan, "data"_a, nb::sig("def scan(self, data: " SIG_BUFFER ") -> None"), "Once.")
      .def("finish", finish, "Once, after scan().")
      .def_prop_ro(
          "bytes_read", [](const PyXPlaneScanner& self) { return self.bytes_read.load(); }, "For any thread.")
      .def_prop_ro("bad_events", read<&XPlaneReport::bad_events>)
      .def_prop_ro("summed_events", read<&XPlaneReport::summed_events>)
      .def_prop_ro("unnamed_events", read<&XPlaneReport::unnamed_events>)
      .def_prop_ro("is_cut", read<&XPlaneReport::is_cut>)
      .def_prop_ro("is_corrupt", read<&XPlaneReport::is_corrupt>);
  m.def("index_xplane_metadata", index_places, "data"_a,
        nb::sig("def index_xplane_metadata(data: " SIG_BUFFER ") -> tuple[" SIG_I64 ", " SIG_I64 "]"),
        "Of the events and of the stats in a part of a plane: (id, start, end) of each, one after another, by id.");
}

}  // namespace seamark
