"""Prepared vectors: normalized, centred or both, computed block by block so that a large matrix stays in its file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import FloatMatrix, RowColumn, Vectors

BLOCK_BYTES = 16 << 20


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

    def blocks(self, rows: RowColumn | None = None) -> Iterator[FloatMatrix]:
        """The prepared rows, some megabytes at a time; None: all finite rows."""
        for block in self._raw_blocks(self.vectors.finite if rows is None else rows):
            yield self.apply(block)

    def take(self, rows: RowColumn) -> FloatMatrix:
        return self.apply(self.vectors.values[rows])

    def apply(self, raw: FloatMatrix) -> FloatMatrix:
        """A prepared copy of vectors as they were logged."""
        normalize, center, sphereize = self.preparation
        block = unit(raw) if normalize else np.array(raw, np.float32)
        if center or sphereize:
            block -= self.mean.astype(np.float32)
        return unit(block) if sphereize else block

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
    lengths = np.linalg.norm(block, axis=1, keepdims=True)
    scaled = np.zeros(block.shape, np.float32)
    np.divide(block, lengths, out=scaled, where=lengths > 0)
    return scaled
