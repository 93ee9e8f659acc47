"""Grouping: the cluster of each row, and how it was found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import FloatMatrix
from seamark.embeddings.prepare import Prepared

NO_CLUSTER = -1


@dataclass(frozen=True, eq=False)
class Grouping:
    codes: NDArray[
        np.int32
    ]  # by row: clusters from 0, the largest first; NO_CLUSTER for noise and rows without a place
    method: str  # a sentence


def sorted_by_size(codes: NDArray[np.int32]) -> NDArray[np.int32]:
    """The same clusters, numbered from the largest on."""
    inside = codes != NO_CLUSTER
    names, positions, sizes = np.unique(codes[inside], return_inverse=True, return_counts=True)
    numbers = np.empty(len(names), np.int32)
    numbers[np.argsort(-sizes, kind="stable")] = np.arange(len(names))
    renumbered = np.full(codes.shape, NO_CLUSTER, np.int32)
    renumbered[inside] = numbers[positions]
    return renumbered


def codes_by_row(prepared: Prepared, codes: NDArray[np.int32]) -> NDArray[np.int32]:
    """Of codes of the finite rows."""
    finite = prepared.vectors.finite
    if finite is None:
        return codes
    by_row = np.full(prepared.vectors.rows, NO_CLUSTER, np.int32)
    by_row[finite] = codes
    return by_row


def nearest_of(block: FloatMatrix, references: FloatMatrix) -> NDArray[np.int64]:
    """The position of the nearest reference of each row."""
    keys = block @ (-2 * references.T)
    keys += np.einsum("ij,ij->i", references, references)
    nearest: NDArray[np.int64] = keys.argmin(axis=1)
    return nearest


def nearest_of_all(prepared: Prepared, references: FloatMatrix) -> NDArray[np.int64]:
    """The same of all finite rows."""
    nearest = np.empty(len(prepared.vectors.finite_rows), np.int64)

    def fill(place: slice, block: FloatMatrix) -> None:
        nearest[place] = nearest_of(block, references)

    prepared.each_block(fill)
    return nearest
