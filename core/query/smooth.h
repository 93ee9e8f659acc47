// The debiased exponential moving average that TensorBoard draws.
#pragma once

#include <vector>

#include "bytes.h"

namespace seamark {

// 1 - weight^n by n, which corrects the average for its start at zero. Shared by all series of a query, because a power
// costs more than the rest of a point; computes only the powers that are asked for.
class Debias {
 public:
  explicit Debias(double weight);
  double weight() const { return weight_; }
  double operator()(std::uint64_t points);
  std::uint64_t computed_powers() const { return computed_powers_; }

 private:
  double weight_;
  std::vector<double> table_;                                               // by n; 0 where it is not computed yet
  std::uint64_t settled_from_ = std::numeric_limits<std::uint64_t>::max();  // from here on it is exactly 1
  std::uint64_t computed_powers_ = 0;
};

// A series of fewer points is not smoothed: every one of its values is a result, and the average would hide the last.
constexpr std::uint64_t kMinSmoothedPoints = 20;

// Takes the values of a series from its start, part by part, and has the smoothed value at the last one.
class Smoother {
 public:
  // `as_logged`: the values as they are. Smoothing a constant series would only add rounding noise.
  Smoother(Debias& debias, bool as_logged) : debias_(&debias), as_logged_(as_logged) {}

  void feed(std::span<const double> values);
  double smoothed(double last_value) const;

 private:
  void feed_one(double value);
  void feed_lanes(const double* values, std::size_t lane_rows);

  Debias* debias_;
  bool as_logged_;
  double average_ = 0;
  std::uint64_t points_ = 0;
};

}  // namespace seamark
