"""Percentiles are inside the histogram and increase."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamark.kinds.histogram import bucketize
from seamark.kinds.statistics.percentiles import BASIS_POINTS, percentile_table, percentiles

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


def test_an_empty_histogram_has_percentiles_of_zero() -> None:
    assert {height for _, height in percentiles(np.zeros((0, 3)))} == {0.0}
    assert {height for _, height in percentiles(np.array([[1.0, 2.0, 0.0]]))} == {2.0}


def test_many_histograms_give_the_same_percentiles_as_each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(5)
    histograms = [bucketize(random.normal(0, 10.0**size, 80), size + 3) for size in range(20)]
    weighted = [buckets * [1, 1, 0.37] for buckets in histograms]
    hollow = [np.zeros((0, 3)), np.array([[1.0, 2.0, 0.0]]), np.array([[0.0, 1.0, 0.0], [1.0, np.inf, 3.0]])]
    every = [*histograms, *hollow, *weighted]
    monkeypatch.setattr("seamark.kinds.statistics.percentiles.MAX_CELLS", 200)  # in several tables
    for row, buckets in zip(percentile_table(every), every, strict=True):
        alone = [height for _, height in percentiles(buckets)] if len(buckets) else [np.nan] * len(BASIS_POINTS)
        assert row.tolist() == pytest.approx(alone, rel=0, abs=0, nan_ok=True)
