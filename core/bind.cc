// The only file that knows Python. It translates, and decides nothing.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cerrno>
#include <optional>
#include <stdexcept>

#include "bins.h"
#include "crc32c.h"
#include "decimate.h"
#include "digest.h"
#include "encode.h"
#include "event_log.h"
#include "file_reader.h"
#include "record.h"
#include "scan.h"
#include "series.h"
#include "smooth.h"
#include "stripe.h"
#include "walk.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace seamark {
namespace {

// Anything with the buffer protocol, pinned while we look at it. Made and dropped with the GIL held.
class Lease {
 public:
  explicit Lease(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) throw nb::python_error();
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() { PyBuffer_Release(&view_); }

  Bytes bytes() const { return {static_cast<const std::uint8_t*>(view_.buf), static_cast<std::size_t>(view_.len)}; }

 private:
  Py_buffer view_{};
};

// A scanner is for one thread at a time; a second one gets an exception instead of a crash.
class Turn {
 public:
  explicit Turn(std::atomic_flag& busy) : busy_(busy) {
    if (busy_.test_and_set()) throw std::runtime_error("this Scanner is in use by another thread");
  }
  ~Turn() { busy_.clear(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  std::atomic_flag& busy_;
};

Bytes view_of(const nb::bytes& bytes) { return {reinterpret_cast<const std::uint8_t*>(bytes.c_str()), bytes.size()}; }

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

struct PySeries {
  PySeries(std::vector<nb::object> kept, Series made) : stripes(std::move(kept)), series(std::move(made)) {}
  std::vector<nb::object> stripes;  // keeps what `series` points into alive
  Series series;
};

nb::bytes to_bytes(Bytes bytes) { return nb::bytes(bytes.data(), bytes.size()); }

template <class T>
nb::object to_array(Column<T> column, std::size_t size) {
  nb::capsule owner(column.get(), [](void* data) noexcept { delete[] static_cast<T*>(data); });
  T* data = column.release();
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, owner), nb::rv_policy::reference);
}

// Not as a NumPy array: reading files must not wait until NumPy is loaded.
nb::object to_memory(Block block) {
  nb::capsule owner(block.words.get(), [](void* data) noexcept { delete[] static_cast<std::uint64_t*>(data); });
  auto* data = reinterpret_cast<std::uint8_t*>(block.words.release());
  return nb::cast(nb::ndarray<nb::memview, std::uint8_t, nb::ndim<1>>(data, {block.size}, owner), nb::rv_policy::reference);
}

template <class T>
nb::object to_view(std::span<const T> column, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<1>>(column.data(), {column.size()}, owner),
                  nb::rv_policy::reference);
}

template <class T, class Items, class Get>
nb::object collect(const Items& items, Get get) {
  auto column = std::make_unique_for_overwrite<T[]>(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) column[i] = get(items[i]);
  return to_array<T>(std::move(column), items.size());
}

template <class Group>
nb::tuple to_groups(std::span<const Group> groups) {
  return nb::make_tuple(collect<std::uint32_t>(groups, [](const Group& group) { return group.series; }),
                        collect<std::uint64_t>(groups, [](const Group& group) { return group.start; }),
                        collect<std::uint64_t>(groups, [](const Group& group) { return group.count; }));
}

template <class Append>
nb::bytes encoded(Append append) {
  Buffer out;
  append(out);
  return to_bytes(out);
}

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const Array<T>& array) {
  return {array.data(), array.shape(0)};
}

