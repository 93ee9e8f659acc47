// The queue of a writer.
#include "write/event_log.h"

#include "bind/bind.h"

namespace seamark {
namespace {

// Returned by EventLog.scalar() for values, steps and tags that Python has to convert.
constexpr int kNotPlain = -1;

Bytes utf8_of(nb::handle text) {
  Py_ssize_t size = 0;
  const char* const data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data == nullptr) throw nb::python_error();
  return {reinterpret_cast<const std::uint8_t*>(data), static_cast<std::size_t>(size)};
}

// The call that a training loop makes most: no allocation, and no exception for plain arguments.
int add_plain_scalar(EventLog& log, nb::handle tag, nb::handle value, nb::handle step, double wall_time) {
  PyObject* const number = value.ptr();
  if (!PyUnicode_Check(tag.ptr()) || !(PyFloat_Check(number) || PyLong_Check(number))) return kNotPlain;
  if (!step.is_none() && !PyLong_Check(step.ptr())) return kNotPlain;
  const double plain = PyFloat_AsDouble(number);
  const std::int64_t at = step.is_none() ? 0 : PyLong_AsLongLong(step.ptr());
  if ((plain == -1 || at == -1) && PyErr_Occurred() != nullptr) throw nb::python_error();
  return static_cast<int>(log.add_scalar(utf8_of(tag), plain, at, wall_time));
}

int add_event(EventLog& log, nb::handle event) {
  const PinnedBuffer buffer(event);
  return static_cast<int>(log.add_event(buffer.bytes()));
}

}  // namespace

void bind_event_log(nb::module_& m) {
  using AddResult = EventLog::AddResult;
  const auto set = [&](const char* name, auto value) { m.attr(name) = static_cast<int>(value); };
  set("ADD_QUEUED", AddResult::Queued);
  set("ADD_FIRST", AddResult::First);
  set("ADD_SHOULD_FLUSH", AddResult::ShouldFlush);
  set("ADD_DROPPED", AddResult::Dropped);
  set("NOT_PLAIN", kNotPlain);
  nb::class_<EventLog>(m, "EventLog",
                       "A bounded queue of framed records, in the order they were added. Never releases the GIL, never "
                       "blocks.\n\nAn addition returns ADD_QUEUED, ADD_FIRST if the log was empty, ADD_SHOULD_FLUSH "
                       "if it grew past\n`flush_bytes`, or ADD_DROPPED if it is full.")
      .def(nb::init<std::size_t, std::size_t, std::size_t>(), nb::kw_only(), "max_bytes"_a, "max_payload_bytes"_a,
           "flush_bytes"_a)
      .def("scalar", &add_plain_scalar, "tag"_a.none(), "value"_a.none(), "step"_a.none(), "wall_time"_a,
           nb::sig("def scalar(self, tag: object, value: object, step: object, wall_time: float) -> int"),
           "Returns NOT_PLAIN, and adds nothing, if the tag is not a str, the value not a number or the step not an "
           "int.\nOverflowError if the value is too large for a double, or the step for 64 bits.")
      .def("event", add_event, "event"_a, nb::sig("def event(self, event: " SIG_BUFFER ") -> int"),
           "Frames and adds a serialized Event.")
      .def("reserve", &EventLog::reserve, "nbytes"_a,
           "Reserves room for a payload that waits elsewhere. False, and counted as dropped, if there is none.")
      .def("release", &EventLog::release, "nbytes"_a)
      .def(
          "take", [](EventLog& log) { return to_bytes(log.take()); }, "Returns all records and leaves the log empty.")
      .def("clear", &EventLog::clear, "Also resets the counts.")
      .def_prop_ro("end", &EventLog::end, "Bytes added so far: the position of the next record.")
      .def_prop_ro("dropped", &EventLog::dropped)
      .def_prop_ro("pending", &EventLog::pending, "Bytes in the log.");
}

}  // namespace seamark
