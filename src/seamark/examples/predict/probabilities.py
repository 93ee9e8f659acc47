"""Probabilities from scores of neural networks and of decision functions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

SUM_TOLERANCE = 1e-3
LOGISTIC_NOTE = "the scores are mapped to probabilities by the logistic function"
SOFTMAX_NOTE = "the scores are mapped to probabilities by softmax"


class ProbabilityMap:
    """Decides with the first batch whether scores are probabilities, and keeps to it for the others."""

    def __init__(self, is_probability: bool | None = None) -> None:
        self._is_probability = is_probability
        self.note = ""

    def __call__(self, scores: Any, task: str) -> NDArray[np.float64]:
        values = np.asarray(scores, np.float64)
        while values.ndim > 1 and values.shape[-1] == 1:
            values = values[..., 0]
        if task not in ("binary", "multiclass") or values.ndim not in (1, 2):
            return values
        if self._is_probability is None:
            self._is_probability = looks_like_probabilities(values)
        if self._is_probability:
            return values
        self.note = LOGISTIC_NOTE if values.ndim == 1 else SOFTMAX_NOTE
        return logistic(values) if values.ndim == 1 else softmax(values)


def looks_like_probabilities(values: NDArray[np.float64]) -> bool:
    known = values[np.isfinite(values).reshape(len(values), -1).all(axis=1)]
    is_in_range = bool(((known >= 0) & (known <= 1)).all())
    return is_in_range and (values.ndim == 1 or bool((np.abs(known.sum(axis=1) - 1) < SUM_TOLERANCE).all()))


def logistic(values: NDArray[np.float64]) -> NDArray[np.float64]:
    small = np.exp(-np.abs(values))  # never overflows
    return np.where(values >= 0, 1 / (1 + small), small / (1 + small))


def softmax(values: NDArray[np.float64]) -> NDArray[np.float64]:
    powers = np.exp(values - values.max(axis=1, keepdims=True))
    shares: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
    return shares
