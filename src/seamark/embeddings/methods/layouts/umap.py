"""UMAP (McInnes, Healy and Melville, 2018)."""

from __future__ import annotations

import numpy as np

from seamark import _core
from seamark.embeddings.form import FloatMatrix
from seamark.embeddings.methods.layouts.curve import fit_curve
from seamark.embeddings.methods.layouts.first_positions import principal_positions
from seamark.embeddings.methods.layouts.in_ranges import in_ranges
from seamark.embeddings.methods.layouts.layout import LabelCodes, Layout, LayoutSettings
from seamark.embeddings.methods.layouts.supervision import label_factors
from seamark.embeddings.methods.layouts.weights import membership_weights
from seamark.embeddings.neighbours import neighbour_table

SMALL_ROWS, SMALL_EPOCHS, EPOCHS = 10_000, 500, 200
FIRST_SPREAD = 5.0
NEGATIVE_SAMPLES = 5


class Umap(Layout):
    def __init__(
        self, matrix: FloatMatrix, settings: LayoutSettings, labels: LabelCodes | None, start: FloatMatrix | None
    ) -> None:
        if start is None:
            first = principal_positions(matrix, settings.dims, spread=FIRST_SPREAD, seed=settings.seed)
        else:
            first = start.astype(np.float32)
        super().__init__(first, settings.epochs or (SMALL_EPOCHS if len(matrix) <= SMALL_ROWS else EPOCHS))
        self._matrix, self._settings, self._labels = matrix, settings, labels
        self._curve = fit_curve(settings.min_distance)

    def _prepare(self) -> None:
        settings = self._settings
        count = min(settings.neighbours, len(self._matrix)) - 1
        neighbours, distances = neighbour_table(self._matrix, count, settings.metric)
        # Dot products give negative distances.
        weights = membership_weights(distances - min(0, distances.min()))
        if self._labels is not None and settings.supervise > 0:
            weights *= label_factors(neighbours, self._labels, settings.supervise)
            # The most important neighbour of each row has weight 1 again.
            weights /= np.maximum(weights.max(axis=1, keepdims=True), np.finfo(np.float32).tiny)
        self._graph = _core.NeighbourGraph(neighbours, weights, is_union=True)

    def _run_epoch(self) -> None:
        a, b = self._curve
        before, after = self.positions, np.empty_like(self.positions)
        learning_rate = (self._settings.learning_rate or 1.0) * (1 - self.epoch / self.epochs)

        def move(first: int, end: int) -> None:
            _core.umap_epoch(
                self._graph,
                before,
                first,
                end,
                after,
                epoch=self.epoch,
                seed=self._settings.seed & (2**64 - 1),
                a=a,
                b=b,
                learning_rate=learning_rate,
                negative_samples=NEGATIVE_SAMPLES,
            )

        in_ranges(move, len(after))
        self.positions = after
