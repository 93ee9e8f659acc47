"""How far rows move from step to step of one embedding, apart from a rotation of all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.align import alignment, common_rows
from seamark.embeddings.form import FloatMatrix
from seamark.embeddings.prepare import Prepared


@dataclass(frozen=True, eq=False)
class Movement:
    means: tuple[float, ...]  # one less than steps: the mean distance from the step before
    moved: NDArray[np.float32]  # by row: the sum over all steps; NaN for rows that are not finite in each


def movement(steps: Iterable[Prepared]) -> Movement:
    """Each step is compared with the one before, which is rotated to it."""
    means, moved = list[float](), np.zeros(0)
    for before, after in pairwise(steps):
        distances = _distances(before, after)
        means.append(float(np.nanmean(distances)) if np.isfinite(distances).any() else 0.0)
        moved = distances if len(means) == 1 else moved + distances
    return Movement(tuple(means), moved.astype(np.float32))


def _distances(before: Prepared, after: Prepared) -> NDArray[np.float64]:
    aligned = alignment(before, after)
    common = common_rows(before, after)
    distances = np.full(before.vectors.rows, np.nan)

    def fill(place: slice, block: FloatMatrix) -> None:
        rows = common[place]
        distances[rows] = np.linalg.norm(aligned.apply(block) - after.apply(after.vectors.values[rows]), axis=1)

    before.each_block(fill, common)
    return distances
