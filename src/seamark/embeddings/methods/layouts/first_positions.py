"""Where a layout begins: the principal components, so that the large shape of the data is right from the start."""

from __future__ import annotations

import numpy as np

from seamark.embeddings.form import FloatMatrix

POWER_ITERATIONS = 6
EXTRA_AXES = 8  # beyond those that are shown: they make the iteration converge faster
NOISE = 0.01  # of the spread: separates equal rows


def principal_positions(matrix: FloatMatrix, dims: int, *, spread: float, seed: int) -> FloatMatrix:
    """The rows on their first principal components, with a standard deviation of `spread` on the first.

    Randomized subspace iteration (Halko, Martinsson and Tropp, 2011): its cost grows with rows times columns, also for
    100,000 columns.
    """
    random = np.random.default_rng(seed)
    rows, columns = matrix.shape
    mean = matrix.mean(axis=0, dtype=np.float64).astype(np.float32)
    axes = random.standard_normal((columns, min(columns, dims + EXTRA_AXES))).astype(np.float32)
    for _ in range(POWER_ITERATIONS):
        axes = np.linalg.qr(axes)[0]
        placed = matrix @ axes - mean @ axes
        axes = matrix.T @ placed - np.outer(mean, placed.sum(axis=0))
    axes = np.linalg.qr(axes)[0]
    placed = matrix @ axes - mean @ axes
    _, turned = np.linalg.eigh(placed.T @ placed)
    positions = np.zeros((rows, dims), np.float32)
    shown = min(dims, axes.shape[1])
    positions[:, :shown] = placed @ turned[:, ::-1][:, :shown]
    return _scaled(positions, spread) + random.normal(0, NOISE * spread, positions.shape).astype(np.float32)


def _scaled(positions: FloatMatrix, spread: float) -> FloatMatrix:
    deviation = float(positions[:, 0].std())
    return positions * np.float32(spread / deviation) if deviation > 0 else np.zeros_like(positions)
