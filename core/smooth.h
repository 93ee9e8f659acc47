// The debiased exponential moving average that TensorBoard draws.
#pragma once

#include <vector>

#include "bytes.h"

namespace seamark {

// 1 - weight^n by n, which corrects the average for having started at zero. Shared by all series of a query: a power
// costs more than the rest of a point.
class Debias {
 public:
  explicit Debias(double weight);
  double weight() const { return weight_; }
  double operator()(std::uint64_t points) const;

 private:
  double weight_;
  std::vector<double> table_;
  bool settled_ = false;  // past the table it is 1 to the last bit
};

// Fed with a series from its start, piece by piece; says what the smoothed value is at the point fed last.
class Smoother {
 public:
  // A constant series is left alone: smoothing would only add rounding noise to it.
  Smoother(const Debias& debias, bool constant) : debias_(&debias), constant_(constant) {}

  void feed(std::span<const double> values);
  double smoothed(double last_value) const;

 private:
  void feed_one(double value);
  void feed_lanes(const double* values, std::size_t lane_rows);

  const Debias* debias_;
  bool constant_;
  double average_ = 0;
  std::uint64_t points_ = 0;
};

void smooth(std::span<const double> values, double weight, double* out);

}  // namespace seamark
