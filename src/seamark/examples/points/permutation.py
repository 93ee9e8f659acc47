"""Permutation importance: how much worse the predictions are when the values of one feature are shuffled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from seamark.examples.form import ExamplesError, ExampleSet, Model, Predictions, ScoredSet
from seamark.examples.points.analysis import SEED, BatchSize, sample_rows
from seamark.examples.points.losses import Loss, loss_for
from seamark.examples.points.values import values_of
from seamark.examples.results.points import Attribution, Attributions, Progress
from seamark.tables.column import Numbers, Rows


@dataclass(frozen=True)
class PermutationOptions:
    repeats: int = 5
    rows: int = 1000


class PermutationAnalysis:
    """Rows without a truth are left out."""

    unit: Literal["rows", "samples"] = "rows"

    def __init__(
        self, model: Model, examples: ExampleSet, options: PermutationOptions, rows: Rows | None = None
    ) -> None:
        if examples.truth is None:
            raise ExamplesError("permutation importance needs the truth: pick the target column")
        if not examples.features:
            raise ExamplesError("the set has no features")
        self._model, self._examples, self._options = model, examples, options
        has_truth = np.flatnonzero(examples.truth.present)
        available = has_truth if rows is None else np.intersect1d(rows, has_truth)
        self._rows = sample_rows(examples.rows, available.astype(np.int64), options.rows)
        if len(self._rows) < 2:
            raise ExamplesError(f"permutation importance needs two rows with a truth, got {len(self._rows)}")
        self._loss: Loss | None = None
        self._losses = np.empty(0)
        # By feature, row: the sum of the losses over the repeats.
        self._sums = np.zeros((len(examples.features), len(self._rows)))
        self._done_repeats = np.zeros(len(examples.features), np.int64)
        self._done = 0

    @property
    def total(self) -> int:
        return len(self._rows) * (1 + self._options.repeats * len(self._examples.features))

    @property
    def done(self) -> int:
        return self._done

    def steps(self) -> Iterator[None]:
        batch = BatchSize()
        unchanged, truth = self._begin(batch)
        yield
        assert self._loss is not None
        random = np.random.default_rng(SEED)
        for _ in range(self._options.repeats):
            for index, column in enumerate(self._examples.features):
                values = values_of(column, random.permutation(self._rows))
                parts = []
                for start in range(0, len(self._rows), max(1, batch.rows)):
                    end = start + max(1, batch.rows)
                    parts.append(
                        batch.predict(self._model, self._rows[start:end], {column.name: values[start:end]}).scores
                    )
                    yield
                made = Predictions(unchanged.task, np.concatenate(parts), unchanged.classes)
                self._sums[index] += self._loss.of_rows(truth, made)
                self._done_repeats[index] += 1
                self._done += len(self._rows)
                yield

    def result(self, progress: Progress) -> Attributions:
        entries = [self._attribution(index) for index, done in enumerate(self._done_repeats.tolist()) if done]
        finite = self._losses[np.isfinite(self._losses)]
        return Attributions(
            method="permutation",
            metric=self._loss.name if self._loss else "",
            baseline=float(finite.mean()) if finite.size else None,
            prediction=None,
            class_name="",
            attributions=tuple(sorted(entries, key=lambda entry: -abs(entry.value))),
            samples=int(self._done_repeats.min()),
            notes=(
                f"The rise of the {self._loss.name if self._loss else 'loss'} when a feature is shuffled, over "
                f"{len(self._rows):,} rows; the error is over these rows.",
            ),
            progress=progress,
        )

    def _begin(self, batch: BatchSize) -> tuple[Predictions, Numbers]:
        """Predicts the rows as they are and keeps those whose truth is a class of the model."""
        unchanged = batch.predict(self._model, self._rows, {})
        every = np.full((self._examples.rows, *unchanged.scores.shape[1:]), np.nan)
        every[self._rows] = unchanged.scores
        numbers = ScoredSet(self._examples, Predictions(unchanged.task, every, unchanged.classes)).truth_numbers
        if numbers is None:
            raise ExamplesError(f"the truth has names, want numbers for {unchanged.task}: choose another target column")
        truth = numbers[self._rows]
        self._loss = loss_for(unchanged)
        kept = np.flatnonzero(~np.isnan(truth))[: self._loss.max_rows]
        if kept.size < 2:
            raise ExamplesError("the truth of no two rows is a class of the model: choose another target column")
        self._rows, self._sums, truth = self._rows[kept], self._sums[:, kept], truth[kept]
        self._losses = self._loss.of_rows(truth, Predictions(unchanged.task, unchanged.scores[kept], unchanged.classes))
        self._done = len(self._rows)
        return unchanged, truth

    def _attribution(self, index: int) -> Attribution:
        assert self._loss is not None
        rises = self._sums[index] / self._done_repeats[index] - self._losses
        rises = rises[np.isfinite(rises)]
        if rises.size < 2:
            return Attribution(self._examples.features[index].name, 0.0, float("nan"))
        error = self._loss.error_factor * float(rises.std(ddof=1)) / np.sqrt(rises.size)
        return Attribution(self._examples.features[index].name, float(rises.mean()), float(error))
