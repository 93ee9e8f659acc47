"""Percentiles of histograms, computed exactly as in TensorBoard's distributions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# In hundredths of a percent: minimum, maximum, median, and 0.5, 1, 1.5 standard deviations of a normal distribution.
BASIS_POINTS = (0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10000)
# Histograms are processed in tables of about as many cells.
MAX_CELLS = 1_000_000


def percentiles(buckets: NDArray[np.float64]) -> list[tuple[int, float]]:
    """The value at each basis point, assuming that counts are spread evenly over their bucket."""
    values = percentile_table([buckets])[0].tolist() if buckets.size else [0.0] * len(BASIS_POINTS)
    return list(zip(BASIS_POINTS, values, strict=True))


def percentile_table(histograms: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The percentiles of many histograms, one row each; NaN for a histogram without buckets."""
    table = np.full((len(histograms), len(BASIS_POINTS)), np.nan)
    known = [position for position, buckets in enumerate(histograms) if len(buckets)]
    batch = MAX_CELLS // max([len(histograms[position]) for position in known], default=1) or 1
    for first in range(0, len(known), batch):
        chosen = known[first : first + batch]
        table[chosen] = _table([histograms[position] for position in chosen])
    return table


def _table(histograms: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The percentiles of histograms with at least one bucket. Shorter ones are padded with empty buckets."""
    lengths = np.array([len(buckets) for buckets in histograms])
    joined = np.concatenate(histograms)
    last = np.cumsum(lengths) - 1
    low, high = joined[last - lengths + 1, 0], joined[last, 1]
    is_bucket = np.arange(lengths.max()) < lengths[:, np.newaxis]
    right, counts = np.zeros(is_bucket.shape), np.zeros(is_bucket.shape)
    right[is_bucket], counts[is_bucket] = joined[:, 1], joined[:, 2]
    # One by one: in another order of summation, fractional counts would differ in the last digit.
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
        # Not np.maximum and np.minimum: an edge stays unchanged if the end is NaN.
        start = np.where((before != 0) & ~(low > start), start, low)
        stop = np.where(high < stop, high, stop)
        with np.errstate(all="ignore"):  # edges may be infinite, and rows that are beyond may divide by zero
            value = start + (point - before) * (stop - start) / (upto[rows, at] - before)
        table[:, column] = np.where(is_beyond, high, value)
    return table
