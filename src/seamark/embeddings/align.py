"""Alignment: the rotation or reflection that brings one embedding closest to another (orthogonal Procrustes)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import EmbeddingError, FloatMatrix, RowColumn
from seamark.embeddings.prepare import Prepared

FloatArray = NDArray[np.float64]

# A random sample of more rows defines the rotation.
MAX_ALIGNED_ROWS = 50_000
# Embeddings with more dimensions are rotated only in the space that a sample of half as many rows spans.
MAX_ROTATED_DIMENSIONS = 2_000


@dataclass(frozen=True, eq=False)
class Alignment:
    rotation: FloatArray  # orthogonal; of the basis, if there is one
    scale: float
    source_mean: FloatArray
    target_mean: FloatArray
    basis: FloatArray | None  # [dimensions, fewer]: what is perpendicular to it stays

    def apply(self, matrix: FloatMatrix) -> FloatMatrix:
        """A copy of rows of the source, moved to where the target has them."""
        centred = matrix - self.source_mean.astype(np.float32)
        if self.basis is None:
            turned = centred @ self.rotation.astype(np.float32)
        else:
            change = self.rotation - np.eye(len(self.rotation))
            inside = centred @ self.basis.astype(np.float32)
            turned = centred + inside @ (change @ self.basis.T).astype(np.float32)
        if self.scale != 1:
            turned *= np.float32(self.scale)
        turned += self.target_mean.astype(np.float32)
        return turned

    def before(self, matrix: NDArray[np.float32]) -> NDArray[np.float32]:
        """The linear map [dimensions, axes] that rotates first; for an alignment without shift and scale."""
        wide = matrix.astype(np.float64)
        if self.basis is None:
            return (self.rotation @ wide).astype(np.float32)
        change = self.rotation - np.eye(len(self.rotation))
        return (wide + self.basis @ (change @ (self.basis.T @ wide))).astype(np.float32)


def alignment(source: Prepared, target: Prepared, seed: int = 42) -> Alignment:
    """Brings the rows of `source` closest to the same rows of `target`; rows that are not finite take no part."""
    shapes = [(one.vectors.rows, one.vectors.dimensions) for one in (source, target)]
    if shapes[0] != shapes[1]:
        raise different_sizes(*shapes)
    common = common_rows(source, target)
    limit = max_rows(shapes[0][1])
    if len(common) > limit:
        common = np.sort(np.random.default_rng(seed).choice(common, limit, replace=False))
    return align_rows(source.take(common), target.take(common))


def common_rows(source: Prepared, target: Prepared) -> RowColumn:
    """That are finite in both."""
    return np.intersect1d(source.vectors.finite_rows, target.vectors.finite_rows, assume_unique=True)


def align_rows(
    source: FloatMatrix, target: FloatMatrix, *, shift: bool = False, scale: bool = False, seed: int = 42
) -> Alignment:
    """The same of matrices; a shift and a scale are only undone if wanted."""
    if source.shape != target.shape:
        raise different_sizes(source.shape, target.shape)
    first, second = _finite_rows(source, target, seed)
    zeros = np.zeros(source.shape[1])
    source_mean, target_mean = (first.mean(axis=0), second.mean(axis=0)) if shift and len(first) else (zeros, zeros)
    first, second = first - source_mean, second - target_mean
    basis = None
    if len(first) * 2 < source.shape[1]:
        basis = np.linalg.qr(np.concatenate([first, second]).T)[0]
        first, second = first @ basis, second @ basis
    left, strengths, right = np.linalg.svd(first.T @ second)
    length = float(np.einsum("ij,ij->", first, first))
    factor = float(strengths.sum()) / length if scale and length > 0 else 1.0
    return Alignment(left @ right, factor, source_mean, target_mean, basis)


def max_rows(dimensions: int) -> int:
    return MAX_ALIGNED_ROWS if dimensions <= MAX_ROTATED_DIMENSIONS else MAX_ROTATED_DIMENSIONS // 2


def different_sizes(first: tuple[int, ...], second: tuple[int, ...]) -> EmbeddingError:
    sizes = " and ".join(f"{rows:,} × {dimensions:,}" for rows, dimensions in (first, second))
    return EmbeddingError(f"embeddings of different sizes cannot be aligned: {sizes}")


def _finite_rows(source: FloatMatrix, target: FloatMatrix, seed: int) -> tuple[FloatArray, FloatArray]:
    rows, limit = np.arange(len(source)), max_rows(source.shape[1])
    if len(rows) > limit:
        rows = np.sort(np.random.default_rng(seed).choice(rows, limit, replace=False))
    first, second = source[rows].astype(np.float64), target[rows].astype(np.float64)
    finite = np.isfinite(first).all(axis=1) & np.isfinite(second).all(axis=1)
    return (first, second) if finite.all() else (first[finite], second[finite])
