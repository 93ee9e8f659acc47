"""Group statistics, compared with SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from seamark.compare.groups.statistics import (
    FEW,
    MAX_RESAMPLED,
    Summary,
    compare_to_baseline,
    draw_counts,
    finite,
    resampled_means,
    student_interval,
    summaries,
    summary,
    welch,
)

SEEDS = np.array([0.91, 0.93, 0.9, 0.95, 0.92, 0.88, 0.94])
OTHERS = np.array([0.89, 0.9, 0.87, 0.91, 0.9])


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 7, 8, 30])
def test_mean_std_median_and_interquartile_mean_match_scipy(n: int) -> None:
    values = np.random.default_rng(n).normal(3, 2, size=n)
    result = summary(values)
    assert result.n == n
    assert result.mean == pytest.approx(np.mean(values))
    assert result.median == pytest.approx(np.median(values))
    assert result.iqm == pytest.approx(stats.trim_mean(values, 0.25))
    assert result.std == (pytest.approx(stats.tstd(values)) if n > 1 else None)


def test_the_interquartile_mean_ignores_an_outlier() -> None:
    assert summary(np.array([1.0, 2, 3, 1e9])).iqm == 2.5


@pytest.mark.parametrize("n", [5, 20, 100])
def test_the_interval_matches_scipys_percentile_bootstrap(n: int) -> None:
    values = np.random.default_rng(n).gamma(2, size=n)
    theirs = stats.bootstrap((values,), np.mean, method="percentile", n_resamples=20_000, rng=1).confidence_interval
    result = summary(values)
    width = theirs.high - theirs.low
    assert result.low == pytest.approx(theirs.low, abs=0.06 * width)
    assert result.high == pytest.approx(theirs.high, abs=0.06 * width)


def test_the_interval_of_many_values_matches_the_normal_interval() -> None:
    values = np.random.default_rng(0).normal(1, 3, size=MAX_RESAMPLED + 1500)
    result, error = summary(values), 3 / math.sqrt(len(values))
    assert result.low == pytest.approx(np.mean(values) - 1.96 * error, abs=0.1 * error)
    assert result.high == pytest.approx(np.mean(values) + 1.96 * error, abs=0.1 * error)


def test_the_interval_depends_only_on_the_seed() -> None:
    assert summary(SEEDS) == summary(SEEDS.copy())
    assert summary(SEEDS, seed=1).low != summary(SEEDS, seed=2).low
    alone = summary(SEEDS)
    among = summaries([OTHERS, SEEDS, SEEDS + 1])[1]
    assert among.low == pytest.approx(alone.low) and among.high == pytest.approx(alone.high)


def test_the_interval_contains_the_true_mean_as_often_as_stated() -> None:
    result = summaries(list(np.random.default_rng(0).normal(size=(400, 30))))
    held = np.mean([one.low is not None and one.high is not None and one.low <= 0 <= one.high for one in result])
    assert 0.9 <= held <= 0.98


@pytest.mark.parametrize("scale", [1.0, 1e-200, 1e150])
@pytest.mark.parametrize("sizes", [(2, 2), (3, 8), (40, 5)])
def test_welchs_test_matches_scipy(sizes: tuple[int, int], scale: float) -> None:
    rng = np.random.default_rng(sizes[0])
    a, b = rng.normal(0.3, 1, sizes[0]), rng.normal(0, 4, sizes[1])
    theirs, ours = stats.ttest_ind(a, b, equal_var=False), welch(a * scale, b * scale)
    assert ours is not None
    assert ours.t == pytest.approx(theirs.statistic) and ours.degrees == pytest.approx(theirs.df)
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-8)


@pytest.mark.parametrize("n", [2, 3, 10, 200])
def test_students_interval_matches_scipy(n: int) -> None:
    values = np.random.default_rng(n).normal(size=n)
    theirs = stats.t.interval(0.95, n - 1, loc=values.mean(), scale=stats.sem(values))
    assert student_interval(values) == pytest.approx(theirs)
    assert student_interval(values[:1]) == (None, None)


def test_a_group_compared_to_the_baseline() -> None:
    result = compare_to_baseline(SEEDS, OTHERS)
    theirs = stats.bootstrap(
        (SEEDS, OTHERS), lambda a, b, axis: a.mean(axis) - b.mean(axis), method="percentile", rng=1, n_resamples=20_000,
    ).confidence_interval  # fmt: skip
    assert result.difference == pytest.approx(SEEDS.mean() - OTHERS.mean())
    assert result.welch_p == pytest.approx(stats.ttest_ind(SEEDS, OTHERS, equal_var=False).pvalue)
    width = theirs.high - theirs.low
    assert result.bootstrap_low == pytest.approx(theirs.low, abs=0.06 * width)
    assert result.bootstrap_high == pytest.approx(theirs.high, abs=0.06 * width)
    assert result.caveat == ""


def test_fewer_than_five_runs_get_a_caveat() -> None:
    assert (
        f"below {FEW}" in compare_to_baseline(SEEDS[:4], OTHERS).caveat
        and "only 4" in compare_to_baseline(SEEDS, OTHERS[:4]).caveat
    )
    one = compare_to_baseline(SEEDS[:1], OTHERS)
    assert one.welch_p is None and one.bootstrap_low is None and "no spread" in one.caveat
    none = compare_to_baseline(SEEDS[:0], OTHERS)
    assert none.difference is None and none.caveat


def test_equal_values_have_no_p_value() -> None:
    same = compare_to_baseline(np.full(6, 0.1), np.full(6, 0.3))
    assert same.difference == pytest.approx(-0.2) and same.welch_p is None and "undefined" in same.caveat
    assert same.bootstrap_low == pytest.approx(-0.2)
    assert summary(np.full(3, 0.1)).std == pytest.approx(0, abs=1e-15)


def test_empty_groups_and_single_values_have_no_spread() -> None:
    assert summary(np.empty(0)) == Summary(0, None, None, None, None, None, None)
    assert summary(np.array([2.0])) == Summary(1, 2.0, None, 2.0, 2.0, None, None)


def test_huge_values_do_not_overflow_and_non_finite_ones_are_dropped() -> None:
    result = summary(np.array([1.6e308, 1.6e308, 1.2e308]))
    assert result.mean == pytest.approx(1.4666e308, rel=1e-3)
    assert finite([1.0, None, math.nan, math.inf, -2.0]).tolist() == [1.0, -2.0]


def test_groups_of_many_sizes_are_drawn_once() -> None:
    draw_counts.cache_clear()
    groups = [np.linspace(0.0, 1.0, size) for size in range(20, 60)]
    first = summaries(groups)
    assert summaries(groups) == first, "another metric of the same runs"
    assert draw_counts.cache_info().misses == len(groups)


def test_resamples_are_means_of_drawn_values() -> None:
    values = np.array([[1.0, 10.0, 100.0], [-1.0, 0.5, 4.0]])
    counts = draw_counts(3, 0)
    assert (counts.sum(axis=1) == 3).all()
    np.testing.assert_allclose(resampled_means(values, seed=0), values @ counts.T / 3, rtol=1e-12)
