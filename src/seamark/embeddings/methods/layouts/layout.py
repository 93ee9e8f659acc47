"""Layout: positions that improve from epoch to epoch."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import EmbeddingError, FloatMatrix
from seamark.embeddings.neighbours import Metric

LabelCodes = NDArray[np.int32]  # MISSING where a row has no label


@dataclass(frozen=True)
class LayoutSettings:
    """0 means automatic."""

    method: Literal["tsne", "umap"]
    dims: int = 2
    perplexity: float = 30.0  # t-SNE
    neighbours: int = 15  # UMAP; counts the row itself, as umap-learn does
    min_distance: float = 0.1  # UMAP
    learning_rate: float = 0.0
    metric: Metric = "euclidean"
    epochs: int = 0
    supervise: float = 0.0  # how much labels count, from 0 to 1
    seed: int = 42


class Layout(ABC):
    """For one thread at a time. `positions` is the first picture before the first step."""

    def __init__(self, positions: FloatMatrix, epochs: int) -> None:
        self.positions = positions
        self.epoch = 0
        self.epochs = epochs if len(positions) > 1 else 0
        self._is_prepared = False

    @property
    def is_done(self) -> bool:
        return self.epoch >= self.epochs

    def step(self, max_secs: float) -> None:
        """Runs epochs until the time is over, at least one. The first step also prepares, however long that takes."""
        if self.is_done:
            return
        if not self._is_prepared:
            self._prepare()
            self._is_prepared = True
        deadline = time.monotonic() + max_secs
        while True:
            with np.errstate(over="ignore", invalid="ignore"):
                self._run_epoch()
            if not np.isfinite(self.positions).all():
                raise EmbeddingError("The points moved beyond all bounds: choose a smaller learning rate.")
            self.epoch += 1
            if self.is_done or time.monotonic() >= deadline:
                break

    @abstractmethod
    def _prepare(self) -> None:
        """What every epoch needs, such as the neighbours."""

    @abstractmethod
    def _run_epoch(self) -> None:
        """Moves `positions`."""
