"""Performance of a binary model by slice."""

from __future__ import annotations

import numpy as np

from seamark.examples.performance.calibration import calibration, log_loss
from seamark.examples.performance.curves import precision_recall_curve, roc_curve
from seamark.examples.performance.ranked import RankedScores, threshold_grid
from seamark.examples.performance.strategies import TOLERANCE, SliceCosts, strategies
from seamark.examples.results.performance import PerformanceResult, SlicePerformance, ThresholdCounts
from seamark.examples.slicing.cut import ALL, NO_SLICE, Cut, Slice
from seamark.tables.column import Numbers, Rows

OUTSIDE = NO_SLICE - 1


def binary_performance(
    ranked: RankedScores, rows: Rows, cut: Cut, *, total_rows: int, positive: str, cost_ratio: float
) -> PerformanceResult:
    """Of the rows `rows` of a set with `total_rows`, cut into slices. `ranked` has all rows of the set."""
    codes = np.full(total_rows, OUTSIDE, np.int32)
    codes[rows] = cut.codes
    ordered = codes[ranked.rows]
    everything = ranked.take(ordered != OUTSIDE) if len(rows) < total_rows else ranked
    inside = ordered[ordered != OUTSIDE]
    thresholds = threshold_grid(everything)
    parts = [everything.take(inside == code) for code in range(len(cut.slices))]
    slices = [
        slice_performance(piece, part, thresholds)
        for piece, part in zip((ALL, *cut.slices), (everything, *parts), strict=True)
    ]
    costs = [SliceCosts.at(part, thresholds, cost_ratio) for part in (parts or [everything])]
    return PerformanceResult(
        positive=positive,
        thresholds=tuple(thresholds.tolist()),
        slices=tuple(slices),
        strategies=strategies(costs, thresholds),
        tolerance=TOLERANCE,
        left_out=len(rows) - len(everything),
        slices_left_out=cut.left_out,
        notes=tuple(_notes(everything, parts)),
    )


def slice_performance(piece: Slice, ranked: RankedScores, thresholds: Numbers) -> SlicePerformance:
    true_positives, false_positives = ranked.counts(thresholds)
    return SlicePerformance(
        name=piece.name,
        conditions=piece.conditions,
        rows=len(ranked),
        positives=ranked.positives,
        negatives=ranked.negatives,
        counts=ThresholdCounts(tuple(true_positives.tolist()), tuple(false_positives.tolist())),
        roc=roc_curve(ranked),
        precision_recall=precision_recall_curve(ranked),
        calibration=calibration(ranked),
        log_loss=log_loss(ranked),
    )


def _notes(everything: RankedScores, parts: list[RankedScores]) -> list[str]:
    notes = []
    if not len(everything):
        return ["No row has both a score and a truth."]
    if not everything.positives or not everything.negatives:
        notes.append(f"All truths are {'positive' if everything.positives else 'negative'}: there is no ROC curve.")
    if not everything.is_probability:
        notes.append("The scores are not between 0 and 1: there is no calibration and no log loss.")
    unsliced = len(everything) - sum(map(len, parts))
    if parts and unsliced:
        notes.append(f"{unsliced:,} rows are in no shown slice; the strategies leave them out.")
    return notes
