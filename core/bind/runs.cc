// The files of run folders, and the hyperparameters that runs logged.
#include "bind/bind.h"
#include "disk/run_files.h"
#include "format/event.h"
#include "format/hparams.h"

namespace seamark {
namespace {

nb::tuple to_identity(const FileIdentity& identity) {
  return nb::make_tuple(identity.inode, identity.size, identity.mtime_ns);
}

// Paths as bytes: not every file name is UTF-8.
std::vector<std::string> to_strings(const nb::list& list) {
  std::vector<std::string> out;
  out.reserve(list.size());
  for (nb::handle item : list) {
    const auto bytes = nb::cast<nb::bytes>(item);
    out.emplace_back(bytes.c_str(), bytes.size());
  }
  return out;
}

nb::list read_folders(const nb::list& folders, const nb::list& names, std::int64_t max_bytes, unsigned threads) {
  const std::vector<std::string> paths = to_strings(folders), wanted = to_strings(names);
  std::vector<RunFolder> found;
  {
    nb::gil_scoped_release release;
    found = read_run_folders(paths, wanted, max_bytes, threads);
  }
  nb::list out;
  for (const RunFolder& folder : found) {
    nb::list files, other;
    for (const RunFile& file : folder.files) {
      files.append(nb::make_tuple(nb::str(file.name.data(), file.name.size()), to_identity(file.identity),
                                  nb::bytes(file.content.data(), file.content.size())));
    }
    for (const std::string& name : folder.other) other.append(nb::str(name.data(), name.size()));
    out.append(nb::make_tuple(folder.is_there ? nb::object(to_identity(folder.identity)) : nb::none(), files, other));
  }
  return out;
}

nb::object hparam_names(const nb::bytes& metadata) {
  std::string names;
  if (!read_hparam_names(view_of(metadata), names)) return nb::none();
  return nb::bytes(names.data(), names.size());
}

nb::object plugin_name(const nb::bytes& metadata) {
  Bytes name;
  if (!read_plugin_name(view_of(metadata), name)) return nb::none();
  return nb::str(reinterpret_cast<const char*>(name.data()), name.size());
}

}  // namespace

void bind_runs(nb::module_& m) {
  m.def("read_run_folders", read_folders, "folders"_a, "names"_a, nb::kw_only(), "max_bytes"_a, "threads"_a,
        nb::sig("def read_run_folders(folders: list[bytes], names: list[bytes], *, max_bytes: int, threads: int) -> "
                "list[tuple[tuple[int, int, int] | None, list[tuple[str, tuple[int, int, int], bytes]], list[str]]]"),
        "Reads the files called `names` in each folder, in several threads and without the GIL.\n\n"
        "For each folder: its identity (inode, size, mtime in ns; None without such a folder), the regular files with\n"
        "their identity and content, and the names of entries that were not read (links, folders, files of more than\n"
        "`max_bytes`).");
  m.def("hparam_names", hparam_names, "metadata"_a, nb::sig("def hparam_names(metadata: bytes) -> bytes | None"),
        "The names in the metadata of a session start, sorted, each followed by a zero byte; None for anything else.");
  m.def(
      "plugin_name", plugin_name, "metadata"_a, nb::sig("def plugin_name(metadata: bytes) -> str | None"),
      "The plugin's name in SummaryMetadata; None for metadata with several plugins, with text that is not ASCII, and\n"
      "for malformed bytes: protobuf can tell.");
}

}  // namespace seamark
