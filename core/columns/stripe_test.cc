#include "columns/stripe.h"

#include <cmath>

#include "testing/stored_series.h"

namespace seamark {
using testing::Random;

namespace {

std::vector<ScalarRow> some_rows(std::size_t count, std::uint32_t series, std::uint64_t seed) {
  Random random(seed);
  std::vector<ScalarRow> rows;
  for (std::size_t i = 0; i < count; ++i) {
    rows.push_back({static_cast<std::int64_t>(i), 1e9 + static_cast<double>(i), random.value(),
                    static_cast<std::uint32_t>(random.below(series))});
  }
  return rows;
}

std::vector<PayloadRow> some_payloads(std::size_t count, std::uint32_t series) {
  std::vector<PayloadRow> rows;
  for (std::size_t i = 0; i < count; ++i) {
    rows.push_back({static_cast<std::int64_t>(i), 1e9, 100 * i, 50, static_cast<std::uint32_t>(i * 7) % series});
  }
  return rows;
}

StripeView opened(const Block& block) {
  const auto view = StripeView::open(block.bytes(), true);
  CHECK(view);
  return view ? *view : StripeView();
}

bool is_rejected(Bytes bytes, bool verify = false) { return !StripeView::open(bytes, verify); }

// Reads everything that a caller can read.
double read_all(const StripeView& view) {
  double sum = 0;
  for (const ScalarGroup& group : view.scalar_groups()) {
    const auto segment = view.segment(group);
    if (!segment) continue;
    Tally tally;
    tally_range(segment->pyramid(), 0, segment->count, tally);
    const Series series({*segment});
    sum += tally.min() + static_cast<double>(series.stats().last_step) + segment->walls[segment->count - 1];
  }
  for (const std::uint64_t length : view.payload_lengths()) sum += static_cast<double>(length);
  return sum;
}

}  // namespace

TEST(stripe_has_its_last_finite_wall_time) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const std::vector<ScalarRow> rows = {
      {0, 5.0, 1.0, 0}, {1, kInf, 1.0, 0}, {2, std::nan(""), 1.0, 0}, {3, -7.0, 1.0, 0}};
  CHECK(opened(build_stripe(rows, {}, 1)).last_wall() == 5.0);
  CHECK(opened(build_stripe(rows, some_payloads(3, 1), 1)).last_wall() == 1e9);
  CHECK(std::isnan(opened(build_stripe(std::span(rows).subspan(1, 2), {}, 1)).last_wall()));
  CHECK(std::isnan(opened(build_stripe({}, {}, 1)).last_wall()));
}

TEST(stripe_finds_its_greatest_step_besides_those_of_skipped_series) {
  const std::vector<ScalarRow> rows = {{7, 1.0, 1.0, 0}, {9, 2.0, 1.0, 0}, {3, 3.0, 1.0, 0}, {500, 4.0, 1.0, 2}};
  const Block block = build_stripe(rows, {}, 3);
  const std::vector<std::uint32_t> last = {2}, all = {0, 2};
  CHECK(opened(block).max_step({}) == 500);
  CHECK(opened(block).max_step(last) == 9);
  CHECK(!opened(block).max_step(all).has_value());
  CHECK(!opened(build_stripe({}, {}, 1)).max_step({}).has_value());
}

TEST(stripe_groups_rows_by_series_in_order_of_arrival) {
  const auto rows = some_rows(5000, 17, 1);
  const Block block = build_stripe(rows, some_payloads(100, 17), 17);
  const StripeView view = opened(block);
  CHECK(view.size() == block.size && view.steps().size() == 5000 && view.payload_steps().size() == 100);
  for (std::uint32_t id = 0; id < 17; ++id) {
    const auto segment = view.find(id).value();
    CHECK((segment.flags & (kStepsSorted | kWallsSorted)) == (kStepsSorted | kWallsSorted));
    std::size_t at = 0;
    for (const ScalarRow& row : rows) {
      if (row.series != id) continue;
      CHECK(segment.steps[at] == row.step && testing::same(segment.values[at], row.value));
      ++at;
    }
    CHECK(at == segment.count);
  }
}

TEST(stripe_flags_tell_when_order_is_broken) {
  const double nan = std::nan("");
  const std::vector<ScalarRow> rows = {{5, 1, 0, 0},   {4, 2, 0, 0}, {1, 5, 0, 1}, {1, 4, 0, 1},
                                       {1, nan, 0, 2}, {2, 2, 0, 3}, {2, 2, 0, 3}};
  const Block block = build_stripe(rows, {}, 4);
  const StripeView view = opened(block);
  CHECK(view.scalar_groups()[0].flags == kWallsSorted);
  CHECK(view.scalar_groups()[1].flags == kStepsSorted);
  CHECK(view.scalar_groups()[2].flags == kStepsSorted);
  CHECK(view.scalar_groups()[3].flags == (kStepsSorted | kWallsSorted));
}

