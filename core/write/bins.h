// Counts of values between given edges, and their sums.
#pragma once

#include <vector>

#include "bytes.h"

namespace seamark {

// Of the finite values only.
struct BinCounts {
  std::vector<std::int64_t> counts;  // [edges[i], edges[i + 1]), the last one closed; values outside are in none
  std::uint64_t finite = 0;
  double min = 0, max = 0, sum = 0, sum_squares = 0;  // min and max are 0 without finite values
};

// Throws std::invalid_argument unless there are at least two edges, in ascending order.
BinCounts count_between(std::span<const float> values, std::span<const double> edges);
BinCounts count_between(std::span<const double> values, std::span<const double> edges);

}  // namespace seamark
