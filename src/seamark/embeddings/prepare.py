"""Prepared vectors: normalized, centred or both, computed block by block so that a large matrix stays in its file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import EmbeddingError, FloatMatrix, RowColumn, Vectors
from seamark.embeddings.threads import map_in_threads, spans

# A block and its prepared copy fit into the caches of a processor.
BLOCK_BYTES = 2 << 20
# How many times the mean square of the prepared lengths the squared length of the mean may be.
FAR_MEAN = 1_000
MAX_COVARIANCE = 2_000  # dimensions
F = TypeVar("F", np.float32, np.float64)


class Preparation(NamedTuple):
    """What is done to each vector, in this order."""

    normalize: bool = False  # length 1
    center: bool = True  # the mean becomes 0
    sphereize: bool = False  # the mean becomes 0, then every length 1, as in TensorBoard


AS_LOGGED = Preparation(center=False)


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

        def add(part: slice) -> NDArray[np.float64]:
            total = np.zeros(vectors.dimensions)
            for _, block in self._raw_blocks(part, vectors.finite):
                total += (
                    unit(block.astype(np.float64)).sum(axis=0) if normalize else block.sum(axis=0, dtype=np.float64)
                )
            return total

        count = len(vectors.finite_rows)
        return np.sum(map_in_threads(add, spans(count)), axis=0) / count if count else np.zeros(vectors.dimensions)

    @cached_property
    def squares(self) -> NDArray[np.float32]:
        """The squared length of each prepared row; NaN for rows that are not finite."""
        finite = self.vectors.finite
        found = np.empty(len(self.vectors.finite_rows), np.float32)

        def fill(place: slice, block: FloatMatrix) -> None:
            found[place] = np.einsum("ij,ij->i", block, block)

        self.each_block(fill)
        if finite is None:
            return found
        squares = np.full(self.vectors.rows, np.nan, np.float32)
        squares[finite] = found
        return squares

    def check_comparable(self) -> None:
        """Raises EmbeddingError if the squares of the numbers are too large for distances."""
        if np.isinf(self.squares).any():
            sentence = "the numbers are too large to be compared: normalize the vectors, or divide them by a number"
            raise EmbeddingError(sentence)

    @cached_property
    def factors(self) -> tuple[NDArray[np.float32] | None, NDArray[np.float32] | None]:
        """A prepared row is its vector times the first factor minus the mean times the second; None: all are 1.

        So products with prepared rows come from the vectors in their file, without a prepared copy.
        """
        scale = reciprocal_lengths(Prepared(self.vectors, AS_LOGGED).squares) if self.preparation.normalize else None
        if not self.preparation.sphereize:
            return scale, None
        centred = reciprocal_lengths(self.centred.squares)
        return (centred if scale is None else scale * centred), centred

    @cached_property
    def centred(self) -> Prepared:
        """The same rows with the mean 0 and not sphereized: distances between them are more precise."""
        preparation = Preparation(self.preparation.normalize, center=True)
        return self if preparation == self.preparation else Prepared(self.vectors, preparation)

    @cached_property
    def is_near_origin(self) -> bool:
        """Whether products with the vectors in their file, minus those with the mean, are precise in float32."""
        if not (self.preparation.center or self.preparation.sphereize):
            return True
        squares = self.centred.squares
        spread = float(np.nanmean(squares)) if len(self.vectors.finite_rows) else 0.0
        return float(self.mean @ self.mean) <= FAR_MEAN * spread

    def blocks(self, rows: RowColumn | None = None) -> Iterator[FloatMatrix]:
        """The prepared rows, some megabytes at a time; None: all finite rows."""
        yield from (block for _, block in self._blocks(slice(0, self._count(rows)), rows))

    def each_block(self, use: Callable[[slice, FloatMatrix], None], rows: RowColumn | None = None) -> None:
        """Calls `use` in several threads with each block and its place among the rows."""

        def use_all(part: slice) -> None:
            for place, block in self._blocks(part, rows):
                use(place, block)

        map_in_threads(use_all, spans(self._count(rows)))

    def sum_of_blocks(
        self, term: Callable[[FloatMatrix], Sequence[NDArray[np.float64]]], rows: RowColumn | None = None
    ) -> list[NDArray[np.float64]]:
        """The sums, over all blocks, of the terms that come from each of them."""

        def add(part: slice) -> list[NDArray[np.float64]]:
            blocks = self._blocks(part, rows)
            totals = list(term(next(blocks)[1]))
            for _, block in blocks:
                for total, one in zip(totals, term(block), strict=True):
                    total += one
            return totals

        parts = map_in_threads(add, spans(self._count(rows)))
        return [sum(terms[1:], terms[0]) for terms in zip(*parts, strict=True)]

    def take(self, rows: RowColumn | None) -> FloatMatrix:
        """The prepared rows in one matrix; None: all finite rows."""
        taken = np.empty((self._count(rows), self.vectors.dimensions), np.float32)

        def fill(place: slice, block: FloatMatrix) -> None:
            taken[place] = block

        self.each_block(fill, rows)
        return taken

    def take_precisely(self, rows: RowColumn) -> NDArray[np.float64]:
        return self.apply(self.vectors.values[rows].astype(np.float64))

    def apply(self, raw: NDArray[F]) -> NDArray[F]:
        """A prepared copy of vectors as they were logged."""
        normalize, center, sphereize = self.preparation
        block = unit(raw) if normalize else raw
        if center or sphereize:
            block = np.subtract(block, self._mean32 if raw.dtype == np.float32 else self.mean, dtype=raw.dtype)
        if sphereize:
            return unit(block)
        return np.array(block) if block is raw else block

    @cached_property
    def _mean32(self) -> NDArray[np.float32]:
        return self.mean.astype(np.float32)

    def _count(self, rows: RowColumn | None) -> int:
        return len(self.vectors.finite_rows) if rows is None else len(rows)

    def _blocks(self, part: slice, rows: RowColumn | None) -> Iterator[tuple[slice, FloatMatrix]]:
        for place, block in self._raw_blocks(part, self.vectors.finite if rows is None else rows):
            yield place, self.apply(block)

    def _raw_blocks(self, part: slice, rows: RowColumn | None) -> Iterator[tuple[slice, FloatMatrix]]:
        """Of a part of the rows, with the place among all of them; None: all rows of the matrix."""
        values, dimensions = self.vectors.values, self.vectors.dimensions
        # With fewer rows than dimensions, adding up covariances would take longer than computing them.
        size = max(1, BLOCK_BYTES // max(1, 4 * dimensions), dimensions if dimensions <= MAX_COVARIANCE else 1)
        for start in range(part.start, part.stop, size):
            place = slice(start, min(start + size, part.stop))
            yield place, values[place] if rows is None else values[rows[place]]


def unit(block: NDArray[F]) -> NDArray[F]:
    """A copy with rows of length 1; rows of zeros stay."""
    lengths = np.sqrt(np.einsum("ij,ij->i", block, block)).astype(np.float64)
    # Squares of very large or very small numbers do not fit into float32.
    odd = np.flatnonzero(~((lengths > 1e-15) & (lengths < 1e18)))
    lengths[odd] = np.linalg.norm(block[odd].astype(np.float64), axis=1)
    lengths[lengths == 0] = 1
    scaled = np.empty_like(block)
    np.multiply(block, (1 / lengths).astype(block.dtype)[:, None], out=scaled)
    return scaled


def reciprocal_lengths(squares: NDArray[np.float32]) -> NDArray[np.float32]:
    """1 for rows of zeros."""
    reciprocals = np.ones_like(squares)
    np.divide(1, np.sqrt(squares), out=reciprocals, where=squares != 0)
    return reciprocals
