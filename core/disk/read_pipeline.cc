#include "disk/read_pipeline.h"

#include <utility>

#include "columns/stripe.h"

namespace seamark {

void StripeBuilder::take(Scanner& scanner, std::vector<Block>& out) {
  finish(out);
  rows_.clear();
  rows_ = scanner.take_rows(std::move(rows_));
  worker_.begin([this, count = static_cast<std::uint32_t>(scanner.series().size())] {
    built_ = build_stripe(rows_.scalars.rows(), rows_.payloads.rows(), count);
  });
}

void StripeBuilder::finish(std::vector<Block>& out) {
  worker_.finish();
  if (built_.size > 0) out.push_back(std::exchange(built_, {}));
}

void ReadPipeline::wait_until_idle() noexcept {
  // Each on its own: an exception of one task must not leave the other running. The caller has an exception already, or
  // has no use for the result.
  try {
    reader.finish();
  } catch (...) {  // NOLINT(bugprone-empty-catch)
  }
  try {
    std::vector<Block> discarded;
    builder.finish(discarded);
  } catch (...) {  // NOLINT(bugprone-empty-catch)
  }
}

}  // namespace seamark
