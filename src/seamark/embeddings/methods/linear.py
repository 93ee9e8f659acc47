"""Linear projections: principal components, random ones, single dimensions, and axes between groups of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import EmbeddingError, FloatMatrix, RowColumn
from seamark.embeddings.prepare import MAX_COVARIANCE, Prepared

FloatArray = NDArray[np.float64]

MAX_COMPONENTS = 10
MIN_AXES = 3  # of every map, so that each makes a picture: axes without variance are 0
# The larger of the matrices that are decomposed exactly has as many rows: the covariance of the dimensions, or the
# products of the rows.
MAX_DECOMPOSED = MAX_COVARIANCE
# Multiplications of an exact covariance: about six seconds on two cores. More take randomized components.
MAX_EXACT_WORK = 2e11
RANDOMIZED_PASSES = 6
RANDOMIZED_EXTRA = 10  # directions beside the wanted ones: they make these accurate
COLUMNS_AT_ONCE = 4_096


@dataclass(frozen=True, eq=False)
class LinearMap:
    matrix: NDArray[np.float32]  # [dimensions, axes], for prepared rows
    titles: tuple[str, ...]
    variance: tuple[float, ...] = ()  # the share that each axis explains
    notes: tuple[str, ...] = ()  # sentences, such as how a large embedding was treated


def fit_pca(
    prepared: Prepared, rows: RowColumn | None = None, components: int = MAX_COMPONENTS, seed: int = 42
) -> LinearMap:
    """The principal components of the rows; None: of all finite rows.

    Exact in double precision; randomized above MAX_EXACT_WORK, or if neither the rows nor the dimensions are few.
    """
    count = len(prepared.vectors.finite_rows) if rows is None else len(rows)
    dimensions = prepared.vectors.dimensions
    smaller = min(count, dimensions)
    notes: tuple[str, ...] = ()
    if count == 0:
        raise EmbeddingError("no row has numbers that are all finite")
    if smaller > MAX_DECOMPOSED or count * dimensions * smaller > MAX_EXACT_WORK:
        values, vectors, total = _randomized(prepared, rows, components, seed)
        notes = (f"randomized components, because {count:,} × {dimensions:,} is large (seed {seed})",)
    elif count < dimensions:
        values, vectors, total = _by_products(prepared.take(rows))
    else:
        values, vectors, total = _by_covariance(prepared, rows)
    if not total:
        notes = (*notes, "there is only one row" if count == 1 else f"all {count:,} rows are equal: nothing varies")
    shown = max(MIN_AXES, min(components, smaller))
    matrix, shares = np.zeros((dimensions, shown), np.float32), np.zeros(shown)
    # What rounding leaves of a direction without variance is no direction.
    found = min(shown, int(np.count_nonzero(values > 1e-12 * max(total, 1e-300))))
    matrix[:, :found] = _with_fixed_signs(vectors[:, :found])
    shares[:found] = values[:found] / total if total else 0
    return LinearMap(matrix, tuple(f"PC{axis + 1}" for axis in range(shown)), tuple(shares.tolist()), notes)


def random_map(prepared: Prepared, dims: int, seed: int = 42) -> LinearMap:
    """Random directions of length 1."""
    drawn = np.random.default_rng(seed).standard_normal((prepared.vectors.dimensions, dims))
    return LinearMap(
        (drawn / np.linalg.norm(drawn, axis=0)).astype(np.float32),
        tuple(f"random {axis + 1}" for axis in range(dims)),
        notes=(f"random directions, seed {seed}",),
    )


def raw_map(prepared: Prepared, dimensions: Sequence[int]) -> LinearMap:
    """Single dimensions, counted from 0."""
    size = prepared.vectors.dimensions
    for dimension in dimensions:
        if not 0 <= dimension < size:
            raise EmbeddingError(f"there is no dimension {dimension}: the embedding has 0 to {size - 1}")
    matrix = np.zeros((size, len(dimensions)), np.float32)
    matrix[list(dimensions), np.arange(len(dimensions))] = 1
    return LinearMap(matrix, tuple(f"dimension {dimension}" for dimension in dimensions))


# Of an axis that nobody named.
REST = "largest variance of the rest"


def axes_map(
    prepared: Prepared,
    ends: Sequence[tuple[RowColumn, RowColumn] | None],
    titles: Sequence[str],
    components: LinearMap | None = None,
) -> LinearMap:
    """One axis for each pair of groups of rows: it points from the mean of the first to the mean of the second.

    An axis without groups is at right angles to the others, along the largest variance of these `components`.
    """
    matrix = np.zeros((prepared.vectors.dimensions, len(ends)), np.float32)
    for axis, groups in enumerate(ends):
        if groups is None:
            continue
        direction = _mean(prepared, groups[1], titles[axis]) - _mean(prepared, groups[0], titles[axis])
        length = np.linalg.norm(direction)
        if length < 1e-12:
            raise EmbeddingError(f"the axis '{titles[axis]}' has no direction: its ends have the same mean")
        matrix[:, axis] = direction / length
    for axis, groups in enumerate(ends):
        if groups is None and components is not None:
            matrix[:, axis] = _direction_of_rest(components, matrix)
    return LinearMap(matrix, tuple(titles))


def _direction_of_rest(components: LinearMap, axes: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of length 1 and at right angles to all axes; 0 if nothing varies there."""
    named = axes[:, np.any(axes != 0, axis=0)].astype(np.float64)
    basis = np.linalg.qr(named)[0]
    directions = components.matrix.astype(np.float64)
    rest = directions - basis @ (basis.T @ directions)
    lengths = np.linalg.norm(rest, axis=0)
    best = int(np.argmax(np.array(components.variance) * lengths**2))
    return (rest[:, best] / lengths[best] if lengths[best] > 1e-6 else np.zeros(len(rest))).astype(np.float32)


