// Chrome traces as columns.
#include "bind/trace.h"

#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>

#include "trace/read/json_scan.h"

#define SIG_FIELD "tuple[" SIG_I64 ", numpy.typing.NDArray[typing.Any]]"

namespace seamark {
namespace {

nb::object text_of(std::string_view text) { return to_text(bytes_of(text)); }

template <class T>
nb::object to_numpy(TakenColumn<T> column) {
  return to_array<T>(std::move(column.values), column.size);
}

using Take = nb::object (*)(TraceColumns&);

template <auto Method>
nb::object take_with(TraceColumns& columns) {
  auto column = [&] {
    nb::gil_scoped_release release;
    return (columns.*Method)();
  }();
  return to_numpy(std::move(column));
}

constexpr std::pair<std::string_view, Take> kTakes[] = {
    {"start", take_with<&TraceColumns::take_start>},
    {"duration", take_with<&TraceColumns::take_duration>},
    {"self_time", take_with<&TraceColumns::take_self_time>},
    {"name", take_with<&TraceColumns::take_name>},
    {"parent", take_with<&TraceColumns::take_parent>},
    {"argument_start", take_with<&TraceColumns::take_argument_start>},
    {"argument_size", take_with<&TraceColumns::take_argument_size>},
    {"row_start", take_with<&TraceColumns::take_row_start>},
    {"row_track", take_with<&TraceColumns::take_row_track>},
    {"row_depth", take_with<&TraceColumns::take_row_depth>},
    {"counter_times", take_with<&TraceColumns::take_counter_times>},
    {"counter_values", take_with<&TraceColumns::take_counter_values>},
    {"flow_from", take_with<&TraceColumns::take_flow_from>},
    {"flow_to", take_with<&TraceColumns::take_flow_to>},
    {"instant_time", take_with<&TraceColumns::take_instant_time>},
    {"instant_name", take_with<&TraceColumns::take_instant_name>},
    {"instant_track", take_with<&TraceColumns::take_instant_track>},
};

nb::object take(PyTraceColumns& self, std::string_view name) {
  for (const auto& [known, method] : kTakes) {
    if (known == name) return method(self.columns);
  }
  throw std::invalid_argument("no column of a trace: '" + std::string(name) + "'");
}

nb::list column_names(const PyTraceColumns&) {
  nb::list names;
  for (const auto& [name, method] : kTakes) names.append(text_of(name));
  return names;
}

const char* name_of(TrackType type) {
  switch (type) {
    case TrackType::Stream: return "stream";
    case TrackType::Line: return "line";
    case TrackType::Async: return "async";
    default: return "thread";
  }
}

nb::list tracks(const PyTraceColumns& self) {
  nb::list list;
  for (const FinishedTrack& track : self.columns.tracks()) {
    nb::dict one;
    one["type"] = name_of(track.entry->type);
    one["name"] = text_of(track.entry->name);
    one["tid"] = text_of(track.entry->tid);
    one["pid"] = text_of(track.process->pid);
    one["process"] = text_of(track.process->name);
    one["labels"] = text_of(track.process->labels);
    one["is_device"] = track.entry->is_device;
    one["first_row"] = track.first_row;
    one["rows"] = track.rows;
    one["slices"] = track.slices;
    list.append(one);
  }
  return list;
}

nb::list names(const PyTraceColumns& self) {
  nb::list list;
  const TextTable& names = self.columns.names();
  for (std::uint32_t name = 0; name < names.size(); ++name) {
    list.append(nb::make_tuple(text_of(names.text(name)), text_of(self.columns.category(name))));
  }
  return list;
}

nb::list counters(const PyTraceColumns& self) {
  nb::list list;
  for (const FinishedCounter& counter : self.columns.counters()) {
    const std::string& process = counter.process->name.empty() ? counter.process->pid : counter.process->name;
    list.append(nb::make_tuple(text_of(counter.entry->name), text_of(counter.entry->series), text_of(process),
                               counter.first, counter.points));
  }
  return list;
}

nb::list field_names(const PyTraceColumns& self, bool of_instants) {
  nb::list list;
  for (std::size_t field = 0; field < kFields; ++field) {
    const bool has = of_instants ? self.columns.has_instant_field(field) : self.columns.has_field(field);
    if (has) list.append(text_of(kFieldNames[field]));
  }
  return list;
}

nb::tuple take_field(PyTraceColumns& self, std::string_view name, bool of_instants) {
  const std::size_t field = find_field(name);
  if (field == kNoField) throw std::invalid_argument("no field of a trace: '" + std::string(name) + "'");
  TakenField taken;
  {
    nb::gil_scoped_release release;
    taken = of_instants ? self.columns.take_instant_field(field) : self.columns.take_field(field);
  }
  nb::object indices = to_numpy(std::move(taken.indices));
  if (taken.is_real) return nb::make_tuple(indices, to_numpy(std::move(taken.reals)));
  return nb::make_tuple(indices, to_numpy(std::move(taken.integers)));
}

nb::list problems(const PyTraceColumns& self) {
  nb::list list;
  for (const std::string& problem : self.columns.problems()) list.append(text_of(problem));
  return list;
}

struct PyTraceScanner {
  explicit PyTraceScanner(bool copies_arguments) : scanner(copies_arguments) {}
  JsonTraceScanner scanner;
  mutable std::atomic_flag busy;

