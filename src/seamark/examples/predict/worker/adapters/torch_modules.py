"""PyTorch modules and exported programs."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from seamark.examples.predict.probabilities import ProbabilityMap
from seamark.examples.predict.worker.adapters.adapter import Adapter
from seamark.examples.predict.worker.inputs import Batch

MAX_ROWS = 8192  # in one call, for the memory of the activations


class TorchAdapter(Adapter):
    """Takes a matrix of numbers, with the type and on the device of the parameters. Runs in eval mode, no gradients."""

    def __init__(self, module: Any) -> None:
        import torch

        self._torch, self._module = torch, module
        with contextlib.suppress(NotImplementedError):  # an exported program has the mode that it was exported in
            module.eval()
        first = next(iter(module.parameters()), torch.empty(0))
        self._dtype = first.dtype if first.is_floating_point() else torch.float32
        self._device = first.device
        self._to_probabilities = ProbabilityMap(_ends_in_probabilities(module))

    def prepare(self, batch: Batch) -> Any:
        return self._torch.from_numpy(batch.matrix()).to(self._device, self._dtype)

    def predict(self, given: Any, task: str) -> Any:
        with self._torch.no_grad():
            parts = [self._module(part) for part in given.split(MAX_ROWS)]
        scores = np.concatenate([part.double().cpu().numpy() for part in parts])
        scores = self._to_probabilities(scores, task)
        self.note = self._to_probabilities.note
        return scores


def _ends_in_probabilities(module: Any) -> bool | None:
    """None: the values decide."""
    leaves = [part for part in module.modules() if not list(part.children())]
    return True if leaves and type(leaves[-1]).__name__ in ("Sigmoid", "Softmax") else None
