"""The cheapest thresholds of several slices whose rates all are in one window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.tables.column import Numbers

Positions = NDArray[np.int64]
SLACK = 1e-12  # rounding of the window's end
# Pairs of windows that are tried, times slices. Beyond it, the second windows are thinned evenly.
MAX_TRIED = 500_000


@dataclass(frozen=True, eq=False)
class SortedCosts:
    """Costs in ascending order of a rate, with the cheapest of every range of positions in constant time."""

    rates: Numbers
    order: Positions  # the threshold at each position
    cheapest: RangeMinimum

    @classmethod
    def of(cls, rates: Numbers, costs: Numbers) -> SortedCosts:
        order = np.argsort(rates, kind="stable")
        return cls(rates[order], order, RangeMinimum(costs[order]))

    def ends(self, starts: Numbers, width: float) -> tuple[Positions, Positions]:
        """The positions whose rates are from each start to `width` above it."""
        return np.searchsorted(self.rates, starts), np.searchsorted(self.rates, starts + width + SLACK, side="right")


class RangeMinimum:
    """A sparse table: level k has, at each position, the position of the minimum of the 2ᵏ values from there."""

    def __init__(self, values: Numbers) -> None:
        self.values = values
        levels = [np.arange(len(values))]
        while (half := 1 << (len(levels) - 1)) * 2 <= len(values):
            last = levels[-1]
            # The rest, from where fewer than 2ᵏ values follow, is never read.
            levels.append(np.append(self._lower(last[:-half], last[half:]), last[-half:]))
        self._levels = np.stack(levels)

    def positions(self, starts: Positions, ends: Positions) -> Positions:
        """Of the minima of values[start:end]; -1 for an empty range."""
        found = np.full(np.shape(starts), -1, np.int64)
        filled = np.flatnonzero(ends > starts)
        first, end = starts[filled], ends[filled]
        level = np.frexp((end - first).astype(np.float64))[1] - 1  # the largest power of two within
        found[filled] = self._lower(self._levels[level, first], self._levels[level, end - (1 << level)])
        return found

    def _lower(self, first: Positions, second: Positions) -> Positions:
        return np.where(self.values[first] <= self.values[second], first, second)


def cheapest_in_window(slices: Sequence[SortedCosts], width: float) -> list[int] | None:
    """One threshold for each slice; None if no window of this width has a rate of every slice.

    Exact: the lowest rate of the best choice is that of some slice, so all these are tried as the window's start.
    """
    starts = np.unique(np.concatenate([side.rates for side in slices]))
    found = [side.cheapest.positions(*side.ends(starts, width)) for side in slices]
    best = _cheapest([side.cheapest.values for side in slices], found)
    return None if best is None else [int(s.order[p[best]]) for s, p in zip(slices, found, strict=True)]


def cheapest_in_windows(
    costs: Sequence[Numbers], first: Sequence[Numbers], second: Sequence[Numbers], width: float
) -> list[int] | None:
    """As cheapest_in_window, with two rates, neither of which increases with the threshold.

    Exact, unless more pairs of windows are possible than MAX_TRIED.
    """
    starts1, starts2 = np.unique(np.concatenate(list(first))), np.unique(np.concatenate(list(second)))
    ends1 = [_descending_ends(rates, starts1, width) for rates in first]
    stride, total = 1, MAX_TRIED
    while total * len(costs) >= MAX_TRIED:
        thinned = starts2[::stride]
        ends2 = [_descending_ends(rates, thinned, width) for rates in second]
        low, high = _possible(ends1, ends2, len(thinned))
        total, stride = int((high - low).sum()), stride * 2
    if not total:
        return None
    at1 = np.repeat(np.arange(len(starts1)), high - low)
    at2 = np.arange(total) - np.repeat(np.cumsum(high - low) - high, high - low)
    found = [
        RangeMinimum(cost).positions(np.maximum(s1[at1], s2[at2]), np.minimum(e1[at1], e2[at2]))
        for cost, (s1, e1), (s2, e2) in zip(costs, ends1, ends2, strict=True)
    ]
    best = _cheapest(costs, found)
    return None if best is None else [int(positions[best]) for positions in found]


def _possible(
    ends1: Sequence[tuple[Positions, Positions]], ends2: Sequence[tuple[Positions, Positions]], count2: int
) -> tuple[Positions, Positions]:
    """For each window of the first rate: the windows of the second that share a threshold with it, in every slice.

    They follow each other, because neither rate increases with the threshold.
    """
    low, high = np.zeros(len(ends1[0][0]), np.int64), np.full(len(ends1[0][0]), count2)
    for (start1, end1), (start2, end2) in zip(ends1, ends2, strict=True):
        low = np.maximum(low, count2 - np.searchsorted(start2[::-1], end1, side="left"))
        high = np.minimum(high, count2 - np.searchsorted(end2[::-1], start1, side="right"))
    return low, np.maximum(low, high)


def _descending_ends(rates: Numbers, starts: Numbers, width: float) -> tuple[Positions, Positions]:
    """The thresholds whose rates are from each start to `width` above it."""
    ascending = rates[::-1]
    low, high = np.searchsorted(ascending, starts), np.searchsorted(ascending, starts + width + SLACK, side="right")
    return len(rates) - high, len(rates) - low


def _cheapest(costs: Sequence[Numbers], found: Sequence[Positions]) -> int | None:
    """The window with the lowest sum of costs in which every slice has a threshold."""
    total = np.zeros(len(found[0]))
    for cost, positions in zip(costs, found, strict=True):
        total += np.where(positions < 0, np.inf, cost[positions])
    best = int(total.argmin())
    return best if np.isfinite(total[best]) else None
