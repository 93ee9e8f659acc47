#include "smooth.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "pyramid.h"

namespace seamark {
namespace {

constexpr std::size_t kMostPowers = std::size_t{1} << 16;
constexpr std::size_t kLanes = 4;
constexpr std::size_t kWorthLanes = 64;

}  // namespace

Debias::Debias(double weight) : weight_(weight) {
  if (!(weight >= 0 && weight <= 1)) throw std::invalid_argument("smoothing must lie between 0 and 1");
  // At weight 1 nothing ever comes in, and TensorBoard leaves the average, zero, uncorrected.
  while (weight != 1 && !settled_ && table_.size() < kMostPowers) {
    table_.push_back(1 - std::pow(weight, static_cast<double>(table_.size())));
    settled_ = table_.back() == 1 && table_.size() > 1;
  }
}

double Debias::operator()(std::uint64_t points) const {
  if (points < table_.size()) return table_[static_cast<std::size_t>(points)];
  if (settled_ || weight_ == 1) return 1;
  return 1 - std::pow(weight_, static_cast<double>(points));
}

void Smoother::feed_one(double value) {
  if (!std::isfinite(value)) return;
  average_ = average_ * debias_->weight() + (1 - debias_->weight()) * value;
  ++points_;
}

void Smoother::feed(std::span<const double> values) {
  if (constant_) return;
  if (values.size() >= kWorthLanes && all_finite(values)) {
    const std::size_t lane_rows = values.size() / kLanes;
    feed_lanes(values.data(), lane_rows);
    values = values.subspan(lane_rows * kLanes);
  }
  for (const double value : values) feed_one(value);
}

// The average of a stretch is linear in the average before it, so four stretches run side by side, each from zero, and
// are chained afterwards. One chain alone waits eight cycles for every point.
void Smoother::feed_lanes(const double* values, std::size_t lane_rows) {
  const double weight = debias_->weight();
  const double rest = 1 - weight;
  double lane[kLanes] = {0, 0, 0, 0};
  for (std::size_t row = 0; row < lane_rows; ++row) {
    for (std::size_t i = 0; i < kLanes; ++i) lane[i] = lane[i] * weight + rest * values[i * lane_rows + row];
  }
  const double fade = std::pow(weight, static_cast<double>(lane_rows));
  for (const double part : lane) average_ = average_ * fade + part;
  points_ += lane_rows * kLanes;
}

double Smoother::smoothed(double last_value) const {
  if (constant_ || !std::isfinite(last_value)) return last_value;
  return average_ / (*debias_)(points_);
}

void smooth(std::span<const double> values, double weight, double* out) {
  const bool constant = std::all_of(values.begin(), values.end(), [&](double value) { return value == values[0]; });
  const Debias debias(weight);
  Smoother smoother(debias, constant);
  for (std::size_t i = 0; i < values.size(); ++i) {
    smoother.feed(values.subspan(i, 1));
    out[i] = smoother.smoothed(values[i]);
  }
}

}  // namespace seamark
