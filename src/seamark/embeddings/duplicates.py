"""Duplicates: rows with equal vectors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import FloatMatrix, RowColumn, Vectors

BLOCK_BYTES = 2 << 20


def find_duplicates(vectors: Vectors) -> list[RowColumn]:
    """Groups of finite rows with equal numbers, the largest first; the rows of each are in ascending order."""
    rows = vectors.finite_rows
    hashes = _hashes(vectors.values, rows)
    order = np.argsort(hashes, kind="stable")
    starts = np.flatnonzero(np.diff(hashes[order], prepend=hashes[order[:1]] + np.uint64(1)))
    sizes = np.diff(starts, append=len(order))
    groups = list[RowColumn]()
    for start, size in zip(starts[sizes > 1].tolist(), sizes[sizes > 1].tolist(), strict=True):
        groups += _equal_rows(vectors.values, rows[order[start : start + size]])
    return sorted(groups, key=lambda group: (-len(group), group[0]))


def _hashes(values: FloatMatrix, rows: RowColumn) -> NDArray[np.uint64]:
    """Equal for equal rows, and hardly ever for others."""
    factors = np.random.default_rng(1).integers(1, 1 << 63, values.shape[1], np.uint64) | np.uint64(1)
    hashes = np.empty(len(rows), np.uint64)
    size = max(1, BLOCK_BYTES // max(1, 4 * values.shape[1]))
    for start in range(0, len(rows), size):
        block = values[rows[start : start + size]] + np.float32(0)  # -0 is 0
        hashes[start : start + size] = (block.view(np.uint32) * factors).sum(axis=1, dtype=np.uint64)
    return hashes


def _equal_rows(values: FloatMatrix, rows: RowColumn) -> list[RowColumn]:
    """The groups of truly equal rows among those with one hash: one group, but for a collision."""
    groups = list[RowColumn]()
    while len(rows) > 1:
        size = max(1, BLOCK_BYTES // max(1, 4 * values.shape[1]))
        is_equal = np.concatenate(
            [(values[rows[at : at + size]] == values[rows[0]]).all(axis=1) for at in range(0, len(rows), size)]
        )
        if np.count_nonzero(is_equal) > 1:
            groups.append(rows[is_equal])
        rows = rows[~is_equal]
    return groups
