"""Exact nearest neighbours, by comparing every vector with every other in blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import EmbeddingError, FloatMatrix, RowColumn
from seamark.embeddings.prepare import Prepared, unit
from seamark.embeddings.threads import map_in_threads, spans

Metric = Literal["cosine", "euclidean", "dot"]
HISTOGRAM_BINS = 32
# Distances in float32 choose as many rows more than asked for; double precision ranks them.
EXTRA_CANDIDATES = 1_000
EXTRA_IN_TABLE = 8
TABLE_BLOCK_ROWS = 256
TABLE_BLOCK_BYTES = 64 << 20


class Neighbours(NamedTuple):
    """Distances of `dot` are negative products, so that the nearest is the smallest for every metric."""

    rows: RowColumn  # nearest first
    distances: NDArray[np.float64]
    compared: int  # rows
    histogram_counts: NDArray[np.int64]  # of the distances to all compared rows
    histogram_edges: NDArray[np.float64]


def nearest(prepared: Prepared, row: int, count: int, metric: Metric, rows: RowColumn | None = None) -> Neighbours:
    """The nearest other rows of a row, among `rows`; None: among all finite rows."""
    prepared = _compared_from(prepared, row, metric)
    query = np.array([row])
    away = distances(prepared, prepared.take(query), metric, rows)[0]
    away[row if rows is None else np.flatnonzero(rows == row)] = np.inf
    compared = int(np.count_nonzero(away < np.inf))
    counts, edges = histogram(away, compared)
    candidates = smallest(away[None], min(compared, count + EXTRA_CANDIDATES))[0]
    found = candidates if rows is None else rows[candidates]
    precise = precise_distances(prepared, query, found, metric)
    order = np.lexsort((found, precise))[:count]
    return Neighbours(found[order], precise[order], compared, counts, edges)


def row_distances(prepared: Prepared, row: int, metric: Metric) -> NDArray[np.float32]:
    """From a row to all rows, as precise as float32. Infinite for rows that are not finite."""
    prepared = _compared_from(prepared, row, metric)
    away = distances(prepared, prepared.take(np.array([row])), metric).ravel()
    if metric != "dot":
        np.maximum(away, 0, out=away)
        away[row] = 0  # not what rounding leaves of it
    return away


def _compared_from(prepared: Prepared, row: int, metric: Metric) -> Prepared:
    """The vectors to compare, if the row has distances."""
    if metric == "euclidean" and not prepared.preparation.sphereize:
        prepared = prepared.centred
    squares = prepared.squares
    if not 0 <= row < len(squares):
        raise EmbeddingError(f"there is no row {row}: the embedding has 0 to {len(squares) - 1}")
    if np.isnan(squares[row]):
        raise EmbeddingError(f"row {row} has numbers that are not finite: it has no neighbours")
    return prepared


def distances(
    prepared: Prepared, queries: FloatMatrix, metric: Metric, rows: RowColumn | None = None
) -> NDArray[np.float32]:
    """From prepared queries to the rows, as precise as float32: [queries, rows]. Infinite for rows that are not finite.

    None: to all rows, without a copy of the matrix.
    """
    away = _products(prepared, queries, rows)
    squares = prepared.squares if rows is None else prepared.squares[rows]
    own = np.einsum("ij,ij->i", queries, queries)[:, None]
    if metric == "dot":
        np.negative(away, out=away)
    elif metric == "euclidean":
        away *= -2
        away += squares
        away += own
        np.maximum(away, 0, out=away)
        np.sqrt(away, out=away)
    else:
        lengths = np.sqrt(squares)
        lengths[lengths == 0] = 1
        away /= lengths
        away /= -np.sqrt(np.where(own > 0, own, 1))
        away += 1
    if prepared.vectors.finite is not None:
        away[:, np.isnan(squares)] = np.inf
    return away


def precise_distances(prepared: Prepared, query: RowColumn, rows: RowColumn, metric: Metric) -> NDArray[np.float64]:
    """From one row to others, in double precision."""
    own = prepared.take_precisely(query)[0]
    found = np.empty(len(rows))
    at_once = max(1, (8 << 20) // (8 * max(1, len(own))))
    for start in range(0, len(rows), at_once):
        part = slice(start, start + at_once)
        others = prepared.take_precisely(rows[part])
        if metric == "euclidean":
            found[part] = np.linalg.norm(others - own, axis=1)
        elif metric == "dot":
            found[part] = -(others @ own)
        else:
            lengths = np.linalg.norm(others, axis=1) * np.linalg.norm(own)
            cosines = np.divide(others @ own, lengths, out=np.zeros(len(others)), where=lengths > 0)
            found[part] = np.maximum(1 - cosines, 0)
    return found


def histogram(away: NDArray[np.float32], compared: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Of the finite distances, in bins of equal width from the smallest to the largest."""
    finite = away if compared == len(away) else away[away < np.inf]
    if not compared:
        return np.zeros(HISTOGRAM_BINS, np.int64), np.linspace(0, 1, HISTOGRAM_BINS + 1)
    low, high = float(finite.min()), float(finite.max())
    high = high if high > low else low + max(abs(low), 1) * 1e-6
    bins = ((finite - np.float32(low)) * np.float32(HISTOGRAM_BINS / (high - low))).astype(np.int32)
    np.minimum(bins, HISTOGRAM_BINS - 1, out=bins)
    return np.bincount(bins, minlength=HISTOGRAM_BINS), np.linspace(low, high, HISTOGRAM_BINS + 1)


