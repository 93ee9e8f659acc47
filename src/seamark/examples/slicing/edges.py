"""Edges that cut numbers into bins of about equal size, rounded so that people can read them."""

from __future__ import annotations

import math

import numpy as np

from seamark.tables.column import Numbers


def quantile_edges(numbers: Numbers, bins: int, *, is_whole: bool) -> Numbers:
    """At most `bins` - 1 inner edges in ascending order; a bin has the numbers from its edge to below the next one.

    A rounded edge moves by at most a twentieth of the distance to its neighbours.
    """
    finite = np.sort(numbers[np.isfinite(numbers)])
    if len(finite) < 2 or finite[0] == finite[-1]:
        return np.empty(0)
    at = (np.arange(1, bins) * len(finite) / bins).astype(np.int64)
    exact: Numbers = np.unique(finite[at])
    exact = exact[exact > finite[0]]
    if is_whole or not len(exact):
        return exact
    gaps = np.diff([finite[0], *exact.tolist(), finite[-1]])
    smallest = np.minimum(gaps[:-1], gaps[1:])
    rounded = [_rounded(edge, gap / 20) for edge, gap in zip(exact.tolist(), smallest.tolist(), strict=True)]
    return np.unique(rounded)


def _rounded(value: float, max_change: float) -> float:
    """The number with the fewest digits whose distance is at most `max_change`."""
    if max_change <= 0 or not math.isfinite(max_change):
        return value
    return round(value, -math.floor(math.log10(2 * max_change)))
