"""Where the percentiles of a histogram lie, exactly as TensorBoard's distributions have them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# In hundredths of a percent: minimum, maximum, median, and 0.5, 1, 1.5 standard deviations of a normal distribution.
BASIS_POINTS = (0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10000)


def percentiles(buckets: NDArray[np.float64]) -> list[tuple[int, float]]:
    """The value at each basis point, counts taken as spread evenly over their bucket."""
    if not buckets.size:
        return [(point, 0.0) for point in BASIS_POINTS]
    low, high = float(buckets[0, 0]), float(buckets[-1, 1])
    right, counts = buckets[:, 1], buckets[:, 2]
    upto = np.cumsum(counts * BASIS_POINTS[-1] / (counts.sum() or 1.0))
    found = []
    for point, at in zip(BASIS_POINTS, np.searchsorted(upto, BASIS_POINTS, side="right").tolist(), strict=True):
        if at == len(upto):
            found.append((point, high))
            continue
        before = float(upto[at - 1]) if at else 0.0
        # Empty buckets at the start do not move the lower end away from the minimum.
        start = max(float(right[at - 1]), low) if before else low
        stop = min(float(right[at]), high)
        found.append((point, start + (point - before) * (stop - start) / (float(upto[at]) - before)))
    return found
