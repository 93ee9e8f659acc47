"""Reads windows. Long series are downsampled by the engine; the points of the rest are pulled and downsampled here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.clickhouse.client import Client
from seamark.clickhouse.points import pull_chunks, pull_points
from seamark.clickhouse.rows import SCALARS
from seamark.clickhouse.series_numbers import Numbers, read_tag
from seamark.clickhouse.windows.downsample import downsample
from seamark.clickhouse.windows.engine import EngineWindow
from seamark.clickhouse.windows.lines import Lines, joined, lines_of, plain_lines
from seamark.clickhouse.windows.query import ROW_TYPES, LineRows, WindowQuery, joined_lines
from seamark.clickhouse.windows.sql import is_plain
from seamark.format.types import RunName, Tag
from seamark.store import ScalarWindow

SERIES_NAMES = (
    "points", "is_regular", "attempts", "last_attempt", "digest_count", "first_step", "last_step", "first_wall",
    "last_wall",
)  # fmt: skip
_EMPTY = np.empty(0)


class WindowReader:
    """Answers one query."""

    def __init__(self, client: Client, tag: Tag, query: WindowQuery) -> None:
        self._client = client
        self._tag = tag
        self._query = query

    def read(self, runs: Mapping[int, RunName]) -> ScalarWindow:
        numbers = read_tag(self._client, SCALARS, self._tag, list(runs), SERIES_NAMES)
        engine = EngineWindow(self._client, self._tag, self._query, numbers)
        pulled = self._pulled_lines(sorted(set(numbers) - set(engine.keys)), numbers)
        lines = engine.lines()
        window = pulled.range
        for line in lines:
            window = window.joined(line.range)
        window = window.limited(self._query)
        parts: list[LineRows] = []
        if not window.is_empty:
            parts = [downsample(pulled, window, self._query), *([engine.rows(lines, window)] if lines else [])]
        return self._answer(runs, numbers, joined_lines(parts, self._query))

    def _pulled_lines(self, keys: Sequence[int], numbers: Mapping[int, Numbers]) -> Lines:
        query = self._query
        plain = {key: numbers[key]["last_attempt"] for key in keys if is_plain(numbers[key])}
        points = pull_chunks(self._client, self._tag, list(plain), with_walls=query.needs_walls, with_attempts=False)
        others = pull_points(self._client, self._tag, [key for key in keys if key not in plain])
        return joined(
            [
                plain_lines(points, query.axis, plain),
                *(line for key, one in others.items() for line in lines_of(key, one, query.axis, query.attempts)),
            ]
        )

    def _answer(
        self,
        runs: Mapping[int, RunName],
        numbers: Mapping[int, Numbers],
        found: LineRows,
    ) -> ScalarWindow:
        query = self._query
        place = {key: at for at, key in enumerate(runs)}
        run_of = np.array([place[line.run] for line in found.lines], np.int64)
        order = np.argsort(run_of, kind="stable")
        table = _ordered(found, order)
        sizes = found.sizes[order]
        if query.attempts != "latest":
            table["attempt"] = np.repeat(np.array([line.attempt for line in found.lines], np.uint32)[order], sizes)
        if query.attempts == "marked":
            table["replaced"] = np.repeat(np.array([line.is_replaced for line in found.lines], np.uint32)[order], sizes)
        if query.columns is not None:
            table = {name: column for name, column in table.items() if name in query.columns}
            table = {**dict.fromkeys(ROW_TYPES, _EMPTY), **table}
        counted = "digest_count" if query.attempts == "latest" else "points"
        weight = np.zeros(len(runs))
        weight[run_of[order]] = found.weights[order]  # of the last line of a run
        rows_of = np.bincount(run_of, found.sizes, minlength=len(runs))
        return ScalarWindow(
            tag=self._tag,
            axis=query.axis,
            runs=list(runs.values()),
            offsets=np.concatenate([[0], np.cumsum(rows_of)]).astype(np.uint64),
            points=np.bincount(run_of, found.visible, minlength=len(runs)).astype(np.uint64),
            total=np.array([numbers.get(key, {}).get(counted, 0) for key in runs], np.uint64),
            stored=np.array([numbers.get(key, {}).get("points", 0) for key in runs], np.uint64),
            weight=weight if query.is_smoothed else None,
            **table,
        )


def _ordered(found: LineRows, order: NDArray[np.intp]) -> dict[str, Any]:
    """Returns the rows with the lines in this order."""
    if (order[1:] == order[:-1] + 1).all():
        return dict(found.rows)
    sizes = found.sizes[order]
    starts = (np.cumsum(found.sizes) - found.sizes)[order]
    at = np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
    return {name: column[at] for name, column in found.rows.items()}
