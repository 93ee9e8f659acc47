"""The neighbours that rows have in both of two embeddings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.align import common_rows
from seamark.embeddings.form import EmbeddingError
from seamark.embeddings.neighbours import Metric, smallest
from seamark.embeddings.prepare import Prepared
from seamark.embeddings.quality import PAIRS_AT_ONCE, sampled_places, vector_distances
from seamark.embeddings.threads import map_in_threads


@dataclass(frozen=True, eq=False)
class Shared:
    mean: float
    count: int  # neighbours
    sampled: int  # rows
    shared: NDArray[np.float32]  # by row: the share of common neighbours; NaN where it is not known


def shared_neighbours(first: Prepared, second: Prepared, *, count: int, metric: Metric, seed: int = 42) -> Shared:
    """Of each row, or of a random sample of large embeddings; neighbours are always among all rows."""
    if first.vectors.rows != second.vectors.rows:
        raise EmbeddingError(
            f"neighbours of {first.vectors.rows:,} and of {second.vectors.rows:,} rows cannot be compared"
        )
    shares = np.full(first.vectors.rows, np.nan, np.float32)
    common = common_rows(first, second)
    count = min(count, len(common) - 1)
    if count < 1:
        shares[common] = 1
        return Shared(1.0, 0, len(common), shares)
    places = sampled_places(len(common), first.vectors.dimensions + second.vectors.dimensions, seed)
    spaces = [vector_distances(space, common, metric) for space in (first, second)]
    found = np.empty(len(places), np.float32)

    def measure(part: slice) -> None:
        own, is_neighbour = np.arange(len(places[part])), []
        for distances_from in spaces:
            away = distances_from(places[part])
            away[own, places[part]] = np.inf
            mask = np.zeros(away.shape, np.bool_)
            np.put_along_axis(mask, smallest(away, count), True, 1)
            is_neighbour.append(mask)
        found[part] = np.count_nonzero(is_neighbour[0] & is_neighbour[1], axis=1) / count

    at_once = max(1, PAIRS_AT_ONCE // len(common))
    map_in_threads(measure, [slice(at, at + at_once) for at in range(0, len(places), at_once)])
    shares[common[places]] = found
    return Shared(float(found.mean()), count, len(places), shares)
