"""k-means with spread seeds and several starts; the number of clusters by the silhouette."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.clusters.grouping import Grouping, codes_by_row, nearest_of, nearest_of_all, sorted_by_size
from seamark.embeddings.form import FloatMatrix
from seamark.embeddings.prepare import Prepared

# A random sample of larger embeddings defines the centres; every row goes to the nearest one.
MAX_FITTED_ROWS = 50_000
STARTS = 4
STARTING_ROWS = 10_000  # the best start with these rows goes on with all of the sample
MAX_ROUNDS = 30
COUNTS = (*range(2, 11), 12, 15, 20, 25, 30)  # that are tried
COUNTING_ROWS = 2_000
SILHOUETTE_ROWS = 1_000


class Fit(NamedTuple):
    centres: FloatMatrix
    spread: float  # the mean squared distance to the nearest centre


def kmeans_clusters(prepared: Prepared, clusters: int = 0, seed: int = 42) -> Grouping:
    """`clusters`: how many; 0: automatic."""
    prepared = prepared if prepared.preparation.sphereize else prepared.centred
    rows, rng = prepared.vectors.finite_rows, np.random.default_rng(seed)
    notes = [f"seed {seed}"]
    sample = rows
    if len(rows) > MAX_FITTED_ROWS:
        sample = np.sort(rng.choice(rows, MAX_FITTED_ROWS, replace=False))
        notes.append(f"centres of {MAX_FITTED_ROWS:,} random points")
    matrix = prepared.take(sample)
    count = clusters or best_count(matrix, rng)
    if not clusters:
        notes.append(f"{count} by the highest silhouette of {COUNTS[0]} to {COUNTS[-1]}")
    centres = fit(matrix, count, rng)
    codes = nearest_of_all(prepared, centres).astype(np.int32)
    return Grouping(
        codes_by_row(prepared, sorted_by_size(codes)), f"k-means, best of {STARTS} starts ({'; '.join(notes)})."
    )


def fit(matrix: FloatMatrix, count: int, rng: np.random.Generator, starts: int = STARTS) -> FloatMatrix:
    """The centres of the best of several starts."""
    count = max(1, min(count, len(matrix)))
    if not len(matrix):
        return matrix
    few = matrix
    if len(matrix) > STARTING_ROWS:
        few = matrix[rng.choice(len(matrix), STARTING_ROWS, replace=False)]
    best = min((_improve(few, _spread_seeds(few, count, rng)) for _ in range(starts)), key=lambda one: one.spread)
    return best.centres if few is matrix else _improve(matrix, best.centres).centres


def best_count(matrix: FloatMatrix, rng: np.random.Generator) -> int:
    """The number of clusters with the highest silhouette coefficient of a sample; 1 if all rows are equal."""
    if len(matrix) > COUNTING_ROWS:
        matrix = matrix[rng.choice(len(matrix), COUNTING_ROWS, replace=False)]
    judged = matrix[:SILHOUETTE_ROWS]
    squares = np.einsum("ij,ij->i", judged, judged)
    away = np.sqrt(np.maximum(squares[:, None] - 2 * judged @ judged.T + squares, 0))
    best, highest = 1, 0.0
    for count in COUNTS:
        if count >= len(matrix):
            break
        found = silhouette(away, nearest_of(judged, fit(matrix, count, rng, starts=2)))
        if found > highest:
            best, highest = count, found
    return best


def silhouette(away: FloatMatrix, codes: NDArray[np.int64]) -> float:
    """The mean of (b - a) / max(a, b): a is the mean distance to the own cluster, b to the nearest other one."""
    count = int(codes.max()) + 1
    member = np.zeros((len(codes), count), np.float32)
    member[np.arange(len(codes)), codes] = 1
    sizes = member.sum(axis=0)
    sums = away @ member
    own = np.arange(len(codes)), codes
    inside = sums[own] / np.maximum(sizes[codes] - 1, 1)
    means = np.where(sizes > 0, sums / np.maximum(sizes, 1), np.inf)
    means[own] = np.inf
    outside = means.min(axis=1)
    known = (sizes[codes] > 1) & np.isfinite(outside)
    scale = np.maximum(np.maximum(inside, outside), 1e-30)
    return float(np.where(known, (np.where(known, outside, 0) - inside) / scale, 0).mean())


def _improve(matrix: FloatMatrix, centres: FloatMatrix) -> Fit:
    """Lloyd's rounds: each row goes to the nearest centre, then each centre to the mean of its rows."""
    squares = np.einsum("ij,ij->i", matrix, matrix)
    codes = np.full(len(matrix), -1)
    for _ in range(MAX_ROUNDS):
        keys = matrix @ (-2 * centres.T)
        keys += np.einsum("ij,ij->i", centres, centres)
        last, codes = codes, keys.argmin(axis=1)
        away = np.maximum(squares + keys[np.arange(len(keys)), codes], 0)
        if np.array_equal(last, codes):
            break
        centres = _means(matrix, codes, away, len(centres))
    return Fit(centres, float(away.mean()))


def _means(matrix: FloatMatrix, codes: NDArray[np.int64], away: NDArray[np.float32], count: int) -> FloatMatrix:
    """Of each cluster; an empty one gets the row that is farthest from its own centre."""
    member = np.zeros((count, len(matrix)), np.float32)
    member[codes, np.arange(len(codes))] = 1
    sizes = np.bincount(codes, minlength=count)
    centres: FloatMatrix = member @ matrix
    centres /= np.maximum(sizes, 1)[:, None].astype(np.float32)
    empty = np.flatnonzero(sizes == 0)
    centres[empty] = matrix[np.argsort(-away, kind="stable")[: len(empty)]]
    return centres


def _spread_seeds(matrix: FloatMatrix, count: int, rng: np.random.Generator) -> FloatMatrix:
    """k-means++: each next seed is drawn by the squared distance to the seeds so far."""
    seeds = [int(rng.integers(len(matrix)))]
    nearest = np.full(len(matrix), np.inf)
    for _ in range(count - 1):
        difference = matrix - matrix[seeds[-1]]
        nearest = np.minimum(nearest, np.einsum("ij,ij->i", difference, difference))
        total = nearest.sum()
        seeds.append(int(rng.choice(len(matrix), p=nearest / total) if total > 0 else rng.integers(len(matrix))))
    return matrix[seeds]
