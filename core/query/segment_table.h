// Many series of many runs, without an object for each: making one would take longer than computing its few numbers.
#pragma once

#include <unordered_map>

#include "columns/series.h"

namespace seamark {

// A stripe of a run, with the id that each series has in it, below zero where it has none.
struct RunStripe {
  const StripeView* stripe;
  std::vector<std::int64_t> series_ids;
};

struct RunSeries {
  std::vector<RunStripe> stripes;                                // in order
  std::unordered_map<std::size_t, std::vector<PartSpan>> spans;  // by series; only for those with several attempts
};

// A view of stripes that its user keeps alive.
class SegmentTable {
 public:
  explicit SegmentTable(std::size_t series_per_run) : series_per_run_(series_per_run) {}

  // Throws std::invalid_argument if a stripe does not have an id for every series.
  void add(RunSeries run);

  // Series of the first run, then of the second, and so on.
  std::size_t size() const { return runs_.size() * series_per_run_; }
  Series operator[](std::size_t index) const;

 private:
  std::size_t series_per_run_;
  std::vector<RunSeries> runs_;
};

}  // namespace seamark
