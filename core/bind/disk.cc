// Finding, reading and mapping files.
#include "bind/bind.h"
#include "disk/file_map.h"
#include "disk/file_reader.h"
#include "disk/walk.h"

namespace seamark {
namespace {

struct PyFileReader {
  explicit PyFileReader(std::size_t block_size) : reader(block_size) {}
  FileReader reader;
  std::atomic_flag busy;
};

nb::tuple to_tuple(const FileFingerprint& fingerprint) {
  const auto& [head, tail] = fingerprint;
  return nb::make_tuple(nb::make_tuple(head.length, head.crc), nb::make_tuple(tail.length, tail.crc));
}

nb::list to_list(std::vector<Block>& stripes) {
  nb::list out;
  for (Block& stripe : stripes) out.append(to_memoryview(std::move(stripe)));
  return out;
}

nb::tuple read_file(PyFileReader& self, int file, PyScanner& scanner, std::uint64_t start, std::uint64_t size,
                    std::uint64_t budget) {
  auto result = [&] {
    const ExclusiveUse use_reader(self.busy, "FileReader");
    const ExclusiveUse use_scanner = scanner.use();
    nb::gil_scoped_release release;
    return self.reader.read(file, scanner.scanner, start, size, budget);
  }();
  if (!result) raise(result.error());
  return nb::make_tuple(result->position, result->has_more, to_list(result->stripes), to_tuple(result->fingerprint));
}

nb::tuple fingerprint(int file, std::uint64_t consumed) {
  FileFingerprint found;
  {
    nb::gil_scoped_release release;
    found = fingerprint_file(file, consumed);
  }
  return to_tuple(found);
}

void open_map(FileMap* self, int file, std::size_t length) {
  auto map = FileMap::open(file, length);
  if (!map) raise(map.error());
  new (self) FileMap(std::move(*map));
}

nb::object memory_of(nb::handle map) {
  const Bytes bytes = nb::cast<const FileMap&>(map).bytes();
  return nb::cast(nb::ndarray<nb::memview, const std::uint8_t, nb::ndim<1>>(bytes.data(), {bytes.size()}, map),
                  nb::rv_policy::reference);
}

// Python's form of file names, whatever bytes they contain.
nb::object to_name(const std::string& name) {
  return nb::steal(PyUnicode_DecodeFSDefaultAndSize(name.data(), static_cast<Py_ssize_t>(name.size())));
}

std::string from_name(nb::handle name) {
  const auto bytes = nb::steal<nb::bytes>(PyUnicode_EncodeFSDefault(name.ptr()));
  if (!bytes.is_valid()) throw nb::python_error();
  return {bytes.c_str(), bytes.size()};
}

nb::tuple open_and_read(PyFileReader& self, nb::str path, PyScanner& scanner, std::uint64_t budget) {
  const std::string name = from_name(path);
  auto opened = [&] {
    const ExclusiveUse use_reader(self.busy, "FileReader");
    const ExclusiveUse use_scanner = scanner.use();
    nb::gil_scoped_release release;
    return self.reader.open_and_read(name, scanner.scanner, budget);
  }();
  if (!opened) raise(opened.error());
  const auto& [device, inode, size, mtime_ns] = opened->status;
  ReadResult& result = opened->result;
  return nb::make_tuple(nb::make_tuple(device, inode, size, mtime_ns), result.position, result.has_more,
                        to_list(result.stripes), to_tuple(result.fingerprint));
}

nb::tuple walk_folder(nb::str root, nb::str start, const std::string& event_file_mark,
                      const std::string& empty_run_suffix, const std::string& skipped) {
  const std::string root_name = from_name(root), start_name = from_name(start);
  WalkResult found;
  {
    nb::gil_scoped_release release;
    found = walk(root_name, start_name, {event_file_mark, empty_run_suffix, skipped});
  }
  nb::list files, empty_runs, links, unreadable;
  const std::string* previous = nullptr;
  nb::object folder;
  for (const FoundEventFile& file : found.files) {
    if (previous == nullptr || *previous != file.folder) folder = to_name(file.folder);
    previous = &file.folder;
    files.append(nb::make_tuple(folder, to_name(file.name), file.device, file.inode, file.size, file.mtime_ns));
  }
  for (const std::string& run : found.empty_runs) empty_runs.append(to_name(run));
  for (const std::string& link : found.links) links.append(to_name(link));
  for (const auto& [name, error] : found.unreadable) unreadable.append(nb::make_tuple(to_name(name), error));
  return nb::make_tuple(files, empty_runs, links, unreadable, found.is_missing, found.has_vanished);
}

}  // namespace

void bind_disk(nb::module_& m) {
  nb::class_<PyFileReader>(m, "FileReader",
                           "The memory of one thread that reads files and, for long files, its two helper threads.")
      .def(nb::init<std::size_t>(), "block_size"_a)
      .def(
          "read", read_file, "file"_a, "scanner"_a, "start"_a, "size"_a, "budget"_a,
          nb::sig("def read(self, file: int, scanner: Scanner, start: int, size: int, budget: int) -> tuple[int, bool, "
                  "list[memoryview], " SIG_FINGERPRINT "]"),
          "Scans [start, size) of the file, at most about `budget` bytes of it.\n\n"
          "Returns the position up to which whole records were scanned, whether the budget ended the read, the "
          "stripes, and\nthe fingerprint of the file up to that position. OSError if the file cannot be read.")
      .def("open_and_read", open_and_read, "path"_a, "scanner"_a, "budget"_a,
           nb::sig("def open_and_read(self, path: str, scanner: Scanner, budget: int) -> tuple[tuple[int, int, int, "
                   "int], int, bool, list[memoryview], " SIG_FINGERPRINT "]"),
           "Opens the file and scans it from its start.\n\n"
           "Returns device, inode, size and mtime in ns of the file, and what `read` returns. One call: each further "
           "one may\nwait for the GIL.");
  nb::class_<FileMap>(m, "FileMap",
                      "A file mapped into memory. If it is truncated meanwhile, the missing pages read as zeros.")
      .def("__init__", open_map, "file"_a, "length"_a, "OSError if the file cannot be mapped.")
      .def_prop_ro("is_truncated", &FileMap::is_truncated)
      .def("memory", memory_of, nb::sig("def memory(self) -> memoryview"), "A view that keeps the map alive.");
  m.def("truncated_map_count", truncated_map_count, "The number of maps found truncated since the process started.");
  m.def("walk", walk_folder, "root"_a, "start"_a, nb::kw_only(), "event_file_mark"_a, "empty_run_suffix"_a, "skipped"_a,
        nb::sig("def walk(root: str, start: str, *, event_file_mark: str, empty_run_suffix: str, skipped: str) -> "
                "tuple[list[tuple[str, str, int, int, int, int]], list[str], list[str], list[tuple[str, int]], bool, "
                "bool]"),
        "Finds the event files in `start`, a folder relative to the root, and below it.\n\n"
        "Returns the files (folder, name, device, inode, size, mtime in ns), the folders of empty runs, links to "
        "folders\n(which are not followed), unreadable folders with their errno, whether `start` is missing, and "
        "whether a folder\nvanished during the walk.");
  m.def("fingerprint_file", fingerprint, "file"_a, "consumed"_a,
        nb::sig("def fingerprint_file(file: int, consumed: int) -> " SIG_FINGERPRINT),
        "Length and checksum of the first and of the last 4 KiB before `consumed`.");
}

}  // namespace seamark
