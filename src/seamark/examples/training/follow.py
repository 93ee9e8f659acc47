"""Follows the examples of a set along training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from seamark.examples.form import ExamplesError, ExampleSet, Predictions, ScoredSet
from seamark.examples.intervals import mean_interval, wilson
from seamark.examples.losses import true_class_scores
from seamark.examples.results.training import SliceOverSteps, StepError, TrackedExample, TrainingResult
from seamark.examples.slicing.cut import ALL, Cut, cut
from seamark.examples.training.history import Counts, History
from seamark.tables.column import Numbers, Rows, Table

StepPredictions = Sequence[tuple[int, Predictions]]


@dataclass(frozen=True, kw_only=True)
class TrainingOptions:
    slice_by: Sequence[str] = ()
    bins: int = 4
    threshold: float = 0.5
    count: int = 50  # examples of each list


def follow_training(
    examples: ExampleSet, predictions: StepPredictions, rows: Rows, options: TrainingOptions
) -> TrainingResult:
    """`predictions` by step, each for all rows of the set."""
    ordered = sorted(predictions, key=lambda pair: pair[0])
    _check(examples, ordered)
    pieces = cut(examples.table, rows, options.slice_by, bins=options.bins)
    history = History(rows)
    by_slice: list[list[StepError]] = [[] for _ in range(1 + len(pieces.slices))]
    for step, found in ordered:
        errors = history.add(step, ScoredSet(examples, found), options.threshold)
        for at, error in enumerate(_step_errors(step, errors, pieces, is_rate=_has_classes(found))):
            by_slice[at].append(error)
    named = zip((ALL, *pieces.slices), by_slice, strict=True)
    has_classes = bool(ordered) and _has_classes(ordered[0][1])
    tracked = _Tracker(examples, ordered, rows, history, options)
    return TrainingResult(
        steps=tuple(history.steps),
        slices=tuple(SliceOverSteps(piece.name, piece.conditions, tuple(errors)) for piece, errors in named),
        most_forgotten=tracked.largest(history.forgotten),
        most_flips=tracked.largest(history.flips),
        hardest=tracked.largest(history.mean_loss),
        never_learned=int(((history.known > 0) & (history.right == 0)).sum()) if has_classes else 0,
        always_right=int(((history.known > 0) & (history.right == history.known)).sum()) if has_classes else 0,
        notes=tuple(_notes(history, pieces, has_classes=has_classes)),
    )


def _check(examples: ExampleSet, ordered: StepPredictions) -> None:
    if examples.truth is None:
        raise ExamplesError("the set has no truth: choose the column that has it")
    for step, found in ordered:
        if len(found) != examples.rows:
            raise ExamplesError(f"step {step} has predictions of {len(found):,} rows, want {examples.rows:,}")
        if found.task == "ranking":
            raise ExamplesError("rankings have no error for each row, so they cannot be followed along training")


def _has_classes(predictions: Predictions) -> bool:
    return predictions.task in ("binary", "multiclass")


def _step_errors(step: int, errors: Numbers, pieces: Cut, *, is_rate: bool) -> list[StepError]:
    known = np.isfinite(errors)
    masks = [known, *(known & (pieces.codes == code) for code in range(len(pieces.slices)))]
    return [_step_error(step, errors[mask], is_rate=is_rate) for mask in masks]


def _step_error(step: int, errors: Numbers, *, is_rate: bool) -> StepError:
    if not len(errors):
        return StepError(step, 0, None, None, None)
    if is_rate:
        rate = wilson(int(errors.sum()), len(errors))
        return StepError(step, len(errors), rate.value, rate.low, rate.high)
    return StepError(step, len(errors), float(errors.mean()), *mean_interval(errors))


@dataclass(frozen=True, eq=False)
class _Tracker:
    examples: ExampleSet
    predictions: StepPredictions
    rows: Rows
    history: History
    options: TrainingOptions

    def largest(self, values: Numbers | Counts) -> tuple[TrackedExample, ...]:
        """The rows with the largest values above 0; of equal ones, those with the larger loss first."""
        loss = np.nan_to_num(self.history.mean_loss)
        order = np.lexsort((-loss, -np.nan_to_num(values)))[: self.options.count]
        chosen = order[np.nan_to_num(values[order]) > 0]
        scores, right = self._by_step(self.rows[chosen])
        return tuple(
            TrackedExample(
                row=int(self.rows[at]),
                forgotten=int(self.history.forgotten[at]),
                flips=int(self.history.flips[at]),
                first_learned=self.history.first_learned(at),
                mean_loss=float(loss[at]),
                scores=tuple(own_scores),
                is_right=tuple(own_right),
            )
            for at, own_scores, own_right in zip(chosen.tolist(), scores, right, strict=True)
        )

    def _by_step(self, rows: Rows) -> tuple[list[list[float | None]], list[list[bool | None]]]:
        """For each row: its scores and whether it is right, by step."""
        scores: list[list[float | None]] = [[] for _ in rows]
        right: list[list[bool | None]] = [[] for _ in rows]
        few = _rows_of(self.examples, rows)
        for _, found in self.predictions:
            scored = ScoredSet(few, Predictions(found.task, found.scores[rows], found.classes))
            errors = scored.errors(self.options.threshold).tolist()
            for at, score in enumerate(_shown_scores(scored).tolist()):
                scores[at].append(score if np.isfinite(score) else None)
                right[at].append(None if np.isnan(errors[at]) or not _has_classes(found) else errors[at] == 0)
        return scores, right


def _rows_of(examples: ExampleSet, rows: Rows) -> ExampleSet:
    assert examples.truth is not None
    return ExampleSet(Table(len(rows), (examples.truth.take(rows),)), examples.schema, examples.content_id)


def _shown_scores(scored: ScoredSet) -> Numbers:
    """Of one value for each row: itself. Of several classes: the score of the true one, or the largest."""
    scores = scored.predictions.scores
    if scores.ndim == 1:
        return scores
    of_truth = true_class_scores(scored)
    return of_truth if of_truth is not None else np.max(scores, axis=1, initial=-np.inf)


def _notes(history: History, pieces: Cut, *, has_classes: bool) -> list[str]:
    notes = []
    if len(history.steps) < 2:
        notes.append("Predictions of two steps or more are needed to see a change.")
    if history.steps and not has_classes:
        notes.append("A regression is never right or wrong: only the hardest rows are listed.")
    if pieces.left_out:
        notes.append(f"{pieces.left_out:,} further slices are not shown.")
    return notes
