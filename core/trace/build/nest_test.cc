#include "trace/build/nest.h"

#include "testing/testing.h"
#include "testing/traces.h"

namespace seamark {
namespace {

using testing::to_vector;

struct Given {
  TraceTime start, duration;
};

TraceColumns nest(std::initializer_list<Given> slices, bool may_overlap = false) {
  TraceBuilder builder;
  const std::uint32_t track = builder.track("1", "2");
  builder.track_entry(track).may_overlap = may_overlap;
  for (const Given& slice : slices) builder.add_slice(track, builder.name("a", ""), slice.start, slice.duration);
  return TraceColumns(std::move(builder));
}

using Numbers = std::vector<std::int64_t>;
using Parents = std::vector<std::int32_t>;

}  // namespace

TEST(slices_in_any_order_nest_by_time) {
  TraceColumns columns = nest({{30, 10}, {0, 100}, {10, 40}, {60, 20}});
  CHECK((to_vector(columns.take_start()) == Numbers{0, 10, 60, 30}));
  CHECK((to_vector(columns.take_parent()) == Parents{-1, 0, 0, 1}));
  CHECK((to_vector(columns.take_self_time()) == Numbers{40, 30, 20, 10}));
  CHECK((to_vector(columns.take_row_start()) == Numbers{0, 1, 3, 4}));
  CHECK((to_vector(columns.take_row_depth()) == Parents{0, 1, 2}));
  CHECK(columns.problems().empty());
}

TEST(slices_that_overlap_alternate_between_two_rows) {
  TraceColumns columns = nest({{0, 10'000}, {5'000, 10'000}, {12'000, 10'000}, {20'000, 10'000}});
  CHECK((to_vector(columns.take_row_start()) == Numbers{0, 2, 4}));
  CHECK((to_vector(columns.take_start()) == Numbers{0, 12'000, 5'000, 20'000}));
  CHECK((to_vector(columns.take_parent()) == Parents{-1, -1, -1, -1}));
  CHECK(columns.problems().size() == 1);
  CHECK(nest({{0, 10'000}, {5'000, 10'000}}, true).problems().empty());
}

TEST(an_annotation_may_overlap_a_call_but_not_another_annotation) {
  TraceBuilder builder;
  const std::uint32_t track = builder.track("1", "2");
  const std::uint32_t call = builder.name("__enter__", "python_function"), step = builder.name("s", "user_annotation");
  builder.add_slice(track, call, 0, 10'000);
  builder.add_slice(track, step, 5'000, 40'000);
  builder.add_slice(track, call, 40'000, 10'000);
  builder.add_slice(track, step, 44'000, 40'000);
  TraceColumns columns(std::move(builder));
  CHECK((to_vector(columns.take_row_depth()) == Parents{0, 1, 2}));
  CHECK(columns.problems() ==
        std::vector<std::string>{"1 slice overlaps another one of its track without nesting: it is on a deeper row"});
}

TEST(a_slice_that_ends_a_microsecond_late_is_still_inside) {
  TraceColumns columns = nest({{0, 10'000}, {4'000, 7'000}});
  CHECK((to_vector(columns.take_parent()) == Parents{-1, 0}));
  CHECK((to_vector(columns.take_self_time()) == Numbers{4'000, 7'000}));
  CHECK(columns.problems().empty());
}

TEST(slices_without_duration_share_a_row) {
  TraceColumns columns = nest({{5, 0}, {5, 0}, {5, 3}});
  CHECK((to_vector(columns.take_duration()) == Numbers{3, 0, 0}));
  CHECK((to_vector(columns.take_row_start()) == Numbers{0, 1, 3}));
}

TEST(slices_below_the_last_row_are_left_out) {
  TraceBuilder builder;
  const std::uint32_t track = builder.track("1", "2"), name = builder.name("a", "");
  for (TraceTime i = 0; i < 5000; ++i) builder.set_field(0, builder.add_slice(track, name, i, 20'000 - 2 * i), i);
  TraceColumns columns(std::move(builder));
  CHECK(columns.slices() == kMaxRows);
  CHECK(columns.tracks()[0].slices == kMaxRows && columns.tracks()[0].rows == kMaxRows);
  CHECK(columns.problems() == std::vector<std::string>{"904 slices are deeper than 4,096 rows and are left out"});
  CHECK(columns.take_field(0).indices.size == kMaxRows);
}

TEST(differences_of_impossible_times_do_not_overflow) {
  TraceBuilder builder;
  const std::uint32_t track = builder.track("1", "2"), name = builder.name("a", "");
  builder.add_slice(track, name, -kMaxTraceTime, kMaxTraceTime);
  builder.add_slice(track, name, kMaxTraceTime, kMaxTraceTime);
  CHECK(builder.add_slice(track, name, kMaxTraceTime + 1, 1) == kNone);
  TraceColumns columns(std::move(builder));
  CHECK((to_vector(columns.take_start()) == Numbers{0, 2 * kMaxTraceTime}));
  CHECK((to_vector(columns.take_duration()) == Numbers{kMaxTraceTime, 0}));
}

}  // namespace seamark
