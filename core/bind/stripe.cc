// Stripes: their rows, groups and merges.
#include "columns/stripe.h"

#include "bind/bind.h"

namespace seamark {

PyStripe::PyStripe(nb::handle data, bool verify) : buffer(data) {
  // Without the checksum it takes less time than releasing the GIL.
  std::optional<nb::gil_scoped_release> release;
  if (verify) release.emplace();
  auto opened = StripeView::open(buffer.bytes(), verify);
  release.reset();
  if (!opened) raise(opened.error());
  view = *opened;
}

namespace {

template <class Group>
nb::tuple to_groups(std::span<const Group> groups) {
  return nb::make_tuple(collect<std::uint32_t>(groups, [](const Group& group) { return group.series; }),
                        collect<std::uint64_t>(groups, [](const Group& group) { return group.start; }),
                        collect<std::uint64_t>(groups, [](const Group& group) { return group.count; }));
}

nb::tuple to_ranges(const std::vector<StepRange>& ranges) {
  return nb::make_tuple(collect<std::int64_t>(ranges, [](const StepRange& range) { return range.min; }),
                        collect<std::int64_t>(ranges, [](const StepRange& range) { return range.max; }));
}

nb::tuple scalars_of(nb::handle owner) {
  const StripeView& view = nb::cast<const PyStripe&>(owner).view;
  return nb::make_tuple(to_view(view.steps(), owner), to_view(view.walls(), owner), to_view(view.values(), owner));
}

nb::tuple payloads_of(nb::handle owner) {
  const StripeView& view = nb::cast<const PyStripe&>(owner).view;
  return nb::make_tuple(to_view(view.payload_steps(), owner), to_view(view.payload_walls(), owner),
                        to_view(view.payload_offsets(), owner), to_view(view.payload_lengths(), owner));
}

std::optional<std::int64_t> max_step(const PyStripe& self, const std::vector<std::uint32_t>& skipped) {
  nb::gil_scoped_release release;
  return self.view.max_step(skipped);
}

double last_wall(const PyStripe& self) {
  nb::gil_scoped_release release;
  return self.view.last_wall();
}

nb::object merge(const std::vector<nb::object>& stripes) {
  std::vector<const StripeView*> views;
  for (const nb::object& stripe : stripes) views.push_back(&nb::cast<const PyStripe&>(stripe).view);
  Block block;
  {
    nb::gil_scoped_release release;
    block = merge_stripes(views);
  }
  return to_memoryview(std::move(block));
}

}  // namespace

void bind_stripe(nb::module_& m) {
  nb::class_<PyStripe>(m, "Stripe", "A view of the bytes of a stripe, which it keeps alive.")
      .def(
          "__init__", [](PyStripe* self, nb::handle data, bool verify) { new (self) PyStripe(data, verify); }, "data"_a,
          nb::kw_only(), "verify"_a = false,
          nb::sig("def __init__(self, data: " SIG_BUFFER ", *, verify: bool = False) -> None"),
          "ValueError if `data` is not a stripe. Compares the checksum only with `verify`.")
      .def_prop_ro("nbytes", [](const PyStripe& self) { return self.view.size(); })
      .def_prop_ro("scalar_rows", [](const PyStripe& self) { return self.view.steps().size(); })
      .def_prop_ro("payload_rows", [](const PyStripe& self) { return self.view.payload_steps().size(); })
      .def_prop_ro("last_wall", last_wall, "The largest finite wall time of all rows; NaN if there is none.")
      .def("max_step", max_step, "skipped"_a, nb::sig("def max_step(self, skipped: list[int]) -> int | None"),
           "The greatest step of all scalar series except those with the ids in `skipped`, which are sorted.\n"
           "None without points.")
      .def(
          "scalar_groups", [](const PyStripe& self) { return to_groups(self.view.scalar_groups()); },
          nb::sig("def scalar_groups(self) -> tuple[" SIG_U32 ", " SIG_U64 ", " SIG_U64 "]"),
          "Series id, first row and number of rows of each group.")
      .def(
          "payload_groups", [](const PyStripe& self) { return to_groups(self.view.payload_groups()); },
          nb::sig("def payload_groups(self) -> tuple[" SIG_U32 ", " SIG_U64 ", " SIG_U64 "]"))
      .def(
          "scalar_step_ranges", [](const PyStripe& self) { return to_ranges(self.view.scalar_step_ranges()); },
          nb::sig("def scalar_step_ranges(self) -> tuple[" SIG_I64 ", " SIG_I64 "]"),
          "The smallest and the greatest step of each group.")
      .def(
          "payload_step_ranges", [](const PyStripe& self) { return to_ranges(self.view.payload_step_ranges()); },
          nb::sig("def payload_step_ranges(self) -> tuple[" SIG_I64 ", " SIG_I64 "]"))
      .def("scalars", scalars_of, nb::sig("def scalars(self) -> tuple[" SIG_I64 ", " SIG_F64 ", " SIG_F64 "]"),
           "Steps, wall times, values: read-only views.")
      .def("payloads", payloads_of,
           nb::sig("def payloads(self) -> tuple[" SIG_I64 ", " SIG_F64 ", " SIG_U64 ", " SIG_U64 "]"),
           "Steps, wall times, offsets, lengths: read-only views.");
  m.def("merge_stripes", merge, "stripes"_a, nb::sig("def merge_stripes(stripes: list[Stripe]) -> memoryview"),
        "One stripe with the rows of all, in order.");
}

}  // namespace seamark