  ExclusiveUse use() const { return {busy, "JsonTraceScanner"}; }
};

void feed(PyTraceScanner& self, nb::handle data) {
  const PinnedBuffer buffer(data);
  const ExclusiveUse use = self.use();
  nb::gil_scoped_release release;
  self.scanner.feed(buffer.bytes());
}

std::unique_ptr<PyTraceColumns> finish(PyTraceScanner& self) {
  const ExclusiveUse use = self.use();
  nb::gil_scoped_release release;
  self.scanner.end();
  return std::make_unique<PyTraceColumns>(std::move(self.scanner.builder()));
}

nb::bytes take_arguments(PyTraceScanner& self) {
  const ExclusiveUse use = self.use();
  const std::string text = self.scanner.take_arguments();
  return to_bytes(bytes_of(text));
}

nb::list metadata(const PyTraceScanner& self) {
  const ExclusiveUse use = self.use();
  nb::list list;
  for (const TraceMetadata& one : self.scanner.metadata()) {
    list.append(nb::make_tuple(text_of(one.key), to_bytes(bytes_of(one.json))));
  }
  return list;
}

template <auto Getter>
auto read(const PyTraceScanner& self) {
  const ExclusiveUse use = self.use();
  return (self.scanner.*Getter)();
}

void bind_columns(nb::module_& m) {
  nb::class_<PyTraceColumns>(m, "TraceColumns", "A trace that was read. Each column may be taken once.")
      .def_prop_ro("origin_ns", [](const PyTraceColumns& self) { return self.columns.origin(); })
      .def_prop_ro("slices", [](const PyTraceColumns& self) { return self.columns.slices(); })
      .def("tracks", tracks, nb::sig("def tracks(self) -> list[dict[str, typing.Any]]"),
           "type, name, tid, pid, process (its name), labels, is_device, first_row, rows, slices; in order.")
      .def("names", names, nb::sig("def names(self) -> list[tuple[str, str]]"), "(text, category)")
      .def("counters", counters, nb::sig("def counters(self) -> list[tuple[str, str, str, int, int]]"),
           "(name, series, process, first point, points)")
      .def("column_names", column_names, nb::sig("def column_names(self) -> list[str]"))
      .def("take", take, "name"_a, nb::sig("def take(self, name: str) -> numpy.typing.NDArray[typing.Any]"),
           "A column of Trace, by its name there.")
      .def(
          "field_names", [](const PyTraceColumns& self) { return field_names(self, false); },
          nb::sig("def field_names(self) -> list[str]"))
      .def(
          "instant_field_names", [](const PyTraceColumns& self) { return field_names(self, true); },
          nb::sig("def instant_field_names(self) -> list[str]"))
      .def(
          "take_field", [](PyTraceColumns& self, std::string_view name) { return take_field(self, name, false); },
          "name"_a, nb::sig("def take_field(self, name: str) -> " SIG_FIELD), "Ascending indices of slices, values.")
      .def(
          "take_instant_field",
          [](PyTraceColumns& self, std::string_view name) { return take_field(self, name, true); }, "name"_a,
          nb::sig("def take_instant_field(self, name: str) -> " SIG_FIELD))
      .def("problems", problems, nb::sig("def problems(self) -> list[str]"), "Sentences.");
}

}  // namespace

void bind_trace(nb::module_& m) {
  bind_columns(m);
  nb::class_<PyTraceScanner>(m, "JsonTraceScanner", "Reads a Chrome trace from blocks of its bytes.")
      .def(nb::init<bool>(), nb::kw_only(), "copies_arguments"_a,
           "With copies_arguments the places of arguments are positions in what take_arguments() returns, else in the\n"
           "bytes.")
      .def("feed", feed, "data"_a, nb::sig("def feed(self, data: " SIG_BUFFER ") -> None"))
      .def("take_arguments", take_arguments, "The text of arguments since the last call.")
      .def("finish", finish, "Once, after the last block.")
      .def("metadata", metadata, nb::sig("def metadata(self) -> list[tuple[str, bytes]]"),
           "(key, JSON) of the members beside the events.")
      .def_prop_ro("events", read<&JsonTraceScanner::events>)
      .def_prop_ro("is_json", read<&JsonTraceScanner::is_json>, "After finish().")
      .def_prop_ro("has_events", read<&JsonTraceScanner::has_events>)
      .def_prop_ro("ends_early", read<&JsonTraceScanner::ends_early>, "After finish().");
}

}  // namespace seamark
