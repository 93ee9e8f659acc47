// The module and its constants.
#include <cerrno>

#include "bind/bind.h"
#include "query/line.h"

namespace seamark {

void raise(const Error& error) {
  if (error.system_code == 0) throw std::invalid_argument(error.message);
  errno = error.system_code;
  PyErr_SetFromErrno(PyExc_OSError);
  throw nb::python_error();
}

namespace {

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
  set("SCAN_OK", ReadStatus::Ok);
  set("SCAN_INCOMPLETE", ReadStatus::Incomplete);
  set("SCAN_FULL", ReadStatus::Full);
  set("SCAN_CORRUPT", ReadStatus::Corrupt);
  set("PROBLEM_LENGTH_CRC", ProblemCode::LengthCrc);
  set("PROBLEM_DATA_CRC", ProblemCode::DataCrc);
  set("PROBLEM_BAD_EVENT", ProblemCode::BadEvent);
  set("PROBLEM_BAD_VALUE", ProblemCode::BadValue);
  set("PROBLEM_TOO_LONG", ProblemCode::TooLong);
  set("AXIS_STEP", Axis::Step);
  set("AXIS_RELATIVE", Axis::Relative);
  set("AXIS_WALL", Axis::Wall);
  set("ATTEMPTS_LATEST", Attempts::Latest);
  set("ATTEMPTS_ALL", Attempts::All);
  set("ATTEMPTS_MARKED", Attempts::Marked);
  set("STRIPE_VERSION", kStripeVersion);
}

}  // namespace
}  // namespace seamark

NB_MODULE(_core, m) {
  m.doc() =
      "Event bytes to columns and back: the native core.\n\n"
      "Long calls release the GIL. Stripe and SeriesView are immutable and may be shared between threads. A Scanner or "
      "a\n"
      "FileReader is for one thread at a time, and raises RuntimeError in a second one.";
  // A program that ends while a store is open is not a leak of the bindings.
  nanobind::set_leak_warnings(false);
  seamark::bind_constants(m);
  seamark::bind_encode(m);
  seamark::bind_event_log(m);
  seamark::bind_scan(m);
  seamark::bind_disk(m);
  seamark::bind_runs(m);
  seamark::bind_stripe(m);
  seamark::bind_series(m);
  seamark::bind_window(m);
  seamark::bind_points_json(m);
  seamark::bind_message_text(m);
  seamark::bind_number_text(m);
  seamark::bind_graph(m);
  seamark::bind_trace(m);
  seamark::bind_layout(m);
  seamark::bind_trace_window(m);
  seamark::bind_trace_xplane(m);
}