def neighbour_table(
    matrix: FloatMatrix, count: int, metric: Metric = "euclidean"
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The `count` nearest other rows of each row and their distances, nearest first: two arrays [rows, count]."""
    rows = len(matrix)
    count = max(0, min(count, rows - 1))
    found, away = np.empty((rows, count), np.int32), np.empty((rows, count), np.float32)
    if count == 0:
        return found, away
    # Distances do not depend on where the origin is; their precision does.
    compared = unit(matrix) if metric == "cosine" else matrix - matrix.mean(axis=0) if metric == "euclidean" else matrix
    compared = np.ascontiguousarray(compared, np.float32)
    # |a - b|² without |a|², which does not change the order, is one product: (-2a, 1) · (b, |b|²).
    sides = _sides(compared) if metric == "euclidean" else (-compared, compared)
    wanted = min(count + EXTRA_IN_TABLE, rows - 1)

    def fill(block: slice) -> None:
        keys = sides[0][block] @ sides[1].T
        keys[np.arange(len(keys)), np.arange(block.start, block.stop)] = np.inf
        candidates = smallest(keys, wanted)
        precise = _table_distances(compared, block, candidates, metric)
        order = precise.argsort(axis=1, kind="stable")[:, :count]
        found[block] = np.take_along_axis(candidates, order, 1)
        away[block] = np.take_along_axis(precise, order, 1)

    map_in_threads(fill, _table_blocks(rows, wanted * compared.shape[1]))
    return found, away


def smallest(keys: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    """The positions of the `count` smallest keys of each row, in no order."""
    queries, size = keys.shape
    if count >= size or count == 0:
        return np.broadcast_to(np.arange(min(size, count)), (queries, min(size, count)))
    # The smallest keys lie in the groups with the smallest minima, and minima are cheap.
    width = int(min(64, (size / count) ** 0.5))
    if width < 4:
        return np.argpartition(keys, count - 1, axis=1)[:, :count]
    groups = size // width
    minima = keys[:, : groups * width].reshape(queries, width, groups).min(axis=1)
    chosen = np.argpartition(minima, count - 1, axis=1)[:, :count]
    members = (chosen[:, None, :] + groups * np.arange(width)[:, None]).reshape(queries, -1)
    rest = np.broadcast_to(np.arange(groups * width, size), (queries, size - groups * width))
    members = np.concatenate([members, rest], axis=1)
    best = np.argpartition(np.take_along_axis(keys, members, 1), count - 1, axis=1)[:, :count]
    return np.take_along_axis(members, best, 1)


def _products(prepared: Prepared, queries: FloatMatrix, rows: RowColumn | None) -> NDArray[np.float32]:
    """With prepared rows: [queries, rows]. Those that are not finite have any value."""
    values = prepared.vectors.values
    if rows is None and prepared.is_near_origin:
        scale, offset = prepared.factors
        with np.errstate(invalid="ignore", over="ignore"):
            products = _product_in_threads(values, queries[0]) if len(queries) == 1 else queries @ values.T
        if scale is not None:
            products *= scale
        shift = (queries @ prepared.mean).astype(np.float32)[:, None]
        products -= shift if offset is None else shift * offset
        return products
    compared = np.arange(len(values)) if rows is None else rows
    products = np.empty((len(queries), len(compared)), np.float32)
    at = 0
    with np.errstate(invalid="ignore", over="ignore"):
        for block in prepared.blocks(compared):
            np.matmul(queries, block.T, out=products[:, at : at + len(block)])
            at += len(block)
    return products


def _product_in_threads(values: FloatMatrix, query: NDArray[np.float32]) -> NDArray[np.float32]:
    products = np.empty((1, len(values)), np.float32)

    def fill(part: slice) -> None:
        with np.errstate(invalid="ignore", over="ignore"):  # of this thread
            np.matmul(values[part], query, out=products[0, part])

    map_in_threads(fill, spans(len(values)))
    return products


def _sides(compared: FloatMatrix) -> tuple[FloatMatrix, FloatMatrix]:
    rows, dimensions = compared.shape
    left, right = np.empty((rows, dimensions + 1), np.float32), np.empty((rows, dimensions + 1), np.float32)
    np.multiply(compared, -2, out=left[:, :-1])
    left[:, -1] = 1
    right[:, :-1] = compared
    right[:, -1] = np.einsum("ij,ij->i", compared, compared)
    return left, right


def _table_distances(
    compared: FloatMatrix, block: slice, candidates: NDArray[np.int64], metric: Metric
) -> NDArray[np.float32]:
    """By differences: those of equal rows are 0."""
    own, others = compared[block], compared[candidates]
    if metric == "dot":
        return -(others @ own[:, :, None])[:, :, 0]
    differences = others - own[:, None, :]
    squares: NDArray[np.float32] = np.einsum("ijd,ijd->ij", differences, differences)
    if metric == "euclidean":
        return np.sqrt(squares, out=squares)
    # Half the square is the distance of vectors of length 1, but not of zeros.
    has_length = (np.einsum("ijd,ijd->ij", others, others) > 0) & (np.einsum("id,id->i", own, own) > 0)[:, None]
    return np.where(has_length, squares / 2, np.float32(1))


def _table_blocks(rows: int, gathered: int) -> Iterator[slice]:
    size = max(1, min(TABLE_BLOCK_ROWS, TABLE_BLOCK_BYTES // (4 * max(rows, gathered))))
    for start in range(0, rows, size):
        yield slice(start, min(rows, start + size))
