"""Precision-recall curves."""

import numpy as np
import pytest

from seamark.kinds import pr_curve, tensors
from seamark.kinds.payload import DecodeError


def test_a_small_curve_counted_by_hand() -> None:
    value = pr_curve.encode("p", [True, False, True, False], [0.9, 0.6, 0.4, 0.1], thresholds=3)
    curve = pr_curve.decode(value.SerializeToString())
    assert curve.thresholds.tolist() == [0, 0.5, 1]
    assert curve.true_positives.tolist() == [2, 1, 0]
    assert curve.false_positives.tolist() == [2, 1, 0]
    assert curve.true_negatives.tolist() == [0, 1, 2]
    assert curve.false_negatives.tolist() == [0, 1, 2]
    assert curve.precision.tolist() == [0.5, 0.5, 0]
    assert curve.recall.tolist() == [1, 0.5, 0]


def test_weights_are_applied_and_scores_are_clipped() -> None:
    value = pr_curve.encode("p", [1, 0], [7.0, -3.0], weights=[2.0, 0.5], thresholds=2)
    curve = pr_curve.decode(value.SerializeToString())
    assert curve.true_positives.tolist() == [2, 2]
    assert curve.false_positives.tolist() == [0.5, 0]


def test_invalid_curves_are_rejected() -> None:
    with pytest.raises(ValueError, match="do not match"):
        pr_curve.encode("p", [1], [0.5, 0.5])
    with pytest.raises(ValueError, match="NaN"):
        pr_curve.encode("p", [1], [np.nan])
    with pytest.raises(ValueError, match="2 thresholds"):
        pr_curve.encode("p", [1], [0.5], thresholds=1)
    with pytest.raises(ValueError, match="wrong shape"):
        pr_curve.encode_counts("p", np.zeros((5, 3)))
    with pytest.raises(DecodeError, match=r"got \[5, 3\]"):
        pr_curve.decode(tensors.encode("p", np.zeros((5, 3))).SerializeToString())


def test_areas_follow_the_definitions() -> None:
    """Scores 0.9 + 0.7 − 0.5 + 0.1 −: average precision is (1/3)(1 + 1 + 3/4), counted by hand."""
    labels = [True, True, False, True, False]
    curve = pr_curve.decode(
        pr_curve.encode("c", labels, [0.95, 0.75, 0.55, 0.35, 0.15], thresholds=11).SerializeToString()
    )
    assert pr_curve.average_precision(curve) == pytest.approx((1 + 1 + 3 / 4) / 3, abs=1e-6)
    # Straight lines: 1/3 at 1, 1/3 at 1, then from 3/4 over 2/3 at the same recall up to 1.
    assert pr_curve.area_under(curve) == pytest.approx(1 / 3 + 1 / 3 + (2 / 3 + 3 / 4) / 2 / 3, abs=1e-6)
    best = pr_curve.f1_scores(curve)
    assert best.max() == pytest.approx(2 * 0.75 / 1.75, abs=1e-6)
    assert curve.thresholds[best.argmax()] == pytest.approx(0.2)


def test_a_perfect_and_a_hopeless_classifier() -> None:
    perfect = pr_curve.decode(pr_curve.encode("c", [True, False], [1.0, 0.0]).SerializeToString())
    assert pr_curve.average_precision(perfect) == pytest.approx(1.0)
    assert pr_curve.area_under(perfect) == pytest.approx(1.0)
    nothing = pr_curve.decode(pr_curve.encode("c", [False, False], [0.5, 0.6]).SerializeToString())
    assert pr_curve.average_precision(nothing) == 0.0
    assert pr_curve.f1_scores(nothing).max() == 0.0