void bind_bytes(nb::module_& m) {
  m.attr("CRC32C_BACKEND") = crc32c_backend();
  m.def("crc32c", [](nb::handle data, std::uint32_t crc) {
    const Lease lease(data);
    nb::gil_scoped_release release;
    return crc32c(lease.bytes(), crc);
  }, "data"_a, "crc"_a = 0);
  m.def("masked_crc32c", [](nb::handle data) {
    const Lease lease(data);
    nb::gil_scoped_release release;
    return masked_crc32c(lease.bytes());
  }, "data"_a);
  m.def("frame", [](nb::handle data) {
    const Lease lease(data);
    return encoded([&](Buffer& out) { append_record(lease.bytes(), out); });
  }, "data"_a);
  m.def("encode_scalar", [](const nb::bytes& tag, double value, std::int64_t step, double wall_time) {
    return encoded([&](Buffer& out) { append_scalar(view_of(tag), value, step, wall_time, out); });
  }, "tag"_a, "value"_a, "step"_a, "wall_time"_a);
  m.def("encode_scalars", [](const std::vector<nb::bytes>& tags, const Array<std::uint32_t>& tag_index,
                             const Array<std::int64_t>& steps, const Array<double>& wall_times,
                             const Array<double>& values) {
    std::vector<Bytes> views;
    for (const nb::bytes& tag : tags) views.push_back(view_of(tag));
    Buffer out;
    {
      nb::gil_scoped_release release;
      append_scalars({views, span_of(tag_index), span_of(steps), span_of(wall_times), span_of(values)}, out);
    }
    return to_bytes(out);
  }, "tags"_a, "tag_index"_a, "steps"_a, "wall_times"_a, "values"_a);
  m.def("encode_file_version", [](double wall_time, const nb::bytes& writer) {
    return encoded([&](Buffer& out) { append_file_version(wall_time, view_of(writer), out); });
  }, "wall_time"_a, "writer"_a = nb::bytes("", 0));
}

template <class T>
nb::tuple counted(const Array<T>& values, const Array<double>& edges) {
  BinCounts found;
  {
    nb::gil_scoped_release release;
    found = count_between(span_of(values), span_of(edges));
  }
  const auto same = [](std::int64_t count) { return count; };
  return nb::make_tuple(collect<std::int64_t>(found.counts, same), found.finite, found.min, found.max, found.sum,
                        found.sum_squares);
}

void bind_bins(nb::module_& m) {
  m.def("count_between", &counted<float>, "values"_a.noconvert(), "edges"_a);
  m.def("count_between", &counted<double>, "values"_a, "edges"_a);
}

// What EventLog.scalar() says to values, steps and tags that only Python can make sense of.
constexpr int kNotPlain = -1;

Bytes utf8_of(nb::handle text) {
  Py_ssize_t size = 0;
  const char* const data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data == nullptr) throw nb::python_error();
  return {reinterpret_cast<const std::uint8_t*>(data), static_cast<std::size_t>(size)};
}

// This is what a training loop calls most: no conversion that allocates, no exception on the way.
int add_plain_scalar(EventLog& log, nb::handle tag, nb::handle value, nb::handle step, double wall_time) {
  PyObject* const number = value.ptr();
  if (!PyUnicode_Check(tag.ptr()) || !(PyFloat_Check(number) || PyLong_Check(number))) return kNotPlain;
  if (!step.is_none() && !PyLong_Check(step.ptr())) return kNotPlain;
  const double plain = PyFloat_AsDouble(number);
  const std::int64_t at = step.is_none() ? 0 : PyLong_AsLongLong(step.ptr());
  if ((plain == -1 || at == -1) && PyErr_Occurred() != nullptr) throw nb::python_error();
  return static_cast<int>(log.add_scalar(utf8_of(tag), plain, at, wall_time));
}

