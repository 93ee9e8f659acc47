// How many values lie between given edges, and what they add up to.
#pragma once

#include <vector>

#include "bytes.h"

namespace seamark {

// Over the finite values alone: NaN and infinities have no place on an axis.
struct BinCounts {
  std::vector<std::int64_t> counts;  // [edges[i], edges[i + 1]), the last one closed; what lies outside is in none
  std::uint64_t finite = 0;
  double min = 0, max = 0, sum = 0, sum_squares = 0;  // min and max are 0 when there is no finite value
};

// `edges` are ascending and at least two; std::invalid_argument when they are not.
BinCounts count_between(std::span<const float> values, std::span<const double> edges);
BinCounts count_between(std::span<const double> values, std::span<const double> edges);

}  // namespace seamark
