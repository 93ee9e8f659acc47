"""t-SNE (van der Maaten and Hinton, 2008), with the repulsion of Barnes and Hut."""

from __future__ import annotations

import numpy as np

from seamark import _core
from seamark.embeddings.form import FloatMatrix
from seamark.embeddings.methods.layouts.first_positions import principal_positions
from seamark.embeddings.methods.layouts.in_ranges import in_ranges
from seamark.embeddings.methods.layouts.layout import LabelCodes, Layout, LayoutSettings
from seamark.embeddings.methods.layouts.supervision import label_factors
from seamark.embeddings.methods.layouts.weights import perplexity_weights
from seamark.embeddings.neighbours import neighbour_table

EPOCHS = 1000
EARLY_EPOCHS = 250
EXAGGERATION = 12.0
FIRST_SPREAD = 1e-4
MIN_LEARNING_RATE = 200.0
# The error of the forces is 1 to 2 % in both.
THETA = {2: 0.5, 3: 0.8}  # by dimensions
MAX_STEP = 5.0
MIN_GAIN = 0.01


class Tsne(Layout):
    def __init__(
        self, matrix: FloatMatrix, settings: LayoutSettings, labels: LabelCodes | None, start: FloatMatrix | None
    ) -> None:
        if start is None:
            first = principal_positions(matrix, settings.dims, spread=FIRST_SPREAD, seed=settings.seed)
        else:
            first = start.astype(np.float32)
        super().__init__(first, settings.epochs or EPOCHS)
        self._matrix, self._settings, self._labels = matrix, settings, labels
        # Positions that are given have their large shape already: exaggeration would collapse it.
        self._early_epochs = min(EARLY_EPOCHS, self.epochs // 4) if start is None else 0
        # Belkina et al. (2019): the number of points by the exaggeration.
        self._learning_rate = settings.learning_rate or max(MIN_LEARNING_RATE, len(matrix) / EXAGGERATION)
        self._moves = np.zeros_like(first)
        self._gains = np.ones_like(first)

    def _prepare(self) -> None:
        settings, rows = self._settings, len(self._matrix)
        perplexity = min(settings.perplexity, max(1.0, (rows - 1) / 3))
        neighbours, distances = neighbour_table(self._matrix, min(rows - 1, round(3 * perplexity)), settings.metric)
        # Dot products give negative distances.
        weights = perplexity_weights(distances - min(0, distances.min()), perplexity)
        if self._labels is not None and settings.supervise > 0:
            weights *= label_factors(neighbours, self._labels, settings.supervise)
            weights /= weights.sum(axis=1, keepdims=True)
        # The weights of both directions together sum up to 1.
        weights /= max(2 * weights.sum(dtype=np.float64), np.finfo(np.float32).tiny)
        self._graph = _core.NeighbourGraph(neighbours, weights, is_union=False)

    def _run_epoch(self) -> None:
        is_early = self.epoch < self._early_epochs
        forces = self._forces(EXAGGERATION if is_early else 1.0)
        # Jacobs (1988): an axis along which a point keeps its direction gets larger steps.
        is_steady = (forces > 0) != (self._moves > 0)
        self._gains = np.maximum(np.where(is_steady, self._gains + 0.2, self._gains * 0.8), MIN_GAIN)
        self._moves *= 0.5 if is_early else 0.8
        self._moves -= self._learning_rate * self._gains * forces
        lengths = np.sqrt(np.einsum("ij,ij->i", self._moves, self._moves))[:, None]
        self._moves *= np.minimum(1, MAX_STEP / np.maximum(lengths, MAX_STEP))
        self.positions = self.positions + self._moves
        self.positions -= self.positions.mean(axis=0)

    def _forces(self, exaggeration: float) -> FloatMatrix:
        positions = self.positions
        attraction, repulsion = np.empty_like(positions), np.empty_like(positions)
        sums = np.empty(len(positions), np.float32)
        tree = (_core.RepulsionTree2 if positions.shape[1] == 2 else _core.RepulsionTree3)(
            positions, THETA[positions.shape[1]]
        )
        in_ranges(lambda first, end: tree.repel(first, end, repulsion, sums), tree.groups)
        in_ranges(lambda first, end: _core.attract(self._graph, positions, first, end, attraction), len(positions))
        attraction *= exaggeration
        attraction -= repulsion * np.float32(1 / max(sums.sum(dtype=np.float64), 1e-12))
        return attraction
