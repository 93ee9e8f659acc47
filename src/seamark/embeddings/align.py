"""Alignment: the rotation or reflection that brings one embedding closest to another (orthogonal Procrustes)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import EmbeddingError, FloatMatrix

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


def alignment(
    source: FloatMatrix, target: FloatMatrix, *, shift: bool = False, scale: bool = False, seed: int = 42
) -> Alignment:
    """Brings the rows of `source` closest to the same rows of `target`; rows that are not finite take no part."""
    if source.shape != target.shape:
        raise EmbeddingError(
            f"embeddings of different sizes cannot be aligned: {source.shape[0]:,} × {source.shape[1]:,} and "
            f"{target.shape[0]:,} × {target.shape[1]:,}"
        )
    first, second = _common_rows(source, target, seed)
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


def _common_rows(source: FloatMatrix, target: FloatMatrix, seed: int) -> tuple[FloatArray, FloatArray]:
    rows, dimensions = source.shape
    limit = MAX_ALIGNED_ROWS if dimensions <= MAX_ROTATED_DIMENSIONS else MAX_ROTATED_DIMENSIONS // 2
    chosen = np.arange(rows)
    if rows > limit:
        chosen = np.sort(np.random.default_rng(seed).choice(rows, limit, replace=False))
    first, second = source[chosen].astype(np.float64), target[chosen].astype(np.float64)
    finite = np.isfinite(first).all(axis=1) & np.isfinite(second).all(axis=1)
    return (first, second) if finite.all() else (first[finite], second[finite])
