#include "query/segment_table.h"

#include <stdexcept>

#include "testing/stored_series.h"

namespace seamark {
namespace {

// A stripe in which series `id` has one row, with that step.
Block stripe_with(std::uint32_t id, std::int64_t step) {
  const ScalarRow row{step, 0, 0, id};
  return build_stripe({&row, 1}, {}, id + 1);
}

TEST(segment_table_finds_each_series_by_its_id_in_each_stripe) {
  const Block blocks[] = {stripe_with(0, 5), stripe_with(3, 6)};
  const auto first = StripeView::open(blocks[0].bytes(), true);
  const auto second = StripeView::open(blocks[1].bytes(), true);
  CHECK(first && second);
  SegmentTable table(2);
  table.add({{{&*first, {0, -1}}, {&*second, {3, 7}}}, {}});
  table.add({{{&*second, {-1, 3}}}, {}});
  CHECK(table.size() == 4);
  CHECK(table[0].count() == 2 && table[0].last().step == 6);
  CHECK(table[1].count() == 0 && table[2].count() == 0);
  CHECK(table[3].count() == 1 && table[3].last().step == 6);
}

TEST(segment_table_applies_the_spans_of_a_series) {
  const Block blocks[] = {stripe_with(0, 5), stripe_with(0, 2)};
  const auto first = StripeView::open(blocks[0].bytes(), true);
  const auto second = StripeView::open(blocks[1].bytes(), true);
  CHECK(first && second);
  SegmentTable table(1);
  table.add({{{&*first, {0}}, {&*second, {0}}}, {{0, {{0, 0, 0, 2}, {1, 0, 1, {}}}}}});
  CHECK(table[0].attempts() == 2 && table[0].last().step == 2);
}

TEST(segment_table_rejects_ids_and_spans_that_do_not_fit) {
  const Block block = stripe_with(0, 5);
  const auto view = StripeView::open(block.bytes(), true);
  CHECK(view);
  SegmentTable table(2);
  CHECK_THROWS(std::invalid_argument, table.add({{{&*view, {0}}}, {}}));
  CHECK(table.size() == 0);
  table.add({{{&*view, {0, -1}}}, {{0, {{5, 0, 0, {}}}}}});
  CHECK_THROWS(std::invalid_argument, table[0]);
}

}  // namespace
}  // namespace seamark