def variance_shares(
    prepared: Prepared, matrix: NDArray[np.float32], rows: RowColumn | None = None
) -> tuple[float, ...]:
    """The share of the variance of the rows that each axis of a map explains; None: of all finite rows."""

    def moments(block: FloatMatrix) -> list[FloatArray]:
        placed = (block @ matrix).astype(np.float64)
        precise = block.astype(np.float64)
        sums = (placed.sum(axis=0), (placed * placed).sum(axis=0), precise.sum(axis=0))
        return [*sums, np.array([float(len(block)), float(np.einsum("ij,ij->", precise, precise))])]

    sums, squares, total, (count, length) = prepared.sum_of_blocks(moments, rows)
    variance = length / count - float(np.sum((total / count) ** 2))
    along = np.maximum(squares / count - (sums / count) ** 2, 0)
    return tuple((along / variance if variance > 0 else np.zeros_like(along)).tolist())


def project(prepared: Prepared, shown: LinearMap, rows: RowColumn | None = None) -> FloatMatrix:
    """The positions of the rows on all axes of the map; None: of all finite rows."""
    count = len(prepared.vectors.finite_rows) if rows is None else len(rows)
    positions = np.empty((count, shown.matrix.shape[1]), np.float32)

    def fill(place: slice, block: FloatMatrix) -> None:
        np.matmul(block, shown.matrix, out=positions[place])

    prepared.each_block(fill, rows)
    return positions


def _mean(prepared: Prepared, rows: RowColumn, title: str) -> FloatArray:
    finite = rows if prepared.vectors.finite is None else np.intersect1d(rows, prepared.vectors.finite)
    if not len(finite):
        raise EmbeddingError(f"no row matches an end of the axis '{title}'")
    (total,) = prepared.sum_of_blocks(lambda block: [block.sum(axis=0, dtype=np.float64)], finite)
    return total / len(finite)


def _by_covariance(prepared: Prepared, rows: RowColumn | None) -> tuple[FloatArray, FloatArray, float]:
    """Variances in descending order, the directions as columns, and the variance of all dimensions."""

    def terms(block: FloatMatrix) -> list[FloatArray]:
        precise = block.astype(np.float64)
        return [precise.T @ precise, precise.sum(axis=0), np.array([float(len(block))])]

    scatter, total, (count,) = prepared.sum_of_blocks(terms, rows)
    mean = total / count
    values, vectors = np.linalg.eigh(scatter / count - np.outer(mean, mean))
    values = np.maximum(values[::-1], 0)
    return values, vectors[:, ::-1], float(values.sum())


def _by_products(matrix: FloatMatrix) -> tuple[FloatArray, FloatArray, float]:
    """As _by_covariance, by the products of the rows: they are fewer than the dimensions."""
    count, size = matrix.shape
    products = np.zeros((count, count))
    for start in range(0, size, COLUMNS_AT_ONCE):
        columns = matrix[:, start : start + COLUMNS_AT_ONCE].astype(np.float64)
        columns -= columns.mean(axis=0)
        products += columns @ columns.T
    values, vectors = np.linalg.eigh(products / count)
    values, vectors = np.maximum(values[::-1], 0), vectors[:, ::-1]
    # The first ones only: as many as rows would be a second matrix.
    directions = matrix.T @ vectors[:, : MAX_COMPONENTS + 1].astype(np.float32)
    lengths = np.linalg.norm(directions.astype(np.float64), axis=0)
    return values, directions / np.where(lengths > 0, lengths, 1), float(values.sum())


def _randomized(
    prepared: Prepared, rows: RowColumn | None, components: int, seed: int
) -> tuple[FloatArray, FloatArray, float]:
    """As _by_covariance, by multiplying random directions with the covariance, which is never made, some times."""

    def moments(block: FloatMatrix) -> list[FloatArray]:
        squares = np.einsum("ij,ij->", block, block, dtype=np.float64)
        return [block.sum(axis=0, dtype=np.float64), np.array([float(len(block)), float(squares)])]

    total, (count, squares) = prepared.sum_of_blocks(moments, rows)
    mean, size = total / count, prepared.vectors.dimensions
    product = np.random.default_rng(seed).standard_normal((size, min(size, components + RANDOMIZED_EXTRA)))
    directions = product
    for _ in range(RANDOMIZED_PASSES):
        directions = np.linalg.qr(product)[0]
        product = _scatter_times(prepared, rows, directions) / count - np.outer(mean, mean @ directions)
    values, rotation = np.linalg.eigh(directions.T @ product)
    variance = max(float(squares / count - mean @ mean), 0.0)
    return np.maximum(values[::-1], 0), directions @ rotation[:, ::-1], variance


def _scatter_times(prepared: Prepared, rows: RowColumn | None, directions: FloatArray) -> FloatArray:
    """XᵀX times the directions, where X is the prepared rows."""
    narrow = directions.astype(np.float32)

    def terms(block: FloatMatrix) -> list[FloatArray]:
        return [(block.T @ (block @ narrow)).astype(np.float64)]

    return prepared.sum_of_blocks(terms, rows)[0]


def _with_fixed_signs(vectors: FloatArray) -> FloatArray:
    """The largest loading of each direction is positive, so that equal embeddings have equal pictures."""
    largest = np.abs(vectors).argmax(axis=0)
    return vectors * np.where(vectors[largest, np.arange(vectors.shape[1])] < 0, -1, 1)
