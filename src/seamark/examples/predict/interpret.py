"""Predictions from what a model returned: the task and the classes come from the set's truth, else from the model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.examples.form import ExampleSet, PredictError, Predictions
from seamark.examples.predict.columns_model import binary_classes
from seamark.examples.predict.raw import RawScores
from seamark.examples.schema import Task

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Expected:
    """What the predictions of a model for a set are. Decided once, so that one row is read as all rows are."""

    task: Task
    classes: tuple[str, ...] = ()

    def predictions(self, raw: RawScores) -> Predictions:
        """Raises PredictError if the model returned something else."""
        match self.task:
            case "binary":
                scores = _binary(raw, self.classes)
            case "multiclass":
                scores = _multiclass(raw, self.classes)
            case _:
                scores = _numbers(raw, self.task)
        return Predictions(self.task, np.where(np.isfinite(scores), scores, np.nan), self.classes)


def expected_of(examples: ExampleSet, raw: RawScores) -> Expected:
    """From a first batch of predictions."""
    if examples.truth is None:
        return _without_truth(raw)
    task = examples.schema.task
    if task == "binary":
        return Expected(task, binary_classes(examples))
    if task == "multiclass":
        return Expected(task, _classes(raw, _truth_classes(examples)))
    return Expected(task)


def _without_truth(raw: RawScores) -> Expected:
    if raw.is_labels or raw.values.ndim == 2:
        classes = raw.classes or tuple(map(str, range(raw.values.shape[-1])))
        return Expected("binary" if len(classes) == 2 else "multiclass", classes)
    known = raw.values[np.isfinite(raw.values)]
    is_score = bool(((known >= 0) & (known <= 1)).all()) if raw.is_classifier is None else raw.is_classifier
    return (
        Expected("binary", raw.classes if len(raw.classes) == 2 else ("0", "1")) if is_score else Expected("regression")
    )


def _truth_classes(examples: ExampleSet) -> tuple[str, ...]:
    truth = examples.truth
    assert truth is not None
    if truth.numbers is None:
        return tuple(sorted(truth.names))
    return tuple(f"{value:g}" for value in np.unique(truth.numbers[truth.present]))


def _classes(raw: RawScores, truth: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the model. Without names, columns are in the order of the sorted names, as libraries number them."""
    if raw.is_labels or raw.values.ndim == 1:
        return tuple(dict.fromkeys([*truth, *(raw.classes if raw.is_labels else ())]))
    columns = raw.values.shape[1]
    if raw.classes:
        # Numbers, because the names were encoded before training.
        is_numbered = raw.classes == tuple(map(str, range(columns))) and not set(raw.classes) & set(truth)
        if not is_numbered:
            return raw.classes
    if columns != len(truth):
        raise PredictError(
            f"the model returned {columns} scores for each row, but the truth has {len(truth)} classes; return "
            '{"scores": …, "classes": […]}'
        )
    return truth


def _numbers(raw: RawScores, task: Task) -> Scores:
    if raw.is_labels:
        raise PredictError(
            f"the model returned names like '{raw.classes[0]}', but the task of the set is {task}, want numbers"
        )
    if raw.values.ndim == 2:
        raise PredictError(
            f"the model returned {raw.values.shape[1]} numbers for each row, want one, because the task of the set is "
            f"{task}"
        )
    return raw.values


def _binary(raw: RawScores, classes: tuple[str, ...]) -> Scores:
    positive = classes[1]
    if raw.is_labels:
        names = np.array([float(name == positive) for name in raw.classes])
        scores: Scores = names[raw.values.astype(np.int64)]
        return scores
    if raw.values.ndim == 1:
        return raw.values
    if raw.values.shape[1] != 2:
        raise PredictError(f"the model returned {raw.values.shape[1]} scores for each row, but the truth has 2 classes")
    column: Scores = raw.values[:, raw.classes.index(positive) if positive in raw.classes else 1]
    return column


def _multiclass(raw: RawScores, classes: tuple[str, ...]) -> Scores:
    if raw.is_labels:
        return _one_hot([raw.classes[int(code)] for code in raw.values], classes)
    if raw.values.ndim == 1:
        return _one_hot([f"{value:g}" for value in raw.values], classes)
    if raw.values.shape[1] != len(classes):
        raise PredictError(
            f"the model returned {raw.values.shape[1]} scores for each row, and {len(classes)} before; want as many"
        )
    return raw.values


def _one_hot(names: list[str], classes: tuple[str, ...]) -> Scores:
    position = {name: index for index, name in enumerate(classes)}
    scores = np.zeros((len(names), len(classes)))
    for row, name in enumerate(names):
        if name == "nan":
            scores[row] = np.nan
        elif name not in position:
            raise PredictError(f"the model predicted the class '{name}', want one of {', '.join(classes)}")
        else:
            scores[row, position[name]] = 1.0
    return scores
