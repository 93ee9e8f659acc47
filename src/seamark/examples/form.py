"""ExampleSet, Predictions and ScoredSet: the one form of every source of examples and of every model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from seamark.examples.schema import Schema
from seamark.examples.schema import Task as Task
from seamark.tables.column import Codes, Column, Numbers, Rows, Table, TableError

Value = float | bool | str | None
Overrides = Mapping[str, Sequence[Value]]  # by feature: one value for each row that is predicted


class ExamplesError(TableError):
    """Examples that cannot be analysed. The message is a sentence for people."""


class PredictError(ExamplesError):
    """A model that failed; `traceback` is the model's own, as text."""

    def __init__(self, message: str, traceback: str = "") -> None:
        super().__init__(message)
        self.traceback = traceback


@dataclass(frozen=True, eq=False)
class Predictions:
    """The scores of a model for some rows, in their order.

    Binary: the probability (or score) of the positive class. Multi-class: one column for each of `classes`. Regression:
    the predicted number. Ranking: a score, larger is better. NaN where the model gave none.
    """

    task: Task
    scores: NDArray[np.float64]  # [rows], or [rows, classes] for multi-class
    classes: tuple[str, ...] = ()  # binary: the negative, then the positive class

    def __len__(self) -> int:
        return len(self.scores)


class Model(Protocol):
    """A model that can predict rows of one set, with some features changed. Any thread may call it."""

    @property
    def name(self) -> str: ...

    def predict(self, rows: Rows, overrides: Overrides | None = None) -> Predictions:
        """Predicts the rows, each with its values of `overrides` in place of its own. Raises PredictError."""


@dataclass(frozen=True, eq=False)
class LoggedSteps:
    """The steps at which the same examples have predictions."""

    own: int
    steps: Callable[[], Sequence[int]]
    open: Callable[[int], ExampleSet]


@dataclass(frozen=True, eq=False)
class ExampleSet:
    """A table with its schema. `content_id` identifies the values, so that results can be cached."""

    table: Table
    schema: Schema
    content_id: str
    problems: tuple[str, ...] = ()
    # Returns the bytes of the picture with this name in an image column; None: there are no pictures.
    read_picture: Callable[[str], bytes] | None = None
    logged: LoggedSteps | None = None  # None: a file

    @property
    def rows(self) -> int:
        return self.table.rows

    @cached_property
    def features(self) -> tuple[Column, ...]:
        return tuple(self.table.by_name[name] for name in self.schema.names_of("feature"))

    @cached_property
    def truth(self) -> Column | None:
        return self.table.by_name.get(self.schema.target) if self.schema.target else None


@dataclass(frozen=True, eq=False)
class ScoredSet:
    """The examples and the predictions of one model for all of them."""

    examples: ExampleSet
    predictions: Predictions

    @property
    def task(self) -> Task:
        return self.predictions.task

    @cached_property
    def truth_numbers(self) -> Numbers | None:
        """Binary: 1 for the positive class, 0 for others. Multi-class: the position in `classes`. Else the number.

        NaN where the truth is missing or no class of the model.
        """
        truth = self.examples.truth
        if truth is None:
            return None
        if self.task in ("regression", "ranking"):
            return truth.numbers
        return _class_numbers(truth, self.predictions.classes)

    def predicted_classes(self, threshold: float | Numbers = 0.5) -> Codes:
        """The position of the predicted class in `classes`; -1 without a score. For binary and multi-class tasks.

        `threshold`: one, or one for each row.
        """
        scores = self.predictions.scores
        if scores.ndim == 1:
            return np.where(np.isnan(scores), -1, scores >= threshold).astype(np.int32)
        missing = np.isnan(scores).all(axis=1)
        return np.where(missing, -1, np.where(np.isnan(scores), -np.inf, scores).argmax(axis=1)).astype(np.int32)

    def errors(self, threshold: float | Numbers = 0.5) -> Numbers:
        """Regression: prediction minus truth. Classes: 1 if wrong, 0 if right. NaN without a truth or a score."""
        truth = self.truth_numbers
        if truth is None:
            return np.full(len(self.predictions), np.nan)
        if self.task in ("regression", "ranking"):
            return self.predictions.scores - truth
        predicted = self.predicted_classes(threshold)
        wrong: Numbers = (predicted != truth).astype(np.float64)
        wrong[(predicted < 0) | np.isnan(truth)] = np.nan
        return wrong


def _class_numbers(truth: Column, classes: tuple[str, ...]) -> Numbers:
    position = {name: index for index, name in enumerate(classes)}
    if truth.numbers is not None:
        named = {_as_number(name): index for name, index in position.items()}
        values, codes = np.unique(truth.numbers, return_inverse=True)
        numbers: Numbers = np.array([named.get(float(value), np.nan) for value in values], np.float64)[codes]
        return numbers
    table = np.array([*(position.get(name, np.nan) for name in truth.names), np.nan], np.float64)
    assert truth.codes is not None
    found: Numbers = table[truth.codes]  # MISSING takes the last
    return found


def _as_number(name: str) -> float:
    if name.lower() in ("true", "false"):
        return float(name.lower() == "true")
    try:
        return float(name)
    except ValueError:
        return float("nan")
