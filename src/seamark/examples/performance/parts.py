"""Part: the rows of one slice that an analysis can use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.examples.results.result import Condition
from seamark.examples.slicing.cut import ALL, Cut
from seamark.tables.column import Rows


class Part(NamedTuple):
    name: str
    conditions: tuple[Condition, ...]
    rows: Rows


def parts(rows: Rows, cut: Cut, is_known: NDArray[np.bool_]) -> Iterator[Part]:
    """All rows, then those of each slice; only rows that are known (have a truth and a prediction)."""
    known = is_known[rows]
    yield Part(ALL.name, ALL.conditions, rows[known])
    for code, piece in enumerate(cut.slices):
        yield Part(piece.name, piece.conditions, rows[known & (cut.codes == code)])
