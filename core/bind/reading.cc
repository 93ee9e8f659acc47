// Finding event files, and reading them.
#include <cerrno>

#include "../disk/file_map.h"
#include "../disk/file_reader.h"
#include "../disk/walk.h"
#include "../scan.h"
#include "bind.h"

namespace seamark {
namespace {

struct PyScanner {
  PyScanner(const nb::list& series, std::size_t max_rows) : scanner(max_rows) {
    for (nb::handle entry : series) {
      const auto key = nb::cast<nb::tuple>(entry);
      const auto tag = nb::cast<nb::bytes>(key[0]);
      const auto metadata = nb::cast<nb::bytes>(key[2]);
      scanner.restore(view_of(tag), form_of(nb::cast<std::uint32_t>(key[1])), view_of(metadata));
    }
  }
  Scanner scanner;
  mutable std::atomic_flag busy;
};

nb::list series_list(const PyScanner& self, std::size_t first) {
  const Turn turn(self.busy);
  nb::list out;
  const auto& all = self.scanner.series();
  for (std::size_t i = first; i < all.size(); ++i) {
    out.append(nb::make_tuple(to_bytes(all[i].tag), static_cast<int>(all[i].form), to_bytes(all[i].metadata)));
  }
  return out;
}

nb::list session_starts(const PyScanner& self) {
  const Turn turn(self.busy);
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

nb::list problem_list(PyScanner& self) {
  const Turn turn(self.busy);
  nb::list out;
  for (const Problem& problem : self.scanner.take_problems()) {
    out.append(nb::make_tuple(static_cast<int>(problem.code), problem.offset, problem.length, problem.got, problem.want));
  }
  return out;
}

}  // namespace

void bind_scanner(nb::module_& m) {
  nb::class_<PyScanner>(m, "Scanner")
      .def("__init__", [](PyScanner* self, const nb::list& series, std::size_t max_rows) {
        new (self) PyScanner(series, max_rows);
      }, "series"_a = nb::list(), nb::kw_only(), "max_rows"_a = std::size_t{1} << 20)
      .def("scan", [](PyScanner& self, nb::handle data, std::uint64_t offset) {
        const Lease lease(data);
        nb::gil_scoped_release release;
        const Turn turn(self.busy);
        return self.scanner.scan(lease.bytes(), offset);
      }, "data"_a, "offset"_a)
      .def("series", series_list, "first"_a = 0)
      .def("take_problems", problem_list)
      .def("session_starts", session_starts)
      .def("take_stripe", [](PyScanner& self) -> nb::object {
        Block block;
        {
          nb::gil_scoped_release release;
          const Turn turn(self.busy);
          block = self.scanner.take_stripe();
        }
        return block.size == 0 ? nb::none() : to_memory(std::move(block));
      })
      .def_prop_ro("status", [](const PyScanner& self) { return static_cast<int>(self.scanner.status()); })
      .def_prop_ro("needed", [](const PyScanner& self) { return self.scanner.needed(); })
      .def_prop_ro("pending_rows", [](const PyScanner& self) { return self.scanner.pending_rows(); })
      .def_prop_ro("events", [](const PyScanner& self) { return self.scanner.events(); })
      .def_prop_ro("records", [](const PyScanner& self) { return self.scanner.records(); })
      .def_prop_ro("first_wall", [](const PyScanner& self) { return self.scanner.first_wall(); })
      .def_prop_ro("series_count", [](const PyScanner& self) { return self.scanner.series().size(); })
      .def_prop_ro("problem_count", [](const PyScanner& self) { return self.scanner.problem_count(); })
      .def_prop_ro("file_version", [](const PyScanner& self) {
        const Turn turn(self.busy);
        return to_bytes(self.scanner.file_version());
      })
      .def_prop_ro("source_writer", [](const PyScanner& self) {
        const Turn turn(self.busy);
        return to_bytes(self.scanner.source_writer());
      });
}

namespace {

nb::tuple to_ends(const Ends& ends) {
  return nb::make_tuple(nb::make_tuple(ends.head.length, ends.head.crc), nb::make_tuple(ends.tail.length, ends.tail.crc));
}

nb::tuple read_file(FileReader& self, int file, PyScanner& scanner, std::uint64_t start, std::uint64_t size, std::uint64_t budget) {
  FileNews news;
  {
    nb::gil_scoped_release release;
    const Turn turn(scanner.busy);
    news = self.read(file, scanner.scanner, start, size, budget);
  }
  if (news.error != 0) {
    errno = news.error;
    PyErr_SetFromErrno(PyExc_OSError);
    throw nb::python_error();
  }
  nb::list stripes;
  for (Block& stripe : news.stripes) stripes.append(to_memory(std::move(stripe)));
  return nb::make_tuple(news.position, news.has_more, stripes, to_ends(news.ends));
}

// As Python spells names of files, whatever bytes they are.
nb::object to_name(const std::string& name) {
  return nb::steal(PyUnicode_DecodeFSDefaultAndSize(name.data(), static_cast<Py_ssize_t>(name.size())));
}

std::string from_name(nb::handle name) {
  const auto bytes = nb::steal<nb::bytes>(PyUnicode_EncodeFSDefault(name.ptr()));
  if (!bytes.is_valid()) throw nb::python_error();
  return {bytes.c_str(), bytes.size()};
}

nb::tuple walk_folder(nb::str root, nb::str start, const std::string& mark, const std::string& empty, const std::string& skipped) {
  const std::string from = from_name(root), below = from_name(start);
  Walk found;
  {
    nb::gil_scoped_release release;
    found = walk(from, below, {mark, empty, skipped});
  }
  nb::list files, empty_runs, links, unreadable;
  const std::string* before = nullptr;
  nb::object folder;
  for (const EventFileFound& file : found.files) {
    if (before == nullptr || *before != file.folder) folder = to_name(file.folder);
    before = &file.folder;
    files.append(nb::make_tuple(folder, to_name(file.name), file.device, file.inode, file.size, file.mtime_ns));
  }
  for (const std::string& run : found.empty_runs) empty_runs.append(to_name(run));
  for (const std::string& link : found.links) links.append(to_name(link));
  for (const auto& [name, error] : found.unreadable) unreadable.append(nb::make_tuple(to_name(name), error));
  return nb::make_tuple(files, empty_runs, links, unreadable, found.is_missing, found.has_vanished);
}

}  // namespace

void bind_disk(nb::module_& m) {
  nb::class_<FileReader>(m, "FileReader")
      .def(nb::init<std::size_t>(), "block_size"_a)
      .def("read", read_file, "file"_a, "scanner"_a, "start"_a, "size"_a, "budget"_a);
  nb::class_<FileMap>(m, "FileMap")
      .def("__init__", [](FileMap* self, int file, std::size_t length) {
        new (self) FileMap(file, length);
        if (self->error() == 0) return;
        errno = self->error();
        PyErr_SetFromErrno(PyExc_OSError);
        throw nb::python_error();
      }, "file"_a, "length"_a)
      .def_prop_ro("is_lost", &FileMap::is_lost)
      .def("memory", [](nb::handle self) {
        const Bytes bytes = nb::cast<const FileMap&>(self).bytes();
        return nb::cast(nb::ndarray<nb::memview, const std::uint8_t, nb::ndim<1>>(bytes.data(), {bytes.size()}, self),
                        nb::rv_policy::reference);
      });
  m.def("lost_maps", lost_maps);
  m.def("walk", walk_folder, "root"_a, "start"_a, nb::kw_only(), "event_mark"_a, "empty_end"_a, "skipped"_a);
  m.def("ends_of", [](int file, std::uint64_t consumed) {
    Ends ends;
    {
      nb::gil_scoped_release release;
      ends = ends_of(file, consumed);
    }
    return to_ends(ends);
  }, "file"_a, "consumed"_a);
}

}  // namespace seamark
