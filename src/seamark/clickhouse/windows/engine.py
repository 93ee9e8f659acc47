"""Lines that the engine downsamples: their ranges, their rows, and the nearest points outside the window."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from seamark.clickhouse.client import Client
from seamark.clickhouse.parameters import Value
from seamark.clickhouse.rows import name_hash
from seamark.clickhouse.series_numbers import Numbers
from seamark.clickhouse.windows.query import ROW_TYPES, AxisRange, LineName, LineRows, Rows, WindowQuery, joined_rows
from seamark.clickhouse.windows.smoothing import chained, is_constant, point_weight
from seamark.clickhouse.windows.sql import CURRENT_LINE, SMOOTHED_COLUMNS, WindowSql, is_plain, values_by_run
from seamark.format.types import Tag

# A column of the grid that summarizes fewer points takes longer to make and to send than the points themselves.
PUSH_DOWN_TIMES = 8
MAX_ATTEMPTS = 1000


class EngineLine(msgspec.Struct, frozen=True):
    """A line of a series that the engine downsamples."""

    run: int
    number: int  # as `WindowSql.line` computes it
    attempt: int
    is_replaced: bool
    range: AxisRange
    visible: int


class EngineWindow:
    """The part of one query that the engine answers."""

    def __init__(self, client: Client, tag: Tag, query: WindowQuery, numbers: Mapping[int, Numbers]) -> None:
        self._client = client
        self._tag = name_hash(tag)
        self._query = query
        self._numbers = numbers
        self.keys = [key for key, row in numbers.items() if is_pushed_down(query, row)]
        is_relative = query.axis == "relative"
        self._origins = {key: numbers[key]["first_wall"] for key in self.keys} if is_relative else {}
        self._sql = WindowSql(query, self._origins)

    def lines(self) -> list[EngineLine]:
        """Returns the lines, with the range that they have without bounds."""
        known = [
            key for key in self.keys if not self._query.is_bounded and _is_one_line(self._query, self._numbers[key])
        ]
        others = sorted(set(self.keys) - set(known))
        return [*map(self._only_line, known), *(self._asked_lines(others) if others else ())]

    def rows(self, lines: Sequence[EngineLine], window: AxisRange) -> LineRows:
        weights = {
            (line.run, line.number): point_weight(self._query.smoothing, window, line.range, line.visible)
            for line in lines
        }
        dense = self._dense_rows(lines, window, weights)
        before, after = self._edge_rows(window) if self._query.edges and self._query.is_bounded else ({}, {})
        found: list[Rows] = []
        sizes = []
        for line in lines:
            sides = [side.get((line.run, line.number)) for side in (before, dense, after)]
            parts = [rows for rows in sides if rows is not None]
            sizes.append(sum(len(rows["step"]) for rows in parts))
            found += parts
        return LineRows(
            [LineName(line.run, line.attempt, line.is_replaced) for line in lines],
            np.array(sizes, np.int64),
            np.array([line.visible for line in lines], np.int64),
            np.array([weights[line.run, line.number] for line in lines], float),
            joined_rows(found, self._query),
        )

    def _only_line(self, key: int) -> EngineLine:
        numbers = self._numbers[key]
        if self._query.axis == "step":
            span = AxisRange(float(numbers["first_step"]), float(numbers["last_step"]))
        else:
            origin = self._origins.get(key, 0.0)
            span = AxisRange(numbers["first_wall"] - origin, numbers["last_wall"] - origin)
        number = {"latest": 0, "all": numbers["last_attempt"], "marked": CURRENT_LINE}[self._query.attempts]
        return EngineLine(key, number, numbers["last_attempt"], False, span, numbers["digest_count"])

    def _asked_lines(self, keys: Sequence[int]) -> list[EngineLine]:
        names = ("run", "line", "visible", "low", "high")
        columns = self._select(self._sql.ranges(), names, keys)
        found = []
        for run, number, visible, low, high in zip(*(columns[name].tolist() for name in names), strict=True):
            attempt = self._numbers[run]["last_attempt"] if self._query.attempts != "all" else number
            is_replaced = self._query.attempts == "marked" and number != CURRENT_LINE
            attempt = number if is_replaced else attempt
            found.append(EngineLine(run, number, attempt, is_replaced, AxisRange(low, high), visible))
        return found

    def _dense_rows(
        self, lines: Sequence[EngineLine], window: AxisRange, weights: dict[tuple[int, int], float]
    ) -> dict[tuple[int, int], Rows]:
        """Returns the rows of lines by run and number: one for each column of the grid, or one for each point.

        Sets the weight of constant lines to 0.
        """
        limit = self._query.max_points
        dense = sorted({line.run for line in lines if line.visible > limit})
        sparse = sorted({line.run for line in lines if 0 < line.visible <= limit})
        is_sparse = {(line.run, line.number) for line in lines if line.visible <= limit}
        grid = {"start": window.start, "scale": window.scale(limit), "last": float(limit - 1)}
        # Lines are smoothed only where a run has one.
        smoothing = values_by_run("weight", {run: weight for (run, _), weight in weights.items()})
        if not self._query.is_smoothed:
            smoothing = {}
        columns = self._summaries(dense, self._sql.grid_column(), {**grid, **smoothing})
        points = self._summaries(sparse, "step", smoothing)
        found = {line: rows for line, rows in columns.items() if line not in is_sparse}
        found |= {line: rows for line, rows in points.items() if line in is_sparse}
        if self._query.is_smoothed:
            for line, rows in found.items():
                weights[line] = 0.0 if is_constant(rows) else weights[line]
                rows["smoothed"] = chained(rows, weights[line])
        return found

    def _summaries(self, keys: Sequence[int], column: str, more: Mapping[str, Value]) -> dict[tuple[int, int], Rows]:
        if not keys:
            return {}
        names = (*ROW_TYPES, *(SMOOTHED_COLUMNS if self._query.is_smoothed else ()))
        selected = ("run", "line", "grid_column", *(f"out_{name}" for name in names))
        return _split(self._select(self._sql.summaries(column), selected, keys, **more), names)

    def _edge_rows(self, window: AxisRange) -> list[dict[tuple[int, int], Rows]]:
        """Returns the nearest point before the window and the one behind it of each line."""
        sides = []
        names = ("run", "line", "out_step", "out_wall", "out_value")
        for sql in self._sql.edges():
            columns = self._select(sql, names, self.keys, low=window.start, high=window.stop)
            rows = zip(*(columns[name].tolist() for name in names), strict=True)
            sides.append({(run, line): self._point_row(*point) for run, line, *point in rows})
        return sides

    def _point_row(self, step: int, wall: float, value: float) -> Rows:
        known = value if math.isfinite(value) else math.nan
        flags = {"nan": math.isnan(value), "posinf": value == math.inf, "neginf": value == -math.inf}
        row = {
            "step": step, "step_last": step, "wall": wall, "wall_last": wall, "first": value, "last": value,
            "min": known, "max": known, "mean": known, "count": 1, "smoothed": math.nan, **flags,
        }  # fmt: skip
        return {name: np.array([row[name]], dtype) for name, dtype in self._query.all_types.items()}

    def _select(self, sql: str, names: Sequence[str], keys: Sequence[int], **more: Value) -> dict[str, Any]:
        return self._client.select(sql, names, tag=self._tag, keys=keys, **self._sql.parameters(), **more)


def is_pushed_down(query: WindowQuery, numbers: Numbers) -> bool:
    has_replaced = numbers["digest_count"] != numbers["points"]
    return bool(
        numbers["is_regular"]
        and 0 < query.max_points * PUSH_DOWN_TIMES < numbers["points"]
        and (not query.is_smoothed or _is_smoothed_by_the_engine(query, numbers))
        and (query.axis != "relative" or not has_replaced)
        and numbers["attempts"] < MAX_ATTEMPTS
    )


def _is_smoothed_by_the_engine(query: WindowQuery, numbers: Numbers) -> bool:
    """Smoothing runs over all points from the first on: only windows over a whole line can be pushed down."""
    is_average = query.smoothing.mode == "adaptive" or query.smoothing.weight < 1
    return not query.is_bounded and is_average and _is_one_line(query, numbers)


def _is_one_line(query: WindowQuery, numbers: Numbers) -> bool:
    return query.attempts == "latest" or is_plain(numbers)


def _split(columns: dict[str, Any], names: Sequence[str]) -> dict[tuple[int, int], Rows]:
    """Returns the rows of each line."""
    run, line = columns["run"], columns["line"]
    if not len(run):
        return {}
    starts = np.flatnonzero(np.concatenate([[True], (run[1:] != run[:-1]) | (line[1:] != line[:-1])]))
    found = {}
    for start, stop in zip(starts, [*starts[1:], len(run)], strict=True):
        rows = {name: columns[f"out_{name}"][start:stop] for name in names}
        found[int(run[start]), int(line[start])] = rows
    return found
