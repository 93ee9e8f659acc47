#include "query/smooth.h"

#include <stdexcept>

#include "testing/stored_series.h"

namespace seamark {
using testing::close;
using testing::Random;
using testing::same;
using testing::smoothed;

namespace {

// As TensorBoard computes it.
std::vector<double> reference(const std::vector<double>& values, double weight) {
  bool constant = true;
  for (const double value : values) constant = constant && value == values[0];
  std::vector<double> out;
  double last = 0;
  int count = 0;
  for (const double value : values) {
    if (constant || !std::isfinite(value)) {
      out.push_back(value);
      continue;
    }
    last = last * weight + (1 - weight) * value;
    ++count;
    out.push_back(last / (weight == 1 ? 1 : 1 - std::pow(weight, count)));
  }
  return out;
}

}  // namespace

TEST(smooth_is_tensorboards_formula) {
  Random random(3);
  for (const double weight : {0.0, 0.1, 0.6, 0.9, 0.99, 0.999, 1.0}) {
    std::vector<double> values(3000);
    for (double& value : values) value = random.value();
    const auto got = smoothed(values, weight);
    const auto want = reference(values, weight);
    for (std::size_t i = 0; i < values.size(); ++i) CHECK(same(got[i], want[i]));
  }
}

TEST(smooth_does_not_change_a_constant_series) {
  const std::vector<double> values(50, 0.1);
  CHECK(smoothed(values, 0.9) == values);
}

TEST(smooth_of_nothing) { CHECK(smoothed({}, 0.5).empty()); }

TEST(smooth_in_parts_gives_the_same_as_one_point_at_a_time) {
  Random random(4);
  for (const double weight : {0.3, 0.6, 0.97, 0.999}) {
    std::vector<double> values(5000);
    for (double& value : values) value = random.unit() + 0.1;
    values[1234] = std::nan("");
    const auto want = reference(values, weight);
    Debias debias(weight);
    Smoother smoother(debias, false);
    for (std::size_t at = 0; at < values.size();) {
      const std::size_t size = std::min(values.size() - at, 1 + random.below(700));
      smoother.feed(std::span(values).subspan(at, size));
      at += size;
      CHECK(close(smoother.smoothed(values[at - 1]), want[at - 1]));
    }
  }
}

TEST(smooth_computes_only_the_powers_that_it_needs) {
  Debias debias(0.9999);
  CHECK(close(debias(60000), 1 - std::pow(0.9999, 60000)));
  CHECK(close(debias(7), 1 - std::pow(0.9999, 7)) && debias(7) == debias(7));
  CHECK(debias.computed_powers() == 2);
  CHECK(debias(1U << 30U) == 1 && debias(1U << 31U) == 1 && debias.computed_powers() == 3);
}

TEST(smooth_weight_of_a_half_life) {
  const Smoothing fixed{0.6, SmoothingMode::Fixed, {}};
  CHECK(point_weight(fixed, 1000, 1) == 0.6);
  const Smoothing adaptive{0.02, SmoothingMode::Adaptive, {}};
  const double weight = point_weight(adaptive, 1000, 1);  // a half-life of 20 points
  CHECK(close(std::pow(weight, 20), 0.5));
  CHECK(close(std::pow(point_weight(adaptive, 1000, 10), 2), 0.5));
  CHECK(point_weight(adaptive, 100, 1) < weight);
  const Smoothing narrow{0.02, SmoothingMode::Adaptive, 100};
  CHECK(point_weight(narrow, 1000, 1) == point_weight(adaptive, 100, 1));
  CHECK(point_weight(adaptive, 0, 1) == 0 && point_weight(adaptive, 1000, 0) == 0);
  CHECK(point_weight(adaptive, std::nan(""), 1) == 0 && point_weight(adaptive, 1e300, 1e-300) < 1);
}

TEST(smooth_rejects_weights_outside_0_to_1) {
  CHECK_THROWS(std::invalid_argument, Debias(-0.1));
  CHECK_THROWS(std::invalid_argument, Debias(1.1));
  CHECK_THROWS(std::invalid_argument, Debias(std::nan("")));
}

}  // namespace seamark
