"""The loss of each row, whose mean says how bad a model is. Which loss it is depends on the task."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from seamark.examples.form import Predictions
from seamark.tables.column import Numbers

SMALLEST_PROBABILITY = 1e-15
MAX_RANKED_ROWS = 2000  # all pairs of them are compared


class Loss(NamedTuple):
    """`of_rows(truth, predictions)` has one number for each row, NaN without a score."""

    name: str
    of_rows: Callable[[Numbers, Predictions], Numbers]
    # A row of a loss that compares pairs is part of its own pairs and of those of others.
    error_factor: float = 1.0
    max_rows: int | None = None


def loss_for(predictions: Predictions) -> Loss:
    if predictions.task == "regression":
        return Loss("mean absolute error", lambda truth, made: np.abs(made.scores - truth))
    if predictions.task == "ranking":
        return Loss("pairs in the wrong order", _misordered, error_factor=2.0, max_rows=MAX_RANKED_ROWS)
    if _are_probabilities(predictions):
        return Loss("log loss", _log_loss)
    return Loss("wrong classes", _wrong_class)


def _are_probabilities(predictions: Predictions) -> bool:
    scores = predictions.scores[np.isfinite(predictions.scores)]
    if not ((scores >= 0) & (scores <= 1)).all():
        return False
    if predictions.scores.ndim == 1:
        return True
    sums = predictions.scores.sum(axis=1)
    return bool(np.allclose(sums[np.isfinite(sums)], 1, atol=1e-3))


def _log_loss(truth: Numbers, predictions: Predictions) -> Numbers:
    if predictions.scores.ndim == 1:
        of_truth = np.where(truth == 1, predictions.scores, 1 - predictions.scores)
    else:
        of_truth = predictions.scores[np.arange(len(truth)), truth.astype(np.int64)]
    losses: Numbers = -np.log(np.clip(of_truth, SMALLEST_PROBABILITY, 1))
    return losses


def _wrong_class(truth: Numbers, predictions: Predictions) -> Numbers:
    """Scores that are no probabilities: the positive class of a binary model is that of scores above 0."""
    scores = predictions.scores
    if scores.ndim == 1:
        return np.where(np.isnan(scores), np.nan, (scores >= 0) != (truth == 1))
    missing = np.isnan(scores).all(axis=1)
    best = np.where(np.isnan(scores), -np.inf, scores).argmax(axis=1)
    return np.where(missing, np.nan, best != truth)


def _misordered(truth: Numbers, predictions: Predictions) -> Numbers:
    """The share of the rows with another truth that are on the wrong side of a row; equal scores count half."""
    order = np.sign(truth[:, None] - truth[None, :])
    found = np.sign(predictions.scores[:, None] - predictions.scores[None, :])
    wrong = np.where(order != 0, (1 - order * found) / 2, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares: Numbers = wrong.sum(axis=1) / (order != 0).sum(axis=1)
    return shares
