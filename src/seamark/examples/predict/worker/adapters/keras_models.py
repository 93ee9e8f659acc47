"""Keras models, with one input of all features or one input for each."""

from __future__ import annotations

from typing import Any

import numpy as np

from seamark.examples.predict.probabilities import ProbabilityMap
from seamark.examples.predict.worker.adapters.adapter import Adapter
from seamark.examples.predict.worker.inputs import Batch

MAX_ROWS = 8192


class KerasAdapter(Adapter):
    def __init__(self, model: Any) -> None:
        self._model = model
        inputs = list(getattr(model, "inputs", None) or [])
        self._names = [one.name for one in inputs] if len(inputs) > 1 else []
        activation = getattr(
            getattr((getattr(model, "layers", None) or [None])[-1], "activation", None), "__name__", ""
        )
        self._to_probabilities = ProbabilityMap(True if activation in ("sigmoid", "softmax") else None)

    def prepare(self, batch: Batch) -> Any:
        if not self._names:
            return batch.matrix().astype(np.float32)
        columns = batch.columns()
        return {name: columns[name].reshape(-1, 1) for name in batch.known(self._names)}

    def predict(self, given: Any, task: str) -> Any:
        rows = len(given if isinstance(given, np.ndarray) else next(iter(given.values())))
        parts = [self._model.predict_on_batch(_part(given, start)) for start in range(0, rows, MAX_ROWS)]
        scores = self._to_probabilities(np.concatenate(parts), task)
        self.note = self._to_probabilities.note
        return scores


def _part(given: Any, start: int) -> Any:
    if isinstance(given, np.ndarray):
        return given[start : start + MAX_ROWS]
    return {name: values[start : start + MAX_ROWS] for name, values in given.items()}
