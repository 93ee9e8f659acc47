"""Where the percentiles of histograms lie, exactly as TensorBoard's distributions have them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# In hundredths of a percent: minimum, maximum, median, and 0.5, 1, 1.5 standard deviations of a normal distribution.
BASIS_POINTS = (0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10000)
# Histograms that are looked at together lie side by side in a table of at most about so many cells.
MOST_CELLS = 1_000_000


def percentiles(buckets: NDArray[np.float64]) -> list[tuple[int, float]]:
    """The value at each basis point, counts taken as spread evenly over their bucket."""
    values = percentile_table([buckets])[0].tolist() if buckets.size else [0.0] * len(BASIS_POINTS)
    return list(zip(BASIS_POINTS, values, strict=True))


def percentile_table(histograms: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The same of many, a row for each; NaN for one without buckets."""
    table = np.full((len(histograms), len(BASIS_POINTS)), np.nan)
    known = [position for position, buckets in enumerate(histograms) if len(buckets)]
    together = MOST_CELLS // max([len(histograms[position]) for position in known], default=1) or 1
    for first in range(0, len(known), together):
        chosen = known[first : first + together]
        table[chosen] = _table([histograms[position] for position in chosen])
    return table


def _table(histograms: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Of histograms with one bucket at least. Shorter ones are filled up with buckets that hold nothing."""
    lengths = np.array([len(buckets) for buckets in histograms])
    joined = np.concatenate(histograms)
    last = np.cumsum(lengths) - 1
    low, high = joined[last - lengths + 1, 0], joined[last, 1]
    is_bucket = np.arange(lengths.max()) < lengths[:, np.newaxis]
    right, counts = np.zeros(is_bucket.shape), np.zeros(is_bucket.shape)
    right[is_bucket], counts[is_bucket] = joined[:, 1], joined[:, 2]
    # Each by itself: in another order of adding, counts that are fractions would differ in the last digit.
    total = np.array([buckets[:, 2].sum() or 1.0 for buckets in histograms])
    upto = np.cumsum(counts * BASIS_POINTS[-1] / total[:, np.newaxis], axis=1)
    table = np.empty((len(histograms), len(BASIS_POINTS)))
    rows = np.arange(len(histograms))
    for column, point in enumerate(BASIS_POINTS):
        at = (upto <= point).sum(axis=1)
        is_beyond = at == upto.shape[1]
        at[is_beyond] = 0
        before = np.where(at > 0, upto[rows, at - 1], 0.0)
        # Empty buckets at the start do not move the lower end away from the minimum.
        start, stop = right[rows, at - 1], right[rows, at]
        # Not maximum and minimum: beside an end that is NaN an edge stays as it is.
        start = np.where((before != 0) & ~(low > start), start, low)
        stop = np.where(high < stop, high, stop)
        with np.errstate(all="ignore"):  # edges may be infinite, and what is beyond divides by anything
            value = start + (point - before) * (stop - start) / (upto[rows, at] - before)
        table[:, column] = np.where(is_beyond, high, value)
    return table
