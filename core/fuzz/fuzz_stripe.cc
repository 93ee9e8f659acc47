// Any bytes as a stripe: opens it without its checksum and runs every query.
#include <cmath>
#include <vector>

#include "columns/stripe.h"
#include "query/digest.h"
#include "query/downsample.h"

namespace {

using namespace seamark;

void ask(const Series& series) {
  series.stats();
  series.columns(false);
  digest(series, 3);
  const Series* const all[] = {&series, &series};
  for (const Axis axis : {Axis::Step, Axis::Relative, Axis::Wall}) {
    for (const Attempts attempts : {Attempts::Latest, Attempts::All, Attempts::Marked}) {
      WindowQuery query;
      query.axis = axis;
      query.max_points = 3;
      query.smoothing = {0.6, attempts == Attempts::All ? SmoothingMode::Adaptive : SmoothingMode::Fixed, {}};
      query.attempts = attempts;
      query.edges = true;
      window(all, query);
      query.start = -5;
      query.stop = 1e300;
      window(all, query);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Block block = Block::of(size);
  if (size > 0) std::memcpy(block.data(), data, size);
  // Lets the fuzzer get past the header.
  if (size >= sizeof(StripeHeader)) {
    store(block.data(), kStripeMagic);
    store(block.data() + offsetof(StripeHeader, version), kStripeVersion);
  }
  const auto opened = StripeView::open(block.bytes(), false);
  if (!opened) return 0;
  const StripeView& view = *opened;
  std::vector<Segment> twice;
  for (const ScalarGroup& group : view.scalar_groups()) {
    if (const auto segment = view.segment(group)) twice.push_back(*segment);
  }
  ask(Series(twice));
  view.scalar_step_ranges();
  view.payload_step_ranges();
  const std::uint64_t rows = view.steps().size();
  ask(Series(twice, {{0, 0, 7}, {rows / 3, 1, -2}, {rows / 2, 1, {}}, {rows - rows / 4, 2, {}}}));
  const StripeView* const parts[] = {&view, &view};
  const Block merged = merge_stripes(parts);
  if (!StripeView::open(merged.bytes(), true)) __builtin_trap();
  return 0;
}
