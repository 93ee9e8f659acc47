"""The performance of a model on some rows, whatever its task is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from seamark.examples.form import ExamplesError, ScoredSet
from seamark.examples.performance.binary import binary_performance
from seamark.examples.performance.multiclass import multiclass_performance
from seamark.examples.performance.ranked import RankedScores, rank
from seamark.examples.performance.ranking import ranking_performance
from seamark.examples.performance.regression import regression_performance
from seamark.examples.results.performance import TaskPerformance
from seamark.examples.slicing.cut import cut
from seamark.tables.column import Rows


@dataclass(frozen=True, kw_only=True)
class PerformanceOptions:
    """`positive`: of a multi-class model, the class that is compared with all others; "": all classes."""

    slice_by: Sequence[str] = ()
    bins: int = 4
    positive: str = ""
    cost_ratio: float = 1.0


def measure(
    scored: ScoredSet, rows: Rows, options: PerformanceOptions, ranked: Callable[[], RankedScores] | None = None
) -> TaskPerformance:
    """`ranked` returns `rank_class(scored, options.positive)`, perhaps from a cache."""
    _require_truth(scored)
    pieces = cut(scored.examples.table, rows, options.slice_by, bins=options.bins)
    task, weights = scored.task, _weight_notes(scored)
    if task == "binary" or (task == "multiclass" and options.positive):
        binary = binary_performance(
            ranked() if ranked else rank_class(scored, options.positive),
            rows,
            pieces,
            total_rows=scored.examples.rows,
            positive=options.positive if task == "multiclass" else scored.predictions.classes[-1],
            cost_ratio=options.cost_ratio,
        )
        binary.notes += weights
        return TaskPerformance("binary", binary=binary)
    if task == "multiclass":
        multiclass = multiclass_performance(scored, rows, pieces)
        multiclass.notes += weights
        return TaskPerformance(task, multiclass=multiclass)
    if task == "regression":
        regression = regression_performance(scored, rows, pieces)
        regression.notes += weights
        return TaskPerformance(task, regression=regression)
    ranking = ranking_performance(scored, rows, pieces)
    ranking.notes += weights
    return TaskPerformance(task, ranking=ranking)


def _require_truth(scored: ScoredSet) -> None:
    truth = scored.examples.truth
    if truth is None:
        raise ExamplesError("the set has no truth: choose the column that has it")
    if scored.task in ("regression", "ranking") and truth.numbers is None:
        raise ExamplesError(f"the truth of a {scored.task} must be numbers: '{truth.name}'")


def rank_class(scored: ScoredSet, positive: str = "") -> RankedScores:
    """Of a multi-class model, the scores of `positive` against all other classes."""
    _require_truth(scored)
    truth, scores, classes = scored.truth_numbers, scored.predictions.scores, scored.predictions.classes
    assert truth is not None
    if scored.task == "binary":
        return rank(scores, truth)
    if positive not in classes:
        raise ExamplesError(f"the model has no class '{positive}', want one of {', '.join(classes)}")
    at = classes.index(positive)
    return rank(scores[:, at], np.where(np.isnan(truth), np.nan, truth == at))


def _weight_notes(scored: ScoredSet) -> tuple[str, ...]:
    weights = scored.examples.schema.names_of("weight")
    return (f"The weights in '{weights[0]}' are ignored: intervals need counts of rows.",) if weights else ()