void bind_event_log(nb::module_& m) {
  using Added = EventLog::Added;
  const auto set = [&](const char* name, auto value) { m.attr(name) = static_cast<int>(value); };
  set("ADDED_QUIETLY", Added::Quietly);
  set("ADDED_FIRST", Added::First);
  set("ADDED_BRISK", Added::Brisk);
  set("ADDED_DROPPED", Added::Dropped);
  set("NOT_PLAIN", kNotPlain);
  nb::class_<EventLog>(m, "EventLog")
      .def(nb::init<std::size_t, std::size_t, std::size_t>(), nb::kw_only(), "max_bytes"_a, "max_payload_bytes"_a,
           "brisk_bytes"_a)
      .def("scalar", &add_plain_scalar, "tag"_a.none(), "value"_a.none(), "step"_a.none(), "wall_time"_a)
      .def("event", [](EventLog& log, nb::handle event) {
        const Lease lease(event);
        return static_cast<int>(log.add_event(lease.bytes()));
      }, "event"_a)
      .def("reserve", &EventLog::reserve, "nbytes"_a)
      .def("release", &EventLog::release, "nbytes"_a)
      .def("take", [](EventLog& log) { return to_bytes(log.take()); })
      .def("clear", &EventLog::clear)
      .def_prop_ro("end", &EventLog::end)
      .def_prop_ro("events", &EventLog::events)
      .def_prop_ro("dropped", &EventLog::dropped)
      .def_prop_ro("pending", &EventLog::pending)
      .def_prop_ro("reserved", &EventLog::reserved);
}

void bind_constants(nb::module_& m) {
  const auto set = [&](const char* name, auto value) { m.attr(name) = static_cast<int>(value); };
  set("FORM_SCALAR", Form::Scalar);
  set("FORM_TENSOR", Form::Tensor);
  set("FORM_IMAGE", Form::Image);
  set("FORM_HISTO", Form::Histo);
  set("FORM_AUDIO", Form::Audio);
  set("FORM_NO_VALUE", Form::NoValue);
  set("FORM_OLD_HISTO", Form::OldHisto);
  set("FORM_GRAPH_DEF", Form::GraphDef);
  set("FORM_META_GRAPH_DEF", Form::MetaGraphDef);
  set("FORM_RUN_METADATA", Form::RunMetadata);
  set("FORM_SESSION_LOG", Form::SessionLog);
  set("FORM_LOG_MESSAGE", Form::LogMessage);
  set("SCAN_OK", ScanStatus::Ok);
  set("SCAN_NEED_MORE", ScanStatus::NeedMore);
  set("SCAN_FULL", ScanStatus::Full);
  set("SCAN_CORRUPT", ScanStatus::Corrupt);
  set("PROBLEM_LENGTH_CRC", ProblemCode::LengthCrc);
  set("PROBLEM_DATA_CRC", ProblemCode::DataCrc);
  set("PROBLEM_BAD_EVENT", ProblemCode::BadEvent);
  set("PROBLEM_BAD_VALUE", ProblemCode::BadValue);
  set("AXIS_STEP", Axis::Step);
  set("AXIS_RELATIVE", Axis::Relative);
  set("AXIS_WALL", Axis::Wall);
  set("STRIPE_VERSION", kStripeVersion);
  set("STRIPE_HEADER_BYTES", sizeof(StripeHeader));
}

