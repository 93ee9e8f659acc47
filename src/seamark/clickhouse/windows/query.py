"""What is asked of a window, and the rows of its answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from seamark.store.ask.requests import ScalarRequest

Rows = dict[str, NDArray[Any]]
ROW_TYPES: dict[str, Any] = {
    "step": np.int64, "step_last": np.int64, "wall": np.float64, "wall_last": np.float64, "first": np.float64,
    "last": np.float64, "min": np.float64, "max": np.float64, "mean": np.float64, "count": np.uint32,
    "nan": np.uint32, "posinf": np.uint32, "neginf": np.uint32,
}  # fmt: skip


class WindowQuery(ScalarRequest, frozen=True):
    """A request whose bounds exclude something: those that are NaN or infinite to the outside are None."""

    @classmethod
    def of(cls, request: ScalarRequest) -> WindowQuery:
        start = request.start if request.start is not None and request.start > -math.inf else None
        stop = request.stop if request.stop is not None and request.stop < math.inf else None
        return cls(**{**msgspec.structs.asdict(request), "start": start, "stop": stop})

    @property
    def needs_walls(self) -> bool:
        return self.axis != "step" or self.columns is None or not {"wall", "wall_last"}.isdisjoint(self.columns)

    @property
    def is_bounded(self) -> bool:
        return self.start is not None or self.stop is not None

    @property
    def is_smoothed(self) -> bool:
        return self.smoothing.weight > 0

    @property
    def all_types(self) -> dict[str, Any]:
        return {**ROW_TYPES, "smoothed": np.float64} if self.is_smoothed else ROW_TYPES

    @property
    def row_types(self) -> dict[str, Any]:
        """The types of the columns that are asked for."""
        return {name: dtype for name, dtype in self.all_types.items() if self.columns is None or name in self.columns}


class AxisRange(NamedTuple):
    start: float
    stop: float

    @property
    def is_empty(self) -> bool:
        return not self.start <= self.stop

    def joined(self, other: AxisRange) -> AxisRange:
        return AxisRange(min(self.start, other.start), max(self.stop, other.stop))

    def limited(self, query: WindowQuery) -> AxisRange:
        return AxisRange(
            self.start if query.start is None else query.start, self.stop if query.stop is None else query.stop
        )

    def scale(self, columns: int) -> float:
        """Columns of the grid per unit; a window of no width is one column."""
        with np.errstate(all="ignore"):
            scale = float(np.float64(columns) / np.float64(self.stop - self.start))
        return scale if math.isfinite(scale) else 0.0


NO_RANGE = AxisRange(math.inf, -math.inf)


class LineName(NamedTuple):
    """Which line of the answer rows belong to."""

    run: int
    attempt: int
    is_replaced: bool


class LineRows(NamedTuple):
    """Rows of lines, one line after the other."""

    lines: list[LineName]
    sizes: NDArray[np.int64]  # rows of each line
    visible: NDArray[np.int64]  # points of each line in the window
    weights: NDArray[np.float64]  # of the moving average of each line; 0: as logged
    rows: Rows


def joined_lines(parts: Sequence[LineRows], query: WindowQuery) -> LineRows:
    none = np.empty(0, np.int64)
    return LineRows(
        [line for part in parts for line in part.lines],
        np.concatenate([none, *(part.sizes for part in parts)]),
        np.concatenate([none, *(part.visible for part in parts)]),
        np.concatenate([np.empty(0), *(part.weights for part in parts)]),
        joined_rows([part.rows for part in parts], query),
    )


def joined_rows(parts: Sequence[Rows], query: WindowQuery) -> Rows:
    """Returns the rows of all parts, with the columns and types of an answer."""
    joined: Rows = {}
    for name, dtype in query.row_types.items():
        columns: list[NDArray[Any]] = [part[name] for part in parts]
        found = columns[0] if len(columns) == 1 else np.concatenate([np.empty(0, dtype), *columns])
        joined[name] = found.astype(dtype, copy=False)
    return joined
