"""Interval arithmetic against counting every nanosecond."""

from __future__ import annotations

import numpy as np

from seamark.profiles.analyses.slices.intervals import (
    EMPTY,
    Intervals,
    covered_within,
    intersect,
    invert,
    merge,
    subtract,
    unite,
)

LENGTH = 200


def random_intervals(seed: int) -> Intervals:
    random = np.random.default_rng(seed)
    start = random.integers(0, LENGTH - 20, size=12)
    return merge(start, start + random.integers(0, 20, size=12))


def instants(intervals: Intervals) -> np.ndarray:
    covered = np.zeros(LENGTH, bool)
    for start, end in zip(*intervals, strict=True):
        covered[start:end] = True
    return covered


def test_merged_intervals_are_ascending_disjoint_and_not_empty() -> None:
    found = merge(np.array([5, 0, 7, 20, 30]), np.array([8, 3, 9, 20, 31]))
    assert found.start.tolist() == [0, 5, 30]
    assert found.end.tolist() == [3, 9, 31]
    assert merge(np.array([0, 5]), np.array([3, 9]), max_gap_ns=2).start.tolist() == [0]
    assert merge(*EMPTY) is EMPTY


def test_set_operations_agree_with_counting() -> None:
    for seed in range(30):
        a, b = random_intervals(seed), random_intervals(seed + 1000)
        assert (instants(unite(a, b)) == (instants(a) | instants(b))).all()
        assert (instants(intersect(a, b)) == (instants(a) & instants(b))).all()
        assert (instants(subtract(a, b)) == (instants(a) & ~instants(b))).all()
        assert (instants(invert(a, 0, LENGTH)) == ~instants(a)).all()


def test_covered_within_windows() -> None:
    for seed in range(30):
        found = random_intervals(seed)
        starts = np.arange(0, LENGTH - 10, 7)
        expected = [instants(found)[start : start + 10].sum() for start in starts]
        assert covered_within(found, starts, starts + 10).tolist() == expected
    assert covered_within(EMPTY, [0], [10]).tolist() == [0]
