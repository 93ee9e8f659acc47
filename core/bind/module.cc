// The module, and the names of its numbers.
#include "../event.h"
#include "../line.h"
#include "../scan.h"
#include "../stripe.h"
#include "bind.h"

namespace seamark {
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
  set("SCAN_OK", ScanStatus::Ok);
  set("SCAN_NEED_MORE", ScanStatus::NeedMore);
  set("SCAN_FULL", ScanStatus::Full);
  set("SCAN_CORRUPT", ScanStatus::Corrupt);
  set("PROBLEM_LENGTH_CRC", ProblemCode::LengthCrc);
  set("PROBLEM_DATA_CRC", ProblemCode::DataCrc);
  set("PROBLEM_BAD_EVENT", ProblemCode::BadEvent);
  set("PROBLEM_TOO_LONG", ProblemCode::TooLong);
  set("PROBLEM_BAD_VALUE", ProblemCode::BadValue);
  set("AXIS_STEP", Axis::Step);
  set("AXIS_RELATIVE", Axis::Relative);
  set("AXIS_WALL", Axis::Wall);
  set("ATTEMPTS_LATEST", Attempts::Latest);
  set("ATTEMPTS_ALL", Attempts::All);
  set("ATTEMPTS_MARKED", Attempts::Marked);
  set("STRIPE_VERSION", kStripeVersion);
  set("STRIPE_HEADER_BYTES", sizeof(StripeHeader));
}

}  // namespace
}  // namespace seamark

NB_MODULE(_core, m) {
  m.doc() = "Event bytes to columns and back.";
  // A program that ends with a store open is no fault of the binding.
  nanobind::set_leak_warnings(false);
  seamark::bind_constants(m);
  seamark::bind_bytes(m);
  seamark::bind_bins(m);
  seamark::bind_event_log(m);
  seamark::bind_scanner(m);
  seamark::bind_disk(m);
  seamark::bind_stripe(m);
  seamark::bind_series(m);
  seamark::bind_queries(m);
}
