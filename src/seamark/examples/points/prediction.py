"""Predictions as results, one for each row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seamark.examples.form import ExamplesError, Predictions
from seamark.examples.results.points import Prediction


def prediction_list(predictions: Predictions, threshold: float) -> list[Prediction]:
    """The score of a multi-class model is that of the predicted class."""
    scores = predictions.scores
    if predictions.task in ("regression", "ranking"):
        return [Prediction(finite_or_none(score)) for score in scores]
    if scores.ndim == 1:
        return [_binary(float(score), predictions.classes, threshold) for score in scores]
    return [_multiclass(row, predictions.classes) for row in scores]


def finite_or_none(score: float) -> float | None:
    return float(score) if np.isfinite(score) else None


def class_position(predictions: Predictions, class_name: str) -> int:
    """Of the class whose scores are analysed; "": the one predicted for the first row."""
    if predictions.scores.ndim == 1:
        return 0
    if class_name == "":
        first = predictions.scores[0]
        return 0 if np.isnan(first).all() else int(np.nanargmax(first))
    if class_name not in predictions.classes:
        raise ExamplesError(f"the model has no class '{class_name}', want one of {', '.join(predictions.classes)}")
    return predictions.classes.index(class_name)


def scores_of_class(predictions: Predictions, position: int) -> NDArray[np.float64]:
    return predictions.scores if predictions.scores.ndim == 1 else predictions.scores[:, position]


def class_label(predictions: Predictions, position: int) -> str:
    """The class whose score is analysed: binary models have that of the positive class."""
    if predictions.task in ("regression", "ranking"):
        return ""
    return predictions.classes[-1 if predictions.scores.ndim == 1 else position] if predictions.classes else ""


def _binary(score: float, classes: tuple[str, ...], threshold: float) -> Prediction:
    if np.isnan(score):
        return Prediction(None)
    return Prediction(finite_or_none(score), (), classes[int(score >= threshold)] if classes else "")


def _multiclass(scores: NDArray[np.float64], classes: tuple[str, ...]) -> Prediction:
    values = tuple(finite_or_none(score) for score in scores)
    if np.isnan(scores).all():
        return Prediction(None, values)
    best = int(np.nanargmax(scores))
    return Prediction(values[best], values, classes[best])
