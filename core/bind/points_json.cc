// Scalar points as JSON.
#include "query/points_json.h"

#include "bind/bind.h"

namespace seamark {
namespace {

nb::bytes points_json(const Array<double>& walls, const Array<std::int64_t>& steps, const Array<double>& values,
                      int layout) {
  const PointLayout chosen = point_layout_of(layout);
  std::string out;
  {
    nb::gil_scoped_release release;
    append_points_json({span_of(walls), span_of(steps), span_of(values)}, chosen, out);
  }
  return nb::bytes(out.data(), out.size());
}

}  // namespace

void bind_points_json(nb::module_& m) {
  m.attr("POINTS_ROWS") = static_cast<int>(PointLayout::Rows);
  m.attr("POINTS_OBJECTS") = static_cast<int>(PointLayout::Objects);
  m.def("points_json", points_json, "walls"_a, "steps"_a, "values"_a, "layout"_a,
        nb::sig("def points_json(walls: " SIG_F64 ", steps: " SIG_I64 ", values: " SIG_F64 ", layout: int) -> bytes"),
        "The points as JSON text: POINTS_ROWS gives [[wall time, step, value], …], POINTS_OBJECTS\n"
        "[{\"wallTime\": …, \"step\": …, \"value\": …}, …]. Non-finite numbers are strings. ValueError for columns of\n"
        "different lengths or an unknown layout.");
}

}  // namespace seamark
