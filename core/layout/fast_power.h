// Powers of four numbers at once, for forces that need few digits. Compilers do not vectorize std::pow.
#pragma once

#include <bit>
#include <cstdint>

namespace seamark {

// What every processor that this runs on has a register for.
inline constexpr int kLanes = 4;
using FloatLanes = float __attribute__((vector_size(16)));
using IntLanes = std::int32_t __attribute__((vector_size(16)));

// Also limits NaN, to `low`.
inline FloatLanes limited(FloatLanes value, float low, float high) {
  const FloatLanes lows = FloatLanes{} + low;
  const FloatLanes highs = FloatLanes{} + high;
  value = value > lows ? value : lows;
  return value < highs ? value : highs;
}

// Of numbers above 0, to 1e-5. Finite for all numbers.
inline FloatLanes fast_log2(FloatLanes value) {
  const auto bits = std::bit_cast<IntLanes>(value);
  const auto exponent = __builtin_convertvector(((bits >> 23) & 0xFF) - 127, FloatLanes);
  const FloatLanes above_one = std::bit_cast<FloatLanes>((bits & 0x007FFFFF) | 0x3F800000) - 1;
  // log2(1 + t) / t for t from 0 to 1, in Chebyshev points; in pairs, which do not wait for one another.
  const FloatLanes square = above_one * above_one;
  const FloatLanes factor =
      (1.44268325F - 0.72044237F * above_one) +
      square * ((0.46930169F - 0.30338967F * above_one) + square * (0.14643361F - 0.03459521F * above_one));
  return exponent + above_one * factor;
}

// 2^exponent with a relative error of 4e-6; exponents of more than 126 count as 126, of less than -126 as -126.
inline FloatLanes fast_exp2(FloatLanes exponent) {
  const FloatLanes shifted = limited(exponent, -126, 126) + 127;  // positive: the conversion rounds down
  const auto whole = __builtin_convertvector(shifted, IntLanes);
  const FloatLanes part = shifted - __builtin_convertvector(whole, FloatLanes);
  const FloatLanes square = part * part;
  const FloatLanes power =
      (1.0000036F + 0.69296955F * part) + square * ((0.24162132F + 0.05171774F * part) + 0.01368398F * square);
  return power * std::bit_cast<FloatLanes>(whole << 23);
}

// base^exponent of bases above 0.
inline FloatLanes fast_power(FloatLanes base, float exponent) { return fast_exp2(exponent * fast_log2(base)); }

}  // namespace seamark