TEST(stripe_merged_equals_stripe_built_at_once) {
  const auto rows = some_rows(9000, 5, 2);
  const auto payloads = some_payloads(30, 5);
  const std::span<const ScalarRow> all(rows);
  const std::span<const PayloadRow> all_payloads(payloads);
  const Block a = build_stripe(all.first(10), all_payloads.first(0), 5);
  const Block b = build_stripe(all.subspan(10, 7000), all_payloads.first(20), 5);
  const Block c = build_stripe(all.subspan(7010), all_payloads.subspan(20), 5);
  const StripeView views[] = {opened(a), opened(b), opened(c)};
  const StripeView* const parts[] = {&views[0], &views[1], &views[2]};
  CHECK(same_bytes(merge_stripes(parts).bytes(), build_stripe(rows, payloads, 5).bytes()));
}

TEST(stripe_of_nothing_opens) {
  const Block block = merge_stripes({});
  const StripeView view = opened(block);
  CHECK(view.steps().empty() && view.scalar_groups().empty());
}

TEST(stripe_has_its_size_and_ignores_bytes_after_it) {
  const Block block = build_stripe(some_rows(100, 3, 3), {}, 3);
  CHECK(reinterpret_cast<std::uintptr_t>(block.bytes().data()) % 8 == 0);
  Block longer = Block::of(block.size + 100);
  std::memset(longer.data(), 0, longer.size);
  std::memcpy(longer.data(), block.bytes().data(), block.size);
  const auto view = StripeView::open(longer.bytes(), true);
  CHECK(view && view->size() == block.size);
}

TEST(stripe_truncated_misaligned_or_of_another_version_is_rejected) {
  Block block = build_stripe(some_rows(600, 2, 4), some_payloads(3, 2), 2);
  for (std::size_t size = 0; size < block.size; size += 5) CHECK(is_rejected(block.bytes().first(size)));
  CHECK(is_rejected(block.bytes().subspan(8)));
  std::vector<std::uint64_t> shifted(block.size / 8 + 1);
  auto* odd = reinterpret_cast<std::uint8_t*>(shifted.data()) + 1;
  std::memcpy(odd, block.data(), block.size);
  CHECK(is_rejected({odd, block.size}));
  store(block.data() + offsetof(StripeHeader, version), kStripeVersion + 1);
  CHECK(is_rejected(block.bytes()));
}

TEST(stripe_with_any_flipped_bit_fails_its_checksum_and_is_read_within_bounds) {
  const Block block = build_stripe(some_rows(700, 2, 5), some_payloads(3, 2), 2);
  const std::size_t columns = sizeof(StripeHeader) + 2 * sizeof(ScalarGroup) + 2 * sizeof(PayloadGroup);
  for (std::size_t bit = 0; bit < block.size * 8; bit += bit < columns * 8 ? 1 : 997) {
    Block damaged = Block::of(block.size);
    std::memcpy(damaged.data(), block.bytes().data(), block.size);
    damaged.data()[bit / 8] = static_cast<std::uint8_t>(damaged.data()[bit / 8] ^ (1U << (bit % 8)));
    CHECK(is_rejected(damaged.bytes(), true));
    if (const auto view = StripeView::open(damaged.bytes(), false)) {
      read_all(*view);
      const StripeView* const parts[] = {&*view, &*view};
      merge_stripes(parts);
    }
  }
}

TEST(stripe_with_impossible_counts_is_rejected) {
  const Block block = build_stripe(some_rows(10, 2, 6), {}, 2);
  for (std::size_t field = offsetof(StripeHeader, total_size); field < sizeof(StripeHeader); field += 8) {
    for (const std::uint64_t count :
         {~std::uint64_t{0}, std::uint64_t{1} << 61, std::uint64_t{1} << 45, std::uint64_t{3}}) {
      Block damaged = Block::of(block.size);
      std::memcpy(damaged.data(), block.bytes().data(), block.size);
      store(damaged.data() + field, count);
      CHECK(is_rejected(damaged.bytes()));
    }
  }
}

TEST(stripe_changed_after_it_was_opened_is_read_within_bounds) {
  Block block = build_stripe(some_rows(700, 2, 7), some_payloads(3, 2), 2);
  const StripeView view = opened(block);
  std::memset(block.data() + sizeof(StripeHeader), 0xff, 2 * sizeof(ScalarGroup) + 2 * sizeof(PayloadGroup));
  CHECK(!view.find(0) && !view.find(1));
  const StripeView* const parts[] = {&view};
  const Block merged = merge_stripes(parts);
  CHECK(opened(merged).steps().empty());
}

}  // namespace seamark
