"""The loss of each row."""

from __future__ import annotations

import numpy as np

from seamark.examples.form import ScoredSet
from seamark.tables.column import Numbers

TINY = float(np.finfo(np.float64).eps)


def row_losses(scored: ScoredSet, errors: Numbers) -> Numbers:
    """Minus the logarithm of the score of the true class; the absolute error of numbers. NaN where `errors` is NaN.

    Scores that are not probabilities have the loss 1 if the row is wrong, else 0.
    """
    of_truth = true_class_scores(scored)
    if of_truth is None:
        return np.abs(errors)
    losses: Numbers = -np.log(np.clip(of_truth, TINY, 1 - TINY))
    losses[np.isnan(errors)] = np.nan
    return losses


def true_class_scores(scored: ScoredSet) -> Numbers | None:
    """The probability that the model gives to the true class; None if its scores are not probabilities of classes."""
    truth, scores = scored.truth_numbers, scored.predictions.scores
    if truth is None or scored.task in ("regression", "ranking") or not scores.size:
        return None
    known = scores[~np.isnan(scores)]
    if len(known) and (known.min() < 0 or known.max() > 1):
        return None
    if scores.ndim == 1:
        return np.where(np.isnan(truth), np.nan, np.where(truth == 1, scores, 1 - scores))
    sums = scores[~np.isnan(scores).any(axis=1)].sum(axis=1)
    if len(sums) and np.abs(sums - 1).max() > 1e-3:
        return None
    found: Numbers = np.take_along_axis(scores, np.nan_to_num(truth).astype(np.int64)[:, None], axis=1)[:, 0]
    # A score that is missing beside others is that of a class with no chance.
    found = np.where(np.isnan(found) & ~np.isnan(scores).all(axis=1), 0.0, found)
    return np.where(np.isnan(truth), np.nan, found)
