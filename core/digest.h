// A whole series in a few numbers: what a table of runs shows of it.
#pragma once

#include "series.h"

namespace seamark {

// Over the points that count, in order of step: without those that a restart replaced. Minimum, maximum and means are
// over finite values, and NaN when there are none; first and last are as they are. The last is the point with the
// greatest step, the latest written among equals.
struct Digest {
  std::uint64_t count = 0;
  double first = std::numeric_limits<double>::quiet_NaN();
  double last = std::numeric_limits<double>::quiet_NaN();
  double min = std::numeric_limits<double>::quiet_NaN();
  double max = std::numeric_limits<double>::quiet_NaN();
  double mean = std::numeric_limits<double>::quiet_NaN();
  double tail = std::numeric_limits<double>::quiet_NaN();  // the mean of the last points
  // Where the minimum and the maximum were reached first, and the last point's step. Doubles: there may be none.
  double min_step = std::numeric_limits<double>::quiet_NaN();
  double max_step = std::numeric_limits<double>::quiet_NaN();
  double last_step = std::numeric_limits<double>::quiet_NaN();
};

Digest digest(const Series& series, std::uint64_t tail_points);

}  // namespace seamark
