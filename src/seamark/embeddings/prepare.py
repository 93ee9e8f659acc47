"""Prepared vectors: normalized, centred or both, computed block by block so that a large matrix stays in its file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import FloatMatrix, RowColumn, Vectors

# A block and its prepared copy fit into the caches of a processor.
BLOCK_BYTES = 2 << 20


class Preparation(NamedTuple):
    """What is done to each vector, in this order."""

    normalize: bool = False  # length 1
    center: bool = True  # the mean becomes 0
    sphereize: bool = False  # the mean becomes 0, then every length 1, as in TensorBoard


@dataclass(frozen=True, eq=False)
class Prepared:
    vectors: Vectors
    preparation: Preparation

    @cached_property
    def mean(self) -> NDArray[np.float64]:
        """Of the finite rows, after normalizing; 0 if they are not centred."""
        vectors, (normalize, center, sphereize) = self.vectors, self.preparation
        if not (center or sphereize):
            return np.zeros(vectors.dimensions)
        total = np.zeros(vectors.dimensions)
        for block in self._raw_blocks(vectors.finite):
            total += (unit(block) if normalize else block).sum(axis=0, dtype=np.float64)
        return total / max(1, len(vectors.finite_rows))

    @cached_property
    def squares(self) -> NDArray[np.float32]:
        """The squared length of each prepared row; NaN for rows that are not finite."""
        vectors, lengths = self.vectors, np.full(self.vectors.rows, np.nan, np.float32)
        found = np.empty(len(vectors.finite_rows), np.float32)
        at = 0
        for block in self.blocks():
            found[at : at + len(block)] = np.einsum("ij,ij->i", block, block)
            at += len(block)
        lengths[slice(None) if vectors.finite is None else vectors.finite] = found
        return lengths

    def blocks(self, rows: RowColumn | None = None) -> Iterator[FloatMatrix]:
        """The prepared rows, some megabytes at a time; None: all finite rows."""
        for block in self._raw_blocks(self.vectors.finite if rows is None else rows):
            yield self.apply(block)

    def take(self, rows: RowColumn | None) -> FloatMatrix:
        """The prepared rows in one matrix; None: all finite rows."""
        chosen = self.vectors.finite_rows if rows is None else rows
        taken = np.empty((len(chosen), self.vectors.dimensions), np.float32)
        at = 0
        for block in self.blocks(rows):
            taken[at : at + len(block)] = block
            at += len(block)
        return taken

    def apply(self, raw: FloatMatrix) -> FloatMatrix:
        """A prepared copy of vectors as they were logged."""
        normalize, center, sphereize = self.preparation
        block = unit(raw) if normalize else raw
        if center or sphereize:
            block = np.subtract(block, self._mean32)
        if sphereize:
            return unit(block)
        return np.array(block) if block is raw else block

    @cached_property
    def _mean32(self) -> NDArray[np.float32]:
        return self.mean.astype(np.float32)

    def _raw_blocks(self, rows: RowColumn | None) -> Iterator[FloatMatrix]:
        values = self.vectors.values
        size = max(1, BLOCK_BYTES // max(1, 4 * self.vectors.dimensions))
        if rows is None:
            for start in range(0, len(values), size):
                yield values[start : start + size]
        else:
            for start in range(0, len(rows), size):
                yield values[rows[start : start + size]]


def unit(block: FloatMatrix) -> FloatMatrix:
    """A copy with rows of length 1; rows of zeros stay."""
    lengths = np.sqrt(np.einsum("ij,ij->i", block, block)).astype(np.float64)
    # Squares of very large or very small numbers do not fit into float32.
    odd = np.flatnonzero(~((lengths > 1e-15) & (lengths < 1e18)))
    lengths[odd] = np.linalg.norm(block[odd].astype(np.float64), axis=1)
    lengths[lengths == 0] = 1
    return block * (1 / lengths).astype(np.float32)[:, None]
