"""Precision-recall curves: counted by hand."""

import numpy as np
import pytest

from seamark.kinds import pr_curve, tensors
from seamark.kinds.payload import DecodeError


def test_a_curve_small_enough_to_count_by_hand() -> None:
    value = pr_curve.encode("p", [True, False, True, False], [0.9, 0.6, 0.4, 0.1], thresholds=3)
    curve = pr_curve.decode(value.SerializeToString())
    assert curve.thresholds.tolist() == [0, 0.5, 1]
    assert curve.true_positives.tolist() == [2, 1, 0]
    assert curve.false_positives.tolist() == [2, 1, 0]
    assert curve.true_negatives.tolist() == [0, 1, 2]
    assert curve.false_negatives.tolist() == [0, 1, 2]
    assert curve.precision.tolist() == [0.5, 0.5, 0]
    assert curve.recall.tolist() == [1, 0.5, 0]


def test_weights_count_and_scores_outside_are_clipped() -> None:
    value = pr_curve.encode("p", [1, 0], [7.0, -3.0], weights=[2.0, 0.5], thresholds=2)
    curve = pr_curve.decode(value.SerializeToString())
    assert curve.true_positives.tolist() == [2, 2]
    assert curve.false_positives.tolist() == [0.5, 0]


def test_what_cannot_be_a_curve_is_refused() -> None:
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
