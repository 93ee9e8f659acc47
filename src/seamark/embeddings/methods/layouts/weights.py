"""How much each neighbour counts: distances become probabilities, with a scale of its own for each row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import FloatMatrix

BISECTIONS = 40
BLOCK_ROWS = 2048
MIN_SCALE = 1e-3  # of UMAP: relative to the mean distance


def perplexity_weights(distances: FloatMatrix, perplexity: float) -> FloatMatrix:
    """t-SNE: exp(-beta d²) / sum in each row, with beta such that the entropy is log(perplexity)."""
    weights = np.empty_like(distances)
    for start in range(0, len(distances), BLOCK_ROWS):
        block = slice(start, start + BLOCK_ROWS)
        weights[block] = _perplexity_block(distances[block], perplexity)
    return weights


def _perplexity_block(distances: FloatMatrix, perplexity: float) -> FloatMatrix:
    squares = distances.astype(np.float32) ** 2
    squares -= squares.min(axis=1, keepdims=True)
    # Relative to their mean, so that beta is in a range that does not depend on the data.
    squares /= np.maximum(squares.mean(axis=1, keepdims=True), np.finfo(np.float32).tiny)
    target = np.float32(np.log(perplexity))
    low = np.full((len(squares), 1), -16, np.float32)  # log2 of beta
    high = np.full((len(squares), 1), 24, np.float32)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        beta = np.exp2(middle)
        weights = np.exp(-beta * squares)
        total = weights.sum(axis=1, keepdims=True)
        entropy = np.log(total) + beta * np.einsum("ij,ij->i", weights, squares)[:, None] / total
        is_wide = entropy > target
        low, high = np.where(is_wide, middle, low), np.where(is_wide, high, middle)
    found: FloatMatrix = np.exp(-np.exp2(high) * squares)
    found /= found.sum(axis=1, keepdims=True)
    return found


def membership_weights(distances: FloatMatrix) -> FloatMatrix:
    """UMAP: exp(-(d - nearest) / scale), with a scale such that the weights of a row sum up to log2(neighbours).

    The nearest neighbour with a distance above 0 has weight 1; the row itself counts as a neighbour.
    """
    target = np.log2(distances.shape[1] + 1)
    nearest = np.min(distances, axis=1, where=distances > 0, initial=np.inf)
    beyond = np.maximum(distances - np.where(np.isfinite(nearest), nearest, 0)[:, None], 0)
    low = np.zeros((len(distances), 1), np.float32)
    high = np.maximum(beyond.max(axis=1, keepdims=True), np.float32(1e-20)) * np.float32(1e3)
    for _ in range(BISECTIONS):
        scale = (low + high) / 2
        is_wide = np.exp(-beyond / scale).sum(axis=1, keepdims=True) > target
        low, high = np.where(is_wide, low, scale), np.where(is_wide, scale, high)
    means: NDArray[np.float32] = distances.mean(axis=1, keepdims=True)
    scale = np.maximum(high, MIN_SCALE * np.where(means > 0, means, max(1e-30, float(means.mean()))))
    weights: FloatMatrix = np.exp(-beyond / scale).astype(np.float32)
    return weights
