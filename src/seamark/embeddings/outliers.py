"""Outliers: the rows whose nearest neighbours are farthest away."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import FloatMatrix, RowColumn
from seamark.embeddings.neighbours import neighbour_table, smallest
from seamark.embeddings.prepare import Prepared
from seamark.embeddings.threads import map_in_threads

NEIGHBOURS = 10
# Larger embeddings are compared with a random sample of rows.
MAX_COMPARED_ROWS = 20_000
MAX_PAIRS = 400_000_000
MIN_REFERENCES = 500
PAIRS_AT_ONCE = 500_000


@dataclass(frozen=True, eq=False)
class Outliers:
    rows: RowColumn  # the farthest first
    scores: NDArray[np.float32]  # mean distances
    method: str  # a sentence


def find_outliers(prepared: Prepared, limit: int, seed: int = 42) -> Outliers:
    rows = prepared.vectors.finite_rows
    count = min(NEIGHBOURS, len(rows) - 1)
    if count < 1:
        return Outliers(rows[:0], np.zeros(0, np.float32), "One point has no neighbours to be far from.")
    prepared.check_comparable()
    nearest = f"the {count} nearest neighbours" if count > 1 else "the nearest neighbour"
    if len(rows) <= MAX_COMPARED_ROWS:
        scores = neighbour_table(prepared.take(None), count)[1].mean(axis=1)
        method = f"Mean distance to {nearest}."
    else:
        references = max(MIN_REFERENCES, MAX_PAIRS // len(rows))
        chosen = np.sort(np.random.default_rng(seed).choice(len(rows), references, replace=False))
        scores = _against(prepared, rows, chosen, count)
        method = f"Mean distance to {nearest} among {references:,} random points (seed {seed})."
    if not scores.any():
        return Outliers(rows[:0], np.zeros(0, np.float32), f"No point is away from {nearest}: all have equal ones.")
    farthest = np.argsort(-scores, kind="stable")[:limit]
    return Outliers(rows[farthest], scores[farthest].astype(np.float32), method)


def _against(prepared: Prepared, rows: RowColumn, chosen: RowColumn, count: int) -> NDArray[np.float32]:
    """The mean distance of each row to the nearest of the chosen ones; no row is compared with itself."""
    prepared = prepared if prepared.preparation.sphereize else prepared.centred
    references: FloatMatrix = prepared.take(rows[chosen])
    squares = np.einsum("ij,ij->i", references, references)
    scores = np.empty(len(rows), np.float32)
    at_once = max(1, PAIRS_AT_ONCE // len(chosen))
    _ = prepared.mean  # before threads compute it twice

    def fill(start: int) -> None:
        block = prepared.apply(prepared.vectors.values[rows[start : start + at_once]])
        away = block @ references.T
        away *= -2
        away += squares
        away += np.einsum("ij,ij->i", block, block)[:, None]
        inside = np.flatnonzero((chosen >= start) & (chosen < start + len(block)))
        away[chosen[inside] - start, inside] = np.inf
        near = np.take_along_axis(away, smallest(away, count), 1)
        scores[start : start + len(block)] = np.sqrt(np.maximum(near, 0)).mean(axis=1)

    map_in_threads(fill, range(0, len(rows), at_once))
    return scores
