#include "query/smooth.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "columns/pyramid.h"

namespace seamark {
namespace {

constexpr std::size_t kMaxTable = std::size_t{1} << 16;
constexpr std::size_t kLanes = 4;
constexpr std::size_t kMinLaneRows = 64;
// Where points lie much closer than the half-life, an average still has to move.
constexpr double kMaxAdaptiveWeight = 1 - 1e-9;

}  // namespace

double point_weight(const Smoothing& smoothing, double visible, double spacing) {
  if (smoothing.mode == SmoothingMode::Fixed) return smoothing.weight;
  const double half_life = smoothing.weight * smoothing.visible.value_or(visible);
  // Points at one place, or a range without a width, have no half-life.
  if (!(half_life > 0) || !(spacing > 0)) return 0;
  return std::min(std::exp2(-spacing / half_life), kMaxAdaptiveWeight);
}

Debias::Debias(double weight) : weight_(weight) {
  if (!(weight >= 0 && weight <= 1)) throw std::invalid_argument("smoothing must be between 0 and 1");
  // At weight 1 no value ever counts, and TensorBoard leaves the average, zero, uncorrected.
  if (weight == 1) settled_from_ = 0;
}

double Debias::operator()(std::uint64_t points) {
  if (points >= settled_from_) return 1;
  if (points < table_.size() && table_[static_cast<std::size_t>(points)] != 0) {
    return table_[static_cast<std::size_t>(points)];
  }
  ++computed_powers_;
  const double factor = 1 - std::pow(weight_, static_cast<double>(points));
  if (points < kMaxTable) {
    if (points >= table_.size()) table_.resize(static_cast<std::size_t>(points) + 1);
    table_[static_cast<std::size_t>(points)] = factor;
  }
  if (factor == 1 && points > 0) settled_from_ = points;
  return factor;
}

void Smoother::feed_one(double value) {
  if (!std::isfinite(value)) return;
  average_ = average_ * debias_->weight() + (1 - debias_->weight()) * value;
  ++points_;
}

void Smoother::feed(std::span<const double> values) {
  if (as_logged_) return;
  if (values.size() >= kMinLaneRows && all_finite(values)) {
    const std::size_t lane_rows = values.size() / kLanes;
    feed_lanes(values.data(), lane_rows);
    values = values.subspan(lane_rows * kLanes);
  }
  for (const double value : values) feed_one(value);
}

// The average at the end of a part is linear in the average at its start, so four parts are computed side by side, each
// from zero, and chained afterwards. One chain alone waits eight cycles for every point.
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
  if (as_logged_ || !std::isfinite(last_value)) return last_value;
  return average_ / (*debias_)(points_);
}

}  // namespace seamark
