"""How well a picture keeps neighbourhoods: trustworthiness and continuity, after Venna and Kaski (2001)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import FloatMatrix, RowColumn, Vectors
from seamark.embeddings.neighbours import Metric, distances, smallest
from seamark.embeddings.prepare import AS_LOGGED, Prepared
from seamark.embeddings.threads import map_in_threads

# Pairs of rows that are compared, for vectors of few dimensions: a second or two. More rows take a random sample.
MAX_PAIRS = 160_000_000
PAIRS_AT_ONCE = 4_000_000
QUERIES_AT_ONCE = 64
# Multiplying so many numbers takes as long as everything else that is done to a pair.
DIMENSIONS_OF_A_PAIR = 256
MIN_SAMPLED = 100

# From places among the compared rows to all of these: [places, compared rows].
DistancesFrom = Callable[[RowColumn], NDArray[np.float32]]


@dataclass(frozen=True, eq=False)
class Quality:
    trustworthiness: float  # 1 if all neighbours in the picture are neighbours
    continuity: float  # 1 if all neighbours are neighbours in the picture
    count: int  # neighbours
    sampled: int  # rows that it was computed for; ranks are always among all rows of the picture
    kept: NDArray[np.float32]  # by row: the share of its neighbours that the picture keeps; NaN where it is not known
    trust: NDArray[np.float32]  # by row: its part of the trustworthiness, which is the mean of these; NaN as above


def picture_quality(
    prepared: Prepared,
    positions: FloatMatrix,
    rows: RowColumn | None,
    *,
    count: int,
    metric: Metric = "euclidean",
    seed: int = 42,
) -> Quality:
    """Of a picture with a position for each of `rows`; None: for all rows."""
    placed = np.flatnonzero(np.isfinite(positions).all(axis=1))
    shown = placed if rows is None else rows[placed]
    kept, trust = np.full((2, prepared.vectors.rows), np.nan, np.float32)
    total = len(placed)
    count = min(count, (total - 1) // 2)  # the measure is not defined for more
    if count < 1:
        return Quality(1.0, 1.0, 0, total, kept, trust)
    prepared.check_comparable()
    places = sampled_places(total, prepared.vectors.dimensions, seed)
    in_vectors = vector_distances(prepared, shown, metric)
    in_picture = picture_distances(positions[placed])
    missing = np.empty((2, len(places)))
    shares = np.empty(len(places), np.float32)

    def measure(part: slice) -> None:
        original, pictured = in_vectors(places[part]), in_picture(places[part])
        own = np.arange(len(original))
        original[own, places[part]] = pictured[own, places[part]] = np.inf
        neighbours, in_view = smallest(original, count), smallest(pictured, count)
        lost, gained = ranks(pictured, neighbours), ranks(original, in_view)
        missing[:, part] = [np.maximum(found - count, 0).sum(axis=1) for found in (gained, lost)]
        shares[part] = (lost <= count).mean(axis=1)

    at_once = queries_at_once(total)
    map_in_threads(measure, [slice(at, at + at_once) for at in range(0, len(places), at_once)])
    trusts, continuities = 1 - missing * 2 / (count * (2 * total - 3 * count - 1))
    kept[shown[places]], trust[shown[places]] = shares, trusts
    return Quality(float(trusts.mean()), float(continuities.mean()), count, len(places), kept, trust)


def sampled_places(total: int, dimensions: int, seed: int) -> RowColumn:
    """All places if their comparison is quick, or a random sample in ascending order."""
    pairs = MAX_PAIRS / (1 + dimensions / DIMENSIONS_OF_A_PAIR)
    limit = max(MIN_SAMPLED, int(pairs / total))
    if total <= limit:
        return np.arange(total)
    return np.sort(np.random.default_rng(seed).choice(total, limit, replace=False))


def queries_at_once(total: int) -> int:
    """Few enough for the caches of a processor, but several: each reads all rows."""
    return max(1, min(QUERIES_AT_ONCE, PAIRS_AT_ONCE // total))


def vector_distances(prepared: Prepared, shown: RowColumn, metric: Metric) -> DistancesFrom:
    """Between the shown rows. They are copied only if they are few of all rows."""
    if metric == "euclidean" and not prepared.preparation.sphereize:
        prepared = prepared.centred
    total = prepared.vectors.rows
    if len(shown) < total // 2:
        taken = Vectors(prepared.take(shown), "float32", None, "")
        prepared, shown, total = Prepared(taken, AS_LOGGED), np.arange(len(shown)), len(shown)
    _ = prepared.squares, prepared.factors, prepared.is_near_origin  # before threads compute them twice

    def distances_from(places: RowColumn) -> NDArray[np.float32]:
        away = distances(prepared, prepared.take(shown[places]), metric)
        return away if len(shown) == total else away[:, shown]

    return distances_from


def picture_distances(positions: FloatMatrix) -> DistancesFrom:
    """Squared, which ranks them as well."""
    axes = np.ascontiguousarray(positions.T, np.float32)

    def distances_from(places: RowColumn) -> NDArray[np.float32]:
        away = np.zeros((len(places), axes.shape[1]), np.float32)
        for axis in axes:
            difference = axis[None, :] - axis[places, None]
            difference *= difference
            away += difference
        return away

    return distances_from


def ranks(away: NDArray[np.float32], chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rank of each chosen row among the distances, from 1; equal distances have equal ranks."""
    limits = np.take_along_axis(away, chosen, 1)
    found = np.empty(chosen.shape, np.int64)
    for query, row in enumerate(away):
        found[query] = [np.count_nonzero(row < limit) + 1 for limit in limits[query]]
    return found
