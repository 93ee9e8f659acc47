"""Percentiles stay inside the histogram and never go down."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from seamark.kinds.histogram import bucketize
from seamark.kinds.percentiles import BASIS_POINTS, percentiles

NUMBERS = st.floats(-1e6, 1e6, allow_subnormal=False)


@settings(deadline=None)
@given(st.lists(NUMBERS, min_size=1, max_size=50), st.integers(1, 40))
def test_percentiles_rise_from_minimum_to_maximum(values: list[float], buckets: int) -> None:
    found = percentiles(bucketize(values, buckets))
    assert [point for point, _ in found] == list(BASIS_POINTS)
    heights = [height for _, height in found]
    slack = 1e-9 * (1 + max(map(abs, values)))
    assert min(values) - slack <= heights[0] and heights[-1] <= max(values) + slack
    assert all(low <= high + slack for low, high in pairwise(heights))


def test_an_even_spread_has_its_median_in_the_middle() -> None:
    buckets = np.array([[0.0, 1.0, 5.0], [1.0, 2.0, 5.0]])
    assert percentiles(buckets)[4] == (5000, 1.0)
    assert percentiles(buckets)[0] == (0, 0.0)
    assert percentiles(buckets)[-1] == (10000, 2.0)


def test_nothing_counted_has_no_spread() -> None:
    assert {height for _, height in percentiles(np.zeros((0, 3)))} == {0.0}
    assert {height for _, height in percentiles(np.array([[1.0, 2.0, 0.0]]))} == {2.0}
