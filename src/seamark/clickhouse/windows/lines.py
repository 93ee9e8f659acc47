"""Points that were pulled from the engine as lines: series out of order, series with restarts, and short ones.

The rules are those of core/query: a line is in order of x, then of arrival.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.clickhouse.chunks import PulledPoints
from seamark.clickhouse.windows.query import NO_RANGE, AxisRange, LineName
from seamark.store.ask.stored_run import StoredScalars

MAX_LINES = 1000


class Lines(NamedTuple):
    """Points of lines one after the other. No line is empty."""

    names: list[LineName]
    ends: NDArray[np.int64]
    x: NDArray[np.float64]
    steps: NDArray[np.int64]
    walls: NDArray[np.float64]
    values: NDArray[np.float64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        return np.diff(self.ends, prepend=0)

    @property
    def starts(self) -> NDArray[np.int64]:
        return self.ends - self.sizes

    @property
    def range(self) -> AxisRange:
        if not self.names:
            return NO_RANGE
        return AxisRange(float(self.x[self.starts].min()), float(self.x[self.ends - 1].max()))


def plain_lines(pulled: PulledPoints, axis: str, attempts: Mapping[int, int]) -> Lines:
    """Returns the lines of series that are in order and have one attempt: a line each."""
    x = pulled.steps.astype(np.float64) if axis == "step" else pulled.walls
    if axis == "relative":
        sizes = np.diff(pulled.ends, prepend=0)
        x = x - np.repeat(x[pulled.ends - sizes], sizes)
    names = [LineName(run, attempts[run], False) for run in pulled.runs]
    return Lines(names, pulled.ends, x, pulled.steps, pulled.walls, pulled.values)


def joined(parts: Sequence[Lines]) -> Lines:
    if len(parts) == 1:
        return parts[0]
    before = np.cumsum([0, *(len(part.x) for part in parts)])
    ends = [part.ends + start for part, start in zip(parts, before, strict=False)]
    names = [name for part in parts for name in part.names]
    columns = [
        np.concatenate([np.empty(0, dtype), *(getattr(part, column) for part in parts)])
        for column, dtype in (("x", float), ("steps", np.int64), ("walls", float), ("values", float))
    ]
    return Lines(names, np.concatenate([np.empty(0, np.int64), *ends]), *columns)


def lines_of(run: int, points: StoredScalars, axis: str, attempts: str) -> list[Lines]:
    """Returns the lines of a series whose points are in order of arrival."""
    parts: list[tuple[int, bool, NDArray[np.intp]]] = []
    replaced = points.replaced == 1
    if attempts != "latest":
        chosen = np.flatnonzero(replaced) if attempts == "marked" else np.arange(len(points.steps))
        numbers = np.unique(points.attempt[chosen]).tolist()
        parts = [(n, attempts == "marked", chosen[points.attempt[chosen] == n]) for n in numbers]
        if len(parts) > MAX_LINES:
            parts = [(parts[0][0], parts[0][1], np.concatenate([rows for _, _, rows in parts]))]
    if attempts != "all":
        parts.append((int(points.attempt.max(initial=0)), False, np.flatnonzero(~replaced)))
    origin = _origin(points.walls, [rows for _, _, rows in parts]) if axis == "relative" else 0.0
    lines = [_line(LineName(run, number, lost), points, rows, axis, origin) for number, lost, rows in parts]
    return [line for line in lines if len(line.x)]


def _origin(walls: NDArray[np.float64], parts: list[NDArray[np.intp]]) -> float:
    firsts = []
    for rows in parts:
        finite = walls[rows][np.isfinite(walls[rows])]
        firsts += finite[:1].tolist()
    return min(firsts, default=0.0)


def _line(name: LineName, points: StoredScalars, rows: NDArray[np.intp], axis: str, origin: float) -> Lines:
    if axis != "step":
        rows = rows[np.isfinite(points.walls[rows])]
    order = points.steps[rows] if axis == "step" else points.walls[rows]
    rows = rows[np.argsort(order, kind="stable")]
    steps, walls = points.steps[rows], points.walls[rows]
    x = steps.astype(np.float64) if axis == "step" else walls - origin
    return Lines([name], np.array([len(rows)], np.int64), x, steps, walls, points.values[rows])
