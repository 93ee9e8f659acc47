"""Intervals and corrections, compared with SciPy and by their definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from seamark.examples.intervals import holm, mean_interval, newcombe, wilson


@pytest.mark.parametrize(("count", "of"), [(0, 5), (5, 5), (3, 7), (1, 1000), (500, 1000)])
def test_wilsons_interval_matches_scipy(count: int, of: int) -> None:
    expected = stats.binomtest(count, of).proportion_ci(method="wilson")
    found = wilson(count, of)
    assert found.value == count / of
    assert (found.low, found.high) == (pytest.approx(expected.low, abs=1e-12), pytest.approx(expected.high, abs=1e-12))


def test_newcombes_interval_of_the_published_example() -> None:
    """56 of 70 and 48 of 80: method 10 in Newcombe (1998)."""
    found = newcombe(wilson(56, 70), wilson(48, 80))
    assert found.value == pytest.approx(0.2)
    assert (found.low, found.high) == (pytest.approx(0.0524, abs=1e-4), pytest.approx(0.3339, abs=1e-4))
    assert newcombe(wilson(0, 0), wilson(1, 2)).value is None


def test_the_interval_of_a_mean_matches_scipy() -> None:
    values = np.random.default_rng(0).normal(size=12)
    expected = stats.t.interval(0.95, 11, values.mean(), stats.sem(values))
    assert mean_interval(values) == pytest.approx(expected)
    assert mean_interval(values[:1]) == (None, None)


def test_holm_rejects_what_its_steps_reject() -> None:
    p = np.array([0.01, 0.04, 0.03, 0.005])
    assert holm(p).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm(np.array([0.001]), tests=20).tolist() == pytest.approx([0.02])
    assert holm(np.empty(0)).tolist() == [] and math.isclose(holm(np.array([0.9, 0.8])).max(), 1.0)
