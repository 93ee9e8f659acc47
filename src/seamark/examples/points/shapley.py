"""Shapley values of one point, by sampling.

A sample takes a random row and turns it into the point, feature by feature in random order; the change of the
prediction at a feature is its part. The same row in the reverse order makes an antithetic pair, whose mean varies less.
The parts of every pair add up to the prediction of the point minus that of the row, so that the values add up to the
prediction minus the mean of the rows drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from seamark.examples.form import ExamplesError, Model, Value
from seamark.examples.points.analysis import SEED, BatchSize, predict_point, sample_rows
from seamark.examples.points.point import Point
from seamark.examples.points.prediction import class_label, class_position, finite_or_none, scores_of_class
from seamark.examples.points.values import values_of
from seamark.examples.results.points import Attribution, Attributions, Progress
from seamark.tables.column import Rows

MIN_PAIRS = 16  # fewer do not tell how precise they are
# It stops when every standard error is below this share of the largest value: a bar is then drawn to the pixel.
PRECISE_SHARE = 0.01
FIRST_PAIRS = 4

Order = NDArray[np.int64]


@dataclass(frozen=True)
class ShapleyOptions:
    class_name: str = ""  # of a multi-class model; "": the class predicted for the point
    samples: int = 200
    background: int = 1000


class ShapleyAnalysis:
    """`rows`: the rows that random rows are drawn from; None: all."""

    unit: Literal["rows", "samples"] = "samples"

    def __init__(self, model: Model, point: Point, options: ShapleyOptions, rows: Rows | None = None) -> None:
        if not point.examples.features:
            raise ExamplesError("the set has no features")
        self._model, self._point, self._options = model, point, options
        self._background = sample_rows(point.examples.rows, rows, options.background)
        if not len(self._background):
            raise ExamplesError("there are no rows to draw from: the filter matches none")
        self._features = point.examples.features
        self._own = [point.value(column.name) for column in self._features]
        self._pairs = np.empty((options.samples, len(self._features)))
        self._base_scores = np.empty(options.samples)  # of the rows drawn
        self._finished = 0
        self._is_precise = False
        self._prediction: float | None = None
        self._class_name = options.class_name

    @property
    def total(self) -> int:
        return self._finished if self._is_precise else self._options.samples

    @property
    def done(self) -> int:
        return self._finished

    def steps(self) -> Iterator[None]:
        own = predict_point(self._model, self._point)
        position = class_position(own, self._options.class_name)
        self._class_name = class_label(own, position)
        self._prediction = finite_or_none(scores_of_class(own, position)[0])
        if self._prediction is None:
            raise ExamplesError(f"the model returned NaN or infinity for the row {self._point.row:,}")
        random = np.random.default_rng(SEED)
        batch = BatchSize()
        count = FIRST_PAIRS
        while self._finished < self._options.samples and not self._is_precise:
            count = min(count, self._options.samples - self._finished)
            self._take(random, batch, count, position)
            self._is_precise = self._finished >= MIN_PAIRS and self._is_enough()
            per_pair = 2 * len(self._features)
            count = min(max(1, batch.rows // per_pair), 2 * count)
            yield

    def result(self, progress: Progress) -> Attributions:
        finished = self._finished
        pairs, base = self._pairs[:finished], self._base_scores[:finished]
        notes = [f"The parts of the prediction minus the mean prediction, against {len(self._background):,} rows."]
        if self._is_precise:
            notes.append(f"It stopped after {finished} samples: all errors are under 1 % of the largest value.")
        # The error of one or two pairs is unknown: such values are not shown at all.
        entries = self._attributions(pairs) if finished > 2 else []
        return Attributions(
            method="shapley",
            metric="",
            baseline=float(base.mean()) if finished else None,
            prediction=self._prediction,
            class_name=self._class_name,
            attributions=tuple(sorted(entries, key=lambda entry: -abs(entry.value))),
            samples=finished,
            notes=tuple(notes),
            progress=progress,
        )

    def _attributions(self, pairs: NDArray[np.float64]) -> list[Attribution]:
        values, errors = pairs.mean(axis=0), _standard_errors(pairs)
        return [
            Attribution(column.name, float(value), float(error), own)
            for column, value, error, own in zip(self._features, values, errors, self._own, strict=True)
        ]

    def _is_enough(self) -> bool:
        pairs = self._pairs[: self._finished]
        return bool(_standard_errors(pairs).max() <= PRECISE_SHARE * np.abs(pairs.mean(axis=0)).max())

    def _take(self, random: np.random.Generator, batch: BatchSize, count: int, position: int) -> None:
        """Predicts all steps of `count` pairs in one call, and stores the part of each feature."""
        rows = random.choice(self._background, count)
        orders = random.permuted(np.tile(np.arange(len(self._features)), (count, 1)), axis=1)
        both = np.concatenate([orders, orders[:, ::-1]])
        parts, base = self._walk(batch, np.tile(rows, 2), both, position)
        end = self._finished + count
        self._pairs[self._finished : end] = (parts[:count] + parts[count:]) / 2
        self._base_scores[self._finished : end] = base[:count]
        self._finished = end

    def _walk(
        self, batch: BatchSize, rows: Rows, orders: Order, position: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The parts [walk, feature] and the score at which each walk begins."""
        walks, features = orders.shape
        theirs = [values_of(column, rows) for column in self._features]
        differs = np.array([[value != own for value in values] for values, own in zip(theirs, self._own, strict=True)])
        # The step at which a walk takes a feature from the point, counted over the features that differ only: the
        # prediction does not change at the others, and is not asked for.
        ordered = np.take_along_axis(differs.T, orders, axis=1)
        counted = np.cumsum(ordered, axis=1)
        taken_at = np.empty_like(counted)
        np.put_along_axis(taken_at, orders, counted, axis=1)
        lengths = counted[:, -1] + 1 if features else np.ones(walks, np.int64)
        walk_of = np.repeat(np.arange(walks), lengths)
        first = np.cumsum(lengths) - lengths
        step_of = np.arange(len(walk_of)) - first[walk_of]
        overrides: dict[str, list[Value]] = {}
        for index, column in enumerate(self._features):
            is_own = step_of >= taken_at[walk_of, index]
            own, values = self._own[index], theirs[index]
            overrides[column.name] = [
                own if taken else values[walk] for taken, walk in zip(is_own.tolist(), walk_of.tolist(), strict=True)
            ]
        scores = scores_of_class(batch.predict(self._model, rows[walk_of], overrides), position)
        if not np.isfinite(scores).all():
            raise ExamplesError("the model returned NaN or infinity for mixtures of rows, so nothing can be attributed")
        after = scores[first[:, None] + taken_at]
        before = scores[first[:, None] + np.maximum(taken_at - 1, 0)]
        return np.where(differs.T, after - before, 0.0), scores[first]


def _standard_errors(pairs: NDArray[np.float64]) -> NDArray[np.float64]:
    errors: NDArray[np.float64] = pairs.std(axis=0, ddof=1) / np.sqrt(len(pairs))
    return errors
