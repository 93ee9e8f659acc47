#include "layout/fast_power.h"

#include <cmath>
#include <limits>

#include "testing/testing.h"

namespace seamark {
namespace {

using Limits = std::numeric_limits<float>;

}  // namespace

TEST(fast_power_is_as_precise_as_forces_need) {
  for (float base = 1e-12F; base < 1e12F; base *= 1.01F) {
    const FloatLanes bases = {base, 2 * base, 3 * base, 5 * base};
    for (const float exponent : {0.3F, 0.895F, 1.0F, 1.9F}) {
      const FloatLanes powers = fast_power(bases, exponent);
      for (int lane = 0; lane < kLanes; ++lane) {
        CHECK(testing::close(powers[lane], std::pow(double{bases[lane]}, double{exponent}), 1e-4));
      }
    }
  }
}

TEST(fast_power_is_finite_for_every_number) {
  for (const FloatLanes bases : {FloatLanes{0, Limits::denorm_min(), Limits::max(), Limits::infinity()},
                                 FloatLanes{Limits::quiet_NaN(), -Limits::quiet_NaN(), -1, -Limits::infinity()}}) {
    for (const float exponent : {0.895F, 100.F}) {
      const FloatLanes powers = fast_power(bases, exponent);
      for (int lane = 0; lane < kLanes; ++lane) CHECK(std::isfinite(powers[lane]));
    }
  }
}

}  // namespace seamark
