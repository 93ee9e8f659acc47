"""Partial dependence: the prediction along the values of one or two features, of a point and of other rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from seamark.examples.form import ExamplesError, Model, Overrides, Predictions, Value
from seamark.examples.points.analysis import BatchSize, predict_point, sample_rows, student_quantile
from seamark.examples.points.grid import grid_of
from seamark.examples.points.point import Point, feature_named
from seamark.examples.points.prediction import class_label, class_position, finite_or_none, scores_of_class
from seamark.examples.results.points import DependenceCurve, PartialDependence, Progress
from seamark.tables.column import Rows

MAX_PREDICTIONS = 5_000_000
MAX_CURVES = 200  # that are sent; the mean is of all rows

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class DependenceOptions:
    feature: str
    feature2: str = ""
    class_name: str = ""  # of a multi-class model; "": the class predicted for the point
    rows: int = 200
    grid: int = 20


class DependenceAnalysis:
    """`rows`: the rows that the sample and the quantiles are of; None: all."""

    unit: Literal["rows", "samples"] = "rows"

    def __init__(self, model: Model, point: Point, options: DependenceOptions, rows: Rows | None = None) -> None:
        self._model, self._point, self._options = model, point, options
        self._grid = self._make_grid(options.feature, rows)
        self._grid2: list[Value] = []
        if options.feature2:
            if options.feature2 == options.feature:
                raise ExamplesError(f"two features are needed for a plane, got the same twice: '{options.feature}'")
            self._grid2 = self._make_grid(options.feature2, rows)
        self._sample = sample_rows(point.examples.rows, rows, options.rows)
        self._cells = len(self._grid) * max(1, len(self._grid2))
        if self.total > MAX_PREDICTIONS:
            raise ExamplesError(f"{self.total:,} predictions are too many: choose fewer rows or fewer grid values")
        self._scores = np.full((len(self._sample), self._cells), np.nan)
        self._own: float | None = None
        self._class_name = options.class_name
        self._point_scores: Scores | None = None
        self._finished = 0  # rows of the sample

    @property
    def total(self) -> int:
        return self._cells * (1 + len(self._sample))

    @property
    def done(self) -> int:
        return self._cells * (self._finished + (self._point_scores is not None))

    def steps(self) -> Iterator[None]:
        own = predict_point(self._model, self._point)
        position = class_position(own, self._options.class_name)
        self._class_name = class_label(own, position)
        self._own = finite_or_none(scores_of_class(own, position)[0])
        edits = {name: [value] * self._cells for name, value in self._point.edits.items()}
        batch = BatchSize()
        rows = np.full(self._cells, self._point.row, np.int64)
        predictions = batch.predict(self._model, rows, {**edits, **self._overrides(1)})
        self._point_scores = self._checked(predictions, position, 1)[0]
        yield
        while self._finished < len(self._sample):
            chosen = self._sample[self._finished : self._finished + max(1, batch.rows // self._cells)]
            predictions = batch.predict(self._model, np.repeat(chosen, self._cells), self._overrides(len(chosen)))
            end = self._finished + len(chosen)
            self._scores[self._finished : end] = self._checked(predictions, position, len(chosen))
            self._finished = end
            yield

    def result(self, progress: Progress) -> PartialDependence:
        finished = self._finished
        scores = self._scores[:finished]
        mean, low, high = mean_with_interval(scores)
        curves = scores[: 0 if self._grid2 else MAX_CURVES]
        point = self._point_scores
        return PartialDependence(
            feature=self._options.feature,
            feature2=self._options.feature2,
            grid=tuple(self._grid),
            grid2=tuple(self._grid2),
            own=self._own,
            point=() if point is None else _numbers(point),
            mean=_numbers(mean) if finished else (),
            low=_numbers(low) if finished else (),
            high=_numbers(high) if finished else (),
            curves=tuple(
                DependenceCurve(int(row), _numbers(curve))
                for row, curve in zip(self._sample[: len(curves)], curves, strict=True)
            ),
            class_name=self._class_name,
            rows=finished,
            progress=progress,
        )

    def _make_grid(self, feature: str, rows: Rows | None) -> list[Value]:
        column = feature_named(self._point.examples, feature)
        return grid_of(column, self._point.value(feature), self._options.grid, rows)

    def _overrides(self, rows: int) -> Overrides:
        """The whole grid for each of so many rows; of two features, the first one runs faster."""
        if not self._grid2:
            return {self._options.feature: self._grid * rows}
        return {
            self._options.feature: self._grid * (len(self._grid2) * rows),
            self._options.feature2: [value for value in self._grid2 for _ in self._grid] * rows,
        }

    def _checked(self, predictions: Predictions, position: int, rows: int) -> Scores:
        return scores_of_class(predictions, position).reshape(rows, self._cells)


def mean_with_interval(scores: Scores) -> tuple[Scores, Scores, Scores]:
    """The mean of each column and its 95 % interval by Student's t; NaN where there are too few numbers."""
    is_finite = np.isfinite(scores)
    counts = is_finite.sum(axis=0)
    filled = np.where(is_finite, scores, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = filled.sum(axis=0) / counts
        variance = np.where(is_finite, (scores - mean) ** 2, 0.0).sum(axis=0) / (counts - 1)
        reach = np.array([student_quantile(count - 1) if count > 1 else np.nan for count in counts.tolist()])
        reach = reach * np.sqrt(variance / counts)
    return mean, mean - reach, mean + reach


def _numbers(scores: Scores) -> tuple[float | None, ...]:
    return tuple(score if np.isfinite(score) else None for score in scores.tolist())