nb::list series_list(const PyScanner& self, std::size_t first) {
  const Turn turn(self.busy);
  nb::list out;
  const auto& all = self.scanner.series();
  for (std::size_t i = first; i < all.size(); ++i) {
    out.append(nb::make_tuple(to_bytes(all[i].tag), static_cast<int>(all[i].form), to_bytes(all[i].metadata)));
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

void bind_file_reader(nb::module_& m) {
  nb::class_<FileReader>(m, "FileReader")
      .def(nb::init<std::size_t>(), "block_size"_a)
      .def("read", read_file, "file"_a, "scanner"_a, "start"_a, "size"_a, "budget"_a);
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
      .def("scalar_groups", [](const PyStripe& self) { return to_groups(self.view.scalar_groups()); })
      .def("payload_groups", [](const PyStripe& self) { return to_groups(self.view.payload_groups()); })
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

nb::tuple stats_tuple(const SeriesStats& stats) {
  return nb::make_tuple(stats.count, stats.attempts, stats.first_step, stats.last_step, stats.min_step, stats.max_step,
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
  put("min_step", &SeriesStats::min_step);
  put("max_step", &SeriesStats::max_step);
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

nb::tuple to_tuple(SeriesColumns columns) {
  const std::size_t rows = columns.rows;
  return nb::make_tuple(to_array(std::move(columns.steps), rows), to_array(std::move(columns.walls), rows),
                        to_array(std::move(columns.values), rows), to_array(std::move(columns.attempts), rows));
}

void bind_series(nb::module_& m) {
  nb::class_<PySeries>(m, "SeriesView")
      .def("__init__", [](PySeries* self, const nb::list& parts) {
        std::vector<nb::object> kept;
        std::vector<Segment> segments;
        for (nb::handle part : parts) {
          const auto pair = nb::cast<nb::tuple>(part);
          const auto segment = nb::cast<const PyStripe&>(pair[0]).view.find(nb::cast<std::uint32_t>(pair[1]));
          if (!segment) continue;
          segments.push_back(*segment);
          kept.emplace_back(pair[0]);
        }
        nb::gil_scoped_release release;
        new (self) PySeries(std::move(kept), Series(std::move(segments)));
      }, "parts"_a)
      .def_prop_ro("count", [](const PySeries& self) { return self.series.count(); })
      .def_prop_ro("attempts", [](const PySeries& self) { return self.series.attempts(); })
      .def("last", [](const PySeries& self) {
        const Spot last = self.series.last();
        return nb::make_tuple(last.step(), last.wall(), last.value());
      })
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
  m.def("digests", [](const std::vector<nb::object>& series, std::uint64_t tail) {
    const auto all = series_of(series);
    std::vector<Digest> found;
    {
      nb::gil_scoped_release release;
      found.reserve(all.size());
      for (const Series* one : all) found.push_back(digest(*one, tail));
    }
    return digest_columns(found);
  }, "series"_a, nb::kw_only(), "tail"_a);
}

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
  put("points", std::move(found.points), found.series);
  put("total", std::move(found.total), found.series);
  put("stored", std::move(found.stored), found.series);
  return out;
}

void bind_queries(nb::module_& m) {
  m.def("window", [](const std::vector<nb::object>& series, int axis, std::optional<double> start, std::optional<double> stop,
                     std::uint64_t max_points, double smoothing, bool all_attempts, bool edges,
                     const std::optional<std::vector<std::string>>& columns) {
    WindowQuery query{axis_of(axis), start, stop, max_points, smoothing, all_attempts, edges};
    if (columns) query.columns = columns_named(*columns);
    const auto all = series_of(series);
    Window found;
    {
      nb::gil_scoped_release release;
      found = window(all, query);
    }
    return window_columns(std::move(found));
  }, "series"_a, nb::kw_only(), "axis"_a, "start"_a.none(), "stop"_a.none(), "max_points"_a, "smoothing"_a,
     "all_attempts"_a, "edges"_a, "columns"_a = nb::none());
  m.def("smooth", [](const Array<double>& values, double weight) {
    auto out = std::make_unique_for_overwrite<double[]>(values.shape(0));
    {
      nb::gil_scoped_release release;
      smooth(span_of(values), weight, out.get());
    }
    return to_array(std::move(out), values.shape(0));
  }, "values"_a, "weight"_a);
}

}  // namespace
}  // namespace seamark

NB_MODULE(_core, m) {
  m.doc() = "Event bytes to columns and back.";
  // A program that ends with a store open is no fault of the binding.
  nb::set_leak_warnings(false);
  seamark::bind_constants(m);
  seamark::bind_bytes(m);
  seamark::bind_bins(m);
  seamark::bind_event_log(m);
  seamark::bind_scanner(m);
  seamark::bind_file_reader(m);
  seamark::bind_stripe(m);
  seamark::bind_series(m);
  seamark::bind_queries(m);
}
