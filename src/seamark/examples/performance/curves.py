"""ROC and precision-recall curves, exact at every distinct score and then thinned to what a picture can show."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from seamark.examples.intervals import Z
from seamark.examples.performance.ranked import Counts, RankedScores
from seamark.examples.results.performance import PrecisionRecallCurve, RocCurve
from seamark.tables.column import Numbers

# Points in the same cell of a grid of this width and height look the same.
PICTURE_CELLS = 400


def roc_curve(ranked: RankedScores) -> RocCurve:
    """From (0, 0) to (1, 1). Empty if there is only one class."""
    if not ranked.positives or not ranked.negatives:
        return RocCurve((), (), (), None, None, None)
    counts = ranked.distinct_counts
    true_positives, false_positives = (np.concatenate([[0], count]) for count in counts)
    x, y = false_positives / ranked.negatives, true_positives / ranked.positives
    kept = _thinned(x, y, _corners(true_positives, false_positives))
    thresholds = [None, *ranked.distinct[kept[1:] - 1].tolist()]
    return RocCurve(tuple(x[kept].tolist()), tuple(y[kept].tolist()), _finite(thresholds), *_area(ranked))


def precision_recall_curve(ranked: RankedScores) -> PrecisionRecallCurve:
    """In the order of ascending recall. Empty without positives."""
    if not ranked.positives:
        return PrecisionRecallCurve((), (), (), None)
    true_positives, false_positives = ranked.distinct_counts
    recall = true_positives / ranked.positives
    precision = true_positives / (true_positives + false_positives)
    average = float((np.diff(recall, prepend=0.0) * precision).sum())
    steps = np.diff(true_positives, prepend=-1, append=-1)
    kept = _thinned(recall, precision, (steps[:-1] != 0) | (steps[1:] != 0))
    thresholds = np.clip(ranked.distinct[kept], -np.finfo(np.float64).max, np.finfo(np.float64).max)
    return PrecisionRecallCurve(
        tuple(recall[kept].tolist()), tuple(precision[kept].tolist()), tuple(thresholds.tolist()), average
    )


def _area(ranked: RankedScores) -> tuple[float, float | None, float | None]:
    """The area under the ROC curve, with the interval of DeLong et al. (1988).

    Of each positive row: the share of negative rows with a lower score, ties counting half; of each negative row: the
    share of positive rows with a higher one. Their means are the area, their variances give the interval.
    """
    positives, negatives = ranked.positives, ranked.negatives
    true_positives, false_positives = ranked.distinct_counts
    own_positives, own_negatives = np.diff(true_positives, prepend=0), np.diff(false_positives, prepend=0)
    lower = (negatives - false_positives + own_negatives / 2) / negatives
    higher = (true_positives - own_positives / 2) / positives
    area = float((lower * own_positives).sum() / positives)
    if min(positives, negatives) < 2:
        return area, None, None
    variance = _variance_of_mean(lower, own_positives, area) + _variance_of_mean(higher, own_negatives, area)
    reach = Z * math.sqrt(variance)
    return area, max(0.0, area - reach), min(1.0, area + reach)


def _variance_of_mean(values: Numbers, counts: Counts, mean: float) -> float:
    n = int(counts.sum())
    return float((counts * (values - mean) ** 2).sum() / (n - 1) / n)


def _corners(true_positives: Counts, false_positives: Counts) -> NDArray[np.bool_]:
    """Points that are not on the line between their neighbours."""
    dx, dy = np.diff(false_positives), np.diff(true_positives)
    return np.concatenate([[True], dx[1:] * dy[:-1] != dx[:-1] * dy[1:], [True]])


def _thinned(x: Numbers, y: Numbers, changes: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Positions of the points that change the picture, always with the first and the last."""
    kept = np.flatnonzero(changes)
    if len(kept) <= PICTURE_CELLS:
        return kept
    cells = np.floor(x[kept] * PICTURE_CELLS) * (PICTURE_CELLS + 1) + np.floor(y[kept] * PICTURE_CELLS)
    is_new = np.concatenate([[True], cells[1:] != cells[:-1]])
    is_new[-1] = True
    shown: NDArray[np.int64] = kept[is_new]
    return shown


def _finite(thresholds: list[float | None]) -> tuple[float | None, ...]:
    return tuple(None if value is None or not math.isfinite(value) else value for value in thresholds)
