// Scanning the bytes of an event file.
#include "scan/scan.h"

#include "bind/bind.h"

namespace seamark {
namespace {

void restore(PyScanner* self, const nb::list& series, std::size_t max_rows) {
  Scanner scanner(max_rows);
  for (nb::handle entry : series) {
    const auto key = nb::cast<nb::tuple>(entry);
    const auto tag = nb::cast<nb::bytes>(key[0]);
    const auto metadata = nb::cast<nb::bytes>(key[2]);
    scanner.restore(view_of(tag), form_of(nb::cast<std::uint32_t>(key[1])), view_of(metadata));
  }
  new (self) PyScanner(std::move(scanner));
}

ScanResult scan(PyScanner& self, nb::handle data, std::uint64_t offset) {
  const PinnedBuffer buffer(data);
  const ExclusiveUse use = self.use();
  nb::gil_scoped_release release;
  return self.scanner.scan(buffer.bytes(), offset);
}

nb::list series_list(const PyScanner& self, std::size_t first) {
  const ExclusiveUse use = self.use();
  nb::list out;
  const auto& all = self.scanner.series();
  for (std::size_t i = first; i < all.size(); ++i) {
    out.append(nb::make_tuple(to_bytes(all[i].tag), static_cast<int>(all[i].form), to_bytes(all[i].metadata)));
  }
  return out;
}

nb::list session_starts(const PyScanner& self) {
  const ExclusiveUse use = self.use();
  nb::list out;
  for (const SessionStart& start : self.scanner.session_starts()) {
    nb::dict rows;
    for (std::size_t series = 0; series < start.rows_before.size(); ++series) {
      if (start.rows_before[series] > 0) rows[nb::int_(series)] = start.rows_before[series];
    }
    out.append(nb::make_tuple(start.step, start.wall_time, start.offset, rows));
  }
  return out;
}

nb::list take_problems(PyScanner& self) {
  const ExclusiveUse use = self.use();
  nb::list out;
  for (const Problem& problem : self.scanner.take_problems()) {
    out.append(
        nb::make_tuple(static_cast<int>(problem.code), problem.offset, problem.length, problem.got, problem.want));
  }
  return out;
}

nb::object take_stripe(PyScanner& self) {
  Block block;
  {
    const ExclusiveUse use = self.use();
    nb::gil_scoped_release release;
    block = self.scanner.take_stripe();
  }
  return block.size == 0 ? nb::none() : to_memoryview(std::move(block));
}

// A property of the scanner, read only while no other thread scans.
template <auto Getter>
auto read(const PyScanner& self) {
  const ExclusiveUse use = self.use();
  return (self.scanner.*Getter)();
}

}  // namespace

void bind_scan(nb::module_& m) {
  nb::class_<ScanResult>(m, "ScanResult")
      .def_ro("consumed", &ScanResult::consumed, "Bytes of whole records.")
      .def_prop_ro(
          "status", [](const ScanResult& self) { return static_cast<int>(self.status); }, "One of SCAN_…")
      .def_ro("needed_bytes", &ScanResult::needed_bytes,
              "With SCAN_INCOMPLETE: how many bytes from the start of the record would complete it.");
  nb::class_<PyScanner>(m, "Scanner", "Turns the bytes of one event file into stripes.")
      .def("__init__", restore, "series"_a = nb::list(), nb::kw_only(), "max_rows"_a = std::size_t{1} << 20,
           nb::sig("def __init__(self, series: " SIG_SERIES_KEYS " = ..., *, max_rows: int = 1048576) -> None"),
           "`series` is the result of series() of an earlier scan of the same file: new ids continue after them.")
      .def("scan", scan, "data"_a, "offset"_a,
           nb::sig("def scan(self, data: " SIG_BUFFER ", offset: int) -> ScanResult"),
           "Scans whole records; `offset` is the position of data[0] in the file.")
      .def("series", series_list, "first"_a = 0, nb::sig("def series(self, first: int = 0) -> " SIG_SERIES_KEYS),
           "(tag, form, SummaryMetadata of the tag's first value), from id `first` on.")
      .def("take_problems", take_problems, nb::sig("def take_problems(self) -> list[tuple[int, int, int, int, int]]"),
           "(code, offset of the record, length, got, want) since the last call, at most 1000.\n\n"
           "got and want are checksums for the CRC codes; for PROBLEM_BAD_VALUE the tensor's dtype and its number of\n"
           "elements; for PROBLEM_TOO_LONG the length and the maximum.")
      .def("session_starts", session_starts,
           nb::sig("def session_starts(self) -> list[tuple[int, float, int, dict[int, int]]]"),
           "Of each SessionLog with status START: step, wall time, offset, and how many scalar rows of each series\n"
           "were scanned before it; at most 256.")
      .def("take_stripe", take_stripe, nb::sig("def take_stripe(self) -> memoryview | None"),
           "Groups the pending rows and returns them; None if there are none.")
      .def_prop_ro("events", read<&Scanner::events>)
      .def_prop_ro("first_wall", read<&Scanner::first_wall>,
                   "Wall time of the first event that has a finite one; NaN before that.")
      .def_prop_ro("problem_count", read<&Scanner::problem_count>)
      .def_prop_ro("series_count",
                   [](const PyScanner& self) {
                     const ExclusiveUse use = self.use();
                     return self.scanner.series().size();
                   })
      .def_prop_ro("file_version", [](const PyScanner& self) {
        const ExclusiveUse use = self.use();
        return to_bytes(self.scanner.file_version());
      });
}

}  // namespace seamark
