"""Exact nearest neighbours, by comparing every vector with every other in blocks."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import FloatMatrix
from seamark.embeddings.prepare import unit

Metric = Literal["cosine", "euclidean", "dot"]
BLOCK_ROWS = 512


def neighbour_table(
    matrix: FloatMatrix, count: int, metric: Metric = "euclidean"
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The `count` nearest other rows of each row and their distances, nearest first: two arrays [rows, count]."""
    rows = len(matrix)
    count = min(count, rows - 1)
    compared = unit(matrix) if metric == "cosine" else matrix
    squares = np.einsum("ij,ij->i", compared, compared)
    found = np.empty((rows, count), np.int32)
    distances = np.empty((rows, count), np.float32)
    for start in range(0, rows, BLOCK_ROWS):
        block = slice(start, min(rows, start + BLOCK_ROWS))
        away = compared[block] @ compared.T
        if metric == "euclidean":
            away = np.sqrt(np.maximum(squares[block, None] - 2 * away + squares[None, :], 0))
        else:
            away = (1 if metric == "cosine" else 0) - away
        away[np.arange(len(away)), np.arange(block.start, block.stop)] = np.inf
        nearest = np.argpartition(away, count - 1, axis=1)[:, :count]
        by_distance = np.take_along_axis(away, nearest, 1).argsort(axis=1, kind="stable")
        found[block] = np.take_along_axis(nearest, by_distance, 1)
        distances[block] = np.take_along_axis(away, found[block], 1)
    return found, distances
