// The debiased exponential moving average that TensorBoard draws.
#pragma once

#include <optional>
#include <vector>

#include "bytes.h"

namespace seamark {

enum class SmoothingMode { Fixed, Adaptive };

// How strongly a query smooths; weight 0 is not at all.
struct Smoothing {
  // Fixed: the share of the average that stays from one point to the next, as in TensorBoard. Adaptive: the half-life
  // of a value as a share of the visible range, so that a curve is as smooth at every zoom.
  double weight = 0;
  SmoothingMode mode = SmoothingMode::Fixed;
  std::optional<double> visible;  // in units of the axis; default: the window
};

// The weight from one point to the next of a line whose points are `spacing` apart.
double point_weight(const Smoothing& smoothing, double visible, double spacing);

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
