// What a training program logs into.
#include "bind.h"

#include "../event_log.h"

namespace seamark {
namespace {

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

}  // namespace

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

}  // namespace seamark
