// A whole series in a few numbers, for a table of runs.
#pragma once

#include "columns/series.h"

namespace seamark {

// X(type, name), over the current points in order of step, without those that a restart replaced. Minimum, maximum and
// means are over finite values, NaN without any. The last point is the one with the greatest step, the latest written
// among equals. `tail` is the mean of the last points; min_step and max_step are where the extreme was reached first.
// Steps are doubles, because there may be none.
#define SEAMARK_DIGEST_FIELDS(X) \
  X(std::uint64_t, count)        \
  X(double, first)               \
  X(double, last)                \
  X(double, min)                 \
  X(double, max)                 \
  X(double, mean)                \
  X(double, tail)                \
  X(double, min_step)            \
  X(double, max_step)            \
  X(double, last_step)

struct Digest {
  SEAMARK_DIGEST_FIELDS(SEAMARK_DECLARE_FIELD)
};

Digest digest(const Series& series, std::uint64_t tail_points);

}  // namespace seamark
