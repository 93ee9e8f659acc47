"""Thresholds, curves and calibration of binary models, compared with brute force."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from seamark.examples.performance.binary import binary_performance
from seamark.examples.performance.curves import PICTURE_CELLS, precision_recall_curve, roc_curve
from seamark.examples.performance.ranked import RankedScores, rank
from seamark.examples.results.performance import PerformanceResult
from seamark.examples.slicing.cut import cut
from seamark.tables.column import Column, Table

scores = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.2, 0.5, 1.0]))
rows_of_truth = st.lists(st.tuples(scores, st.booleans()), min_size=1, max_size=60)


def ranked(rows: list[tuple[float, bool]]) -> RankedScores:
    return rank(np.array([row[0] for row in rows], np.float64), np.array([row[1] for row in rows], np.float64))


def performance(
    score: list[float], truth: list[float], group: list[str] | None = None, ratio: float = 1.0
) -> PerformanceResult:
    names = sorted(set(group or []))
    codes = np.array([names.index(name) for name in group or []], np.int32)
    table = Table(len(score), (Column("g", "category", codes=codes, names=tuple(names)),) if group else ())
    rows = np.arange(len(score))
    pieces = cut(table, rows, ["g"] if group else [], bins=4)
    found = rank(np.array(score, np.float64), np.array(truth, np.float64))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return binary_performance(found, rows, pieces, total_rows=len(score), positive="1", cost_ratio=ratio)


@settings(max_examples=60, deadline=None)
@given(rows_of_truth)
def test_counts_at_every_threshold_match_brute_force(rows: list[tuple[float, bool]]) -> None:
    found = performance([row[0] for row in rows], [float(row[1]) for row in rows])
    counts = found.slices[0].counts
    for at in range(0, len(found.thresholds), 50):
        chosen = [truth for score, truth in rows if score >= found.thresholds[at]]
        assert counts.true_positives[at] == sum(chosen)
        assert counts.false_positives[at] == len(chosen) - sum(chosen)


@settings(max_examples=100, deadline=None)
@given(rows_of_truth)
def test_the_area_is_the_share_of_pairs_in_the_right_order(rows: list[tuple[float, bool]]) -> None:
    positives, negatives = ([score for score, truth in rows if truth is side] for side in (True, False))
    area = roc_curve(ranked(rows)).area
    if not positives or not negatives:
        assert area is None
        return
    wins = sum((p > n) + (p == n) / 2 for p in positives for n in negatives)
    assert area == pytest.approx(wins / len(positives) / len(negatives))


@settings(max_examples=100, deadline=None)
@given(rows_of_truth)
def test_delongs_variance_matches_its_definition(rows: list[tuple[float, bool]]) -> None:
    positives, negatives = (np.array([score for score, truth in rows if truth is side]) for side in (True, False))
    curve = roc_curve(ranked(rows))
    if min(len(positives), len(negatives)) < 2:
        assert curve.area_low is None and curve.area_high is None
        return
    wins = (positives[:, None] > negatives) + (positives[:, None] == negatives) / 2
    variance = wins.mean(axis=1).var(ddof=1) / len(positives) + wins.mean(axis=0).var(ddof=1) / len(negatives)
    reach = stats.norm.ppf(0.975) * math.sqrt(variance)
    assert curve.area_low == pytest.approx(max(0, wins.mean() - reach), abs=1e-12)
    assert curve.area_high == pytest.approx(min(1, wins.mean() + reach), abs=1e-12)


@settings(max_examples=100, deadline=None)
@given(rows_of_truth)
def test_every_point_of_the_curves_is_exact(rows: list[tuple[float, bool]]) -> None:
    positives = sum(truth for _, truth in rows)
    roc, pr = roc_curve(ranked(rows)), precision_recall_curve(ranked(rows))
    for x, y, threshold in zip(roc.false_positive_rate, roc.true_positive_rate, roc.thresholds, strict=True):
        chosen = [truth for score, truth in rows if threshold is not None and score >= threshold]
        assert (x, y) == (chosen.count(False) / (len(rows) - positives), chosen.count(True) / positives)
    for recall, precision, threshold in zip(pr.recall, pr.precision, pr.thresholds, strict=True):
        chosen = [truth for score, truth in rows if score >= threshold]
        assert (recall, precision) == (sum(chosen) / positives, sum(chosen) / len(chosen))


def test_a_long_curve_is_thinned_to_within_a_cell_of_the_picture() -> None:
    rng = np.random.default_rng(0)
    score = rng.random(100_000)
    found = rank(score, (rng.random(100_000) < score).astype(np.float64))
    roc, pr = roc_curve(found), precision_recall_curve(found)
    assert len(roc.thresholds) < 3 * PICTURE_CELLS and len(pr.thresholds) < 4 * PICTURE_CELLS
    true_positives, false_positives = found.distinct_counts
    x, exact = false_positives / found.negatives, true_positives / found.positives
    # By x + y, which increases along the curve; x alone stands still at a vertical step.
    along = np.add(roc.false_positive_rate, roc.true_positive_rate)
    drawn = np.interp(x + exact, along, roc.true_positive_rate)
    assert np.abs(drawn - exact).max() < 2 / PICTURE_CELLS


def test_infinite_and_missing_scores() -> None:
    found = performance([-math.inf, math.nan, 0.5, math.inf, 3.0, 1.0], [0, 1, 0, 1, 1, math.nan])
    assert found.left_out == 2 and found.slices[0].rows == 4
    assert found.thresholds[0] == 0.5 and found.thresholds[-1] == 3.0
    assert found.slices[0].counts.true_positives[0] == 2 and found.slices[0].counts.false_positives[0] == 1
    assert found.slices[0].roc.area == 1.0 and found.slices[0].log_loss is None
    assert any("not between 0 and 1" in note for note in found.notes)


@pytest.mark.parametrize("truth", [[0.0, 0.0], [1.0, 1.0], [0.0], [math.nan, math.nan], []])
def test_one_class_or_no_rows_leave_curves_empty(truth: list[float]) -> None:
    found = performance([0.3] * len(truth), truth)
    assert found.slices[0].roc.area is None and found.slices[0].roc.thresholds == ()
    assert found.notes and len(found.strategies) == 6


def test_equal_scores_are_one_point_and_one_bin() -> None:
    found = performance([0.7] * 10, [1.0] * 7 + [0.0] * 3).slices[0]
    assert found.roc.area == 0.5 and found.roc.thresholds == (None, 0.7)
    assert found.precision_recall.average_precision == 0.7
    assert len(found.calibration.bins) == 1 and found.calibration.expected_error == pytest.approx(0)


def test_slices_sum_to_all_rows() -> None:
    rng = np.random.default_rng(1)
    group = rng.choice(["a", "b", "c"], 500).tolist()
    found = performance(rng.random(500).tolist(), (rng.random(500) < 0.4).astype(float).tolist(), group)
    everything, *pieces = (np.array(piece.counts.true_positives) for piece in found.slices)
    assert [piece.name for piece in found.slices] == ["All", "a", "b", "c"]
    np.testing.assert_array_equal(everything, sum(pieces))
