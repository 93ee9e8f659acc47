"""Interval arithmetic on whole nanoseconds: sorted, disjoint, half-open intervals as two columns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from seamark.profiles.form import Times


class Intervals(NamedTuple):
    """Ascending, disjoint and none of them empty: [start, end)."""

    start: Times
    end: Times

    @property
    def total(self) -> int:
        return int((self.end - self.start).sum())

    def clip(self, start: int, end: int) -> Intervals:
        first, last = np.searchsorted(self.end, start, "right"), np.searchsorted(self.start, end, "left")
        if last <= first:
            return EMPTY
        return Intervals(np.maximum(self.start[first:last], start), np.minimum(self.end[first:last], end))


EMPTY = Intervals(np.empty(0, np.int64), np.empty(0, np.int64))


def merge(start: Times, end: Times, *, max_gap_ns: int = 0) -> Intervals:
    """The union of any intervals; gaps up to `max_gap_ns` are filled."""
    if not np.all(end > start):
        filled = end > start
        start, end = start[filled], end[filled]
    if not len(start):
        return EMPTY
    if np.any(start[1:] < start[:-1]):
        # Slices come row by row, each in order: a stable sort merges such runs quickly.
        order = np.argsort(start, kind="stable")
        start, end = start[order], end[order]
    reach = np.maximum.accumulate(end)
    first = np.empty(len(start), bool)
    first[0] = True
    np.greater(start[1:], reach[:-1] + max_gap_ns, out=first[1:])
    last = np.append(np.flatnonzero(first[1:]), len(start) - 1)
    return Intervals(start[first], reach[last])


def unite(*parts: Intervals) -> Intervals:
    filled = [part for part in parts if len(part.start)]
    if len(filled) < 2:
        return filled[0] if filled else EMPTY
    return merge(np.concatenate([part.start for part in filled]), np.concatenate([part.end for part in filled]))


def invert(intervals: Intervals, start: int, end: int) -> Intervals:
    """What is not covered between `start` and `end`."""
    inside = intervals.clip(start, end)
    gap_start, gap_end = np.append(start, inside.end), np.append(inside.start, end)
    filled = gap_end > gap_start
    return Intervals(gap_start[filled], gap_end[filled])


def intersect(a: Intervals, b: Intervals) -> Intervals:
    if not len(a.start) or not len(b.start):
        return EMPTY
    low, high = int(min(a.start[0], b.start[0])), int(max(a.end[-1], b.end[-1]))
    return invert(unite(invert(a, low, high), invert(b, low, high)), low, high)


def subtract(a: Intervals, b: Intervals) -> Intervals:
    if not len(a.start):
        return EMPTY
    return intersect(a, invert(b, int(a.start[0]), int(a.end[-1])))


def covered_before(intervals: Intervals, times: ArrayLike) -> Times:
    """How much is covered before each time."""
    moments = np.asarray(times, np.int64)
    if not len(intervals.start):
        return np.zeros(moments.shape, np.int64)
    sums = np.concatenate(([0], np.cumsum(intervals.end - intervals.start)))
    index = np.searchsorted(intervals.start, moments, "right")
    beyond = np.maximum(intervals.end[np.maximum(index, 1) - 1] - moments, 0)
    return sums[index] - np.where(index > 0, beyond, 0)


def covered_within(intervals: Intervals, start: ArrayLike, end: ArrayLike) -> Times:
    """How much of each window is covered."""
    return covered_before(intervals, end) - covered_before(intervals, start)
