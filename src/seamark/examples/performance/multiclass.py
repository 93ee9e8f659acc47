"""Performance of a model with several classes by slice: confusion, precision, recall and F1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seamark.examples.form import ScoredSet
from seamark.examples.intervals import wilson
from seamark.examples.losses import row_losses, true_class_scores
from seamark.examples.performance.parts import Part, parts
from seamark.examples.results.performance import ClassPerformance, MulticlassResult, MulticlassSlice
from seamark.examples.slicing.cut import Cut
from seamark.tables.column import Numbers, Rows

Confusion = NDArray[np.int64]


def multiclass_performance(scored: ScoredSet, rows: Rows, cut: Cut) -> MulticlassResult:
    truth, predicted = scored.truth_numbers, scored.predicted_classes()
    assert truth is not None
    is_known = ~np.isnan(truth) & (predicted >= 0)
    losses = row_losses(scored, scored.errors()) if true_class_scores(scored) is not None else None
    return MulticlassResult(
        classes=scored.predictions.classes,
        slices=tuple(
            _slice(part, truth, predicted.astype(np.float64), losses, scored.predictions.classes)
            for part in parts(rows, cut, is_known)
        ),
        left_out=int((~is_known[rows]).sum()),
        slices_left_out=cut.left_out,
        notes=() if losses is not None else ("The scores are not probabilities: there is no log loss.",),
    )


def _slice(
    part: Part, truth: Numbers, predicted: Numbers, losses: Numbers | None, classes: tuple[str, ...]
) -> MulticlassSlice:
    count = len(classes)
    pairs = (truth[part.rows] * count + predicted[part.rows]).astype(np.int64)
    confusion = np.bincount(pairs, minlength=count * count).reshape(count, count)
    entries = _classes(confusion, classes)
    scores = [entry.f1 for entry in entries if entry.f1 is not None]
    return MulticlassSlice(
        name=part.name,
        conditions=part.conditions,
        rows=len(part.rows),
        accuracy=wilson(int(np.trace(confusion)), len(part.rows)),
        macro_f1=sum(scores) / len(scores) if scores else None,
        log_loss=float(losses[part.rows].mean()) if losses is not None and len(part.rows) else None,
        classes=entries,
        confusion=tuple(map(tuple, confusion.tolist())),
    )


def _classes(confusion: Confusion, classes: tuple[str, ...]) -> tuple[ClassPerformance, ...]:
    """F1 is None for a class that is neither in the truth nor predicted; the mean of the others is the macro F1."""
    found = []
    sides = zip(
        classes, confusion.sum(1).tolist(), confusion.sum(0).tolist(), confusion.diagonal().tolist(), strict=True
    )
    for name, truth, predicted, right in sides:
        f1 = 2 * right / (truth + predicted) if truth + predicted else None
        found.append(
            ClassPerformance(name, truth, predicted, right, wilson(right, predicted), wilson(right, truth), f1)
        )
    return tuple(found)
