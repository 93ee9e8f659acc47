"""Linear projections: principal components, random ones, single dimensions, and axes between groups of rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import FloatMatrix, RowColumn
from seamark.embeddings.prepare import Prepared

MAX_COMPONENTS = 10


@dataclass(frozen=True, eq=False)
class LinearMap:
    matrix: NDArray[np.float32]  # [dimensions, axes], for prepared rows
    titles: tuple[str, ...]
    variance: tuple[float, ...] = ()  # the share that each axis explains


def fit_pca(prepared: Prepared, components: int = MAX_COMPONENTS) -> LinearMap:
    size = prepared.vectors.dimensions
    scatter, total, rows = np.zeros((size, size)), np.zeros(size), 0
    for block in prepared.blocks():
        scatter += block.T @ block
        total += block.sum(axis=0, dtype=np.float64)
        rows += len(block)
    mean = total / max(1, rows)
    values, vectors = np.linalg.eigh(scatter / max(1, rows) - np.outer(mean, mean))
    count = min(components, size)
    values, vectors = np.maximum(values[::-1], 0), vectors[:, ::-1][:, :count]
    shares = values[:count] / (values.sum() or 1)
    titles = tuple(f"PC{axis + 1}" for axis in range(count))
    return LinearMap(vectors.astype(np.float32), titles, tuple(shares.tolist()))


def project(prepared: Prepared, shown: LinearMap, rows: RowColumn | None = None) -> FloatMatrix:
    """The positions of the rows on all axes of the map; None: of all finite rows."""
    return np.concatenate([block @ shown.matrix for block in prepared.blocks(rows)])
