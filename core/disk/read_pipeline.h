// The two threads that work for a FileReader: one reads the next block, the other builds the last stripe.
#pragma once

#include <vector>

#include "disk/worker_thread.h"
#include "scan/scan.h"

namespace seamark {

// Builds one stripe while the scanner collects the rows of the next.
class StripeBuilder {
 public:
  // Takes the scanner's rows. Appends stripes that are done to `out`.
  void take(Scanner& scanner, std::vector<Block>& out);
  void finish(std::vector<Block>& out);

 private:
  PendingRows rows_;
  Block built_;
  WorkerThread worker_;  // last: it uses all of the above
};

struct ReadPipeline {
  WorkerThread reader;
  StripeBuilder builder;

  // Discards the tasks under way, so that nothing uses the memory of the read that ended, and no stripe of it gets into
  // the next. Never throws.
  void wait_until_idle() noexcept;
};

}  // namespace seamark
