"""Projected: positions in two or three dimensions, and how they came about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from seamark.embeddings.form import FloatMatrix, RowColumn

State = Literal["running", "paused", "done", "failed"]


@dataclass(frozen=True, eq=False)
class Projected:
    key: str
    positions: FloatMatrix  # [placed rows, dims]
    rows: RowColumn | None  # the row of each position, in ascending order; None: all rows
    titles: tuple[str, ...] = ()  # of the axes; () where they mean nothing
    variance: tuple[float, ...] = ()  # PCA: the share that each of the components explains, also of those not shown
    notes: tuple[str, ...] = ()  # "50,000 of 1,000,000 rows, random, seed 42"
    used: int = 0  # rows that the method was fitted to; 0: all that are placed
    state: State = "done"
    epoch: int = 0
    epochs: int = 0
    secs_left: float | None = None
    error: str = ""

    def by_row(self, total: int) -> FloatMatrix:
        """The positions of all rows of the embedding; NaN for those that are not placed."""
        values = np.full((total, self.positions.shape[1]), np.nan, np.float32)
        values[slice(None) if self.rows is None else self.rows] = self.positions
        return values
