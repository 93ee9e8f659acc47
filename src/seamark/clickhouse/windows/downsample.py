"""The rows of many lines at once: a column of the grid is a row, or a point where there are few."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.clickhouse.windows.lines import Lines
from seamark.clickhouse.windows.query import AxisRange, LineRows, Rows, WindowQuery
from seamark.clickhouse.windows.smoothing import line_weights, smoothed_at


def downsample(lines: Lines, window: AxisRange, query: WindowQuery) -> LineRows:
    """Returns the rows of the lines in the window; with `query.edges` also the nearest points outside."""
    starts, ends = lines.starts, lines.ends
    begins = starts + _sums(lines.x < window.start, starts)
    stops = np.maximum(begins, starts + _sums(lines.x <= window.stop, starts))
    lows, highs = begins, stops
    if query.edges:
        lows, highs = begins - (begins > starts), stops + (stops < ends)
    is_first = _row_starts(lines, begins, stops, window, query)
    is_first[lows[lows < highs]] = True
    chosen = np.flatnonzero(_between(lows, highs, len(lines.x)))
    firsts = np.flatnonzero(is_first[chosen])
    rows = _summaries(lines, chosen, firsts, query.row_types)
    bounds = np.searchsorted(chosen[firsts], np.append(starts, len(lines.x)))
    sizes = np.diff(bounds)
    weights = line_weights(lines, window, query.smoothing)
    if "smoothed" in query.row_types:
        lasts = chosen[np.append(firsts[1:], len(chosen))[: len(firsts)] - 1]
        rows["smoothed"] = smoothed_at(lines, lasts, np.repeat(np.arange(len(sizes)), sizes), weights)
    return LineRows(lines.names, sizes, stops - begins, weights, rows)


def _row_starts(
    lines: Lines, begins: NDArray[np.int64], stops: NDArray[np.int64], window: AxisRange, query: WindowQuery
) -> NDArray[np.bool_]:
    """Returns at which points a row begins."""
    is_first = np.ones(len(lines.x), bool)
    is_dense = (stops - begins > query.max_points) & (query.max_points > 0)
    if not is_dense.any():
        return is_first
    with np.errstate(all="ignore"):
        # The last column of the grid is closed.
        column = np.minimum(np.floor((lines.x - window.start) * window.scale(query.max_points)), query.max_points - 1.0)
    is_first[1:] = column[1:] != column[:-1]
    if not is_dense.all():
        is_first |= np.repeat(~is_dense, lines.sizes)
    is_first[begins[begins < stops]] = True
    is_first[stops[stops < lines.ends]] = True
    return is_first


def _between(lows: NDArray[np.int64], highs: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
    changes = np.zeros(count + 1, np.int64)
    np.add.at(changes, lows, 1)
    np.add.at(changes, highs, -1)
    found: NDArray[np.bool_] = np.cumsum(changes[:-1]) > 0
    return found


def _summaries(lines: Lines, chosen: NDArray[np.intp], firsts: NDArray[np.intp], wanted: Collection[str]) -> Rows:
    """Returns the wanted columns of a row for each range of the chosen points; the ranges follow one another."""
    is_whole = len(chosen) == len(lines.x)
    steps, walls, values = (
        column if is_whole else column[chosen] for column in (lines.steps, lines.walls, lines.values)
    )
    lasts = np.append(firsts[1:], len(chosen))[: len(firsts)] - 1
    finite = np.isfinite(values)
    known = _sums(finite, firsts)
    makers: dict[str, Callable[[], NDArray[Any]]] = {
        "step": lambda: steps[firsts],
        "step_last": lambda: steps[lasts],
        "wall": lambda: walls[firsts],
        "wall_last": lambda: walls[lasts],
        "first": lambda: values[firsts],
        "last": lambda: values[lasts],
        "min": lambda: np.where(known > 0, _reduced(np.minimum, np.where(finite, values, math.inf), firsts), math.nan),
        "max": lambda: np.where(known > 0, _reduced(np.maximum, np.where(finite, values, -math.inf), firsts), math.nan),
        "mean": lambda: _reduced(np.add, np.where(finite, values, 0.0), firsts) / known,
        "count": lambda: lasts - firsts + 1,
        "nan": lambda: _sums(np.isnan(values), firsts),
        "posinf": lambda: _sums(values == math.inf, firsts),
        "neginf": lambda: _sums(values == -math.inf, firsts),
    }
    with np.errstate(all="ignore"):
        return {name: make() for name, make in makers.items() if name in wanted}


def _sums(flags: NDArray[np.bool_], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    return _reduced(np.add, flags.astype(np.int64), starts)


def _reduced(function: Any, values: NDArray[Any], starts: NDArray[np.int64]) -> NDArray[Any]:
    found: NDArray[Any] = function.reduceat(values, starts) if len(starts) else values[:0]
    return found
