"""How far scores are from the shares of positive rows."""

from __future__ import annotations

import numpy as np

from seamark.examples.intervals import wilson
from seamark.examples.performance.ranked import RankedScores
from seamark.examples.results.performance import Calibration, CalibrationBin

BINS = 10


def calibration(ranked: RankedScores) -> Calibration:
    """In bins of about equal size, cut at quantiles of the scores; equal scores are in one bin.

    Empty if the scores are not probabilities.
    """
    if not len(ranked) or not ranked.is_probability:
        return Calibration((), None, None)
    edges = np.quantile(ranked.scores, np.arange(1, BINS) / BINS)
    ends = np.concatenate([[0], np.searchsorted(ranked.scores, edges, side="right"), [len(ranked)]])
    starts = np.flatnonzero(np.diff(ends))  # bins with rows
    counts = np.diff(ends)[starts]
    scores = np.add.reduceat(ranked.scores, ends[starts]) / counts
    positives = np.add.reduceat(ranked.truth, ends[starts])
    error = float((np.abs(scores - positives / counts) * counts).sum() / len(ranked))
    bins = zip(scores.tolist(), positives.astype(int).tolist(), counts.tolist(), strict=True)
    brier = float(((ranked.scores - ranked.truth) ** 2).mean())
    return Calibration(tuple(CalibrationBin(score, wilson(count, of)) for score, count, of in bins), error, brier)


def log_loss(ranked: RankedScores) -> float | None:
    """Scores of 0 and 1 count as the nearest float between them, as in scikit-learn."""
    if not len(ranked) or not ranked.is_probability:
        return None
    tiny = float(np.finfo(np.float64).eps)
    right = np.clip(np.where(ranked.truth == 1, ranked.scores, 1 - ranked.scores), tiny, 1 - tiny)
    return float(-np.log(right).mean())
