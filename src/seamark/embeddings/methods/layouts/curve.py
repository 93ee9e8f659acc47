"""UMAP's curve 1 / (1 + a d^2b): how probably points at distance d of the picture are neighbours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ITERATIONS = 100
MAX_DISTANCE = 3.0


def fit_curve(min_distance: float) -> tuple[float, float]:
    """The a and b for which the curve is nearest to 1 up to `min_distance` and exp(min_distance - d) beyond.

    Least squares by Levenberg and Marquardt.
    """
    distances = np.linspace(0, MAX_DISTANCE, 301)[1:]
    wanted = np.minimum(1, np.exp(min_distance - distances))
    fitted, damping = np.array([1.0, 1.0]), 1e-3
    misses = _curve(distances, fitted) - wanted
    for _ in range(ITERATIONS):
        slopes = _slopes(distances, fitted)
        square = slopes.T @ slopes
        candidate = fitted - np.linalg.solve(square + damping * np.diag(np.diag(square)), slopes.T @ misses)
        candidate = np.maximum(candidate, 1e-3)
        candidate_misses = _curve(distances, candidate) - wanted
        if candidate_misses @ candidate_misses < misses @ misses:
            fitted, misses, damping = candidate, candidate_misses, damping / 3
        else:
            damping *= 3
    return float(fitted[0]), float(fitted[1])


def _curve(distances: Floats, fitted: Floats) -> Floats:
    values: Floats = 1 / (1 + fitted[0] * distances ** (2 * fitted[1]))
    return values


def _slopes(distances: Floats, fitted: Floats) -> Floats:
    """Derivatives by a and b."""
    power = distances ** (2 * fitted[1])
    square = _curve(distances, fitted) ** 2
    return np.stack([-square * power, -square * fitted[0] * power * 2 * np.log(distances)], axis=1)
