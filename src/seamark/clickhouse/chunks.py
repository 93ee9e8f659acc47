"""Points of a series as rows of `points`: a chunk of consecutive points is one row of arrays.

Numbers are stored so that they compress without codecs, and exactly: steps and times as differences to the point
before, times as whole numbers of 2^-22 s, which is the distance of doubles from 2004 to 2038, and values in 32 bits
where that loses nothing. What does not fit is in a second array, which is empty otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from seamark.clickhouse.native import ArrayColumn, Column
from seamark.store.ask.stored_run import StoredScalars

# A chunk that is not full is written again when points follow, so its size bounds what a live run costs.
CHUNK_POINTS = 128
TICKS_PER_SEC = 2**22
MAX_WALL = 2.0**31
# Columns of the points, of their times, and of what tells attempts and replaced points apart.
POINT_COLUMNS = ("run", "position", "points", "first_step", "stride", "steps", "values", "doubles")
WALL_COLUMNS = ("walls", "wall_rests")
MARK_COLUMNS = ("first_attempt", "marks")

# The arrays of a row as the points that they stand for, for statements.
STEP_SQL = "arrayCumSum(arrayPushFront(arrayResize(steps, length(walls) - 1, stride), first_step))"
WALL_SQL = (
    f"arrayMap((t, r) -> t / {TICKS_PER_SEC} + r, arrayCumSum(walls), arrayResize(wall_rests, length(walls), 0.))"
)
VALUE_SQL = "arrayConcat(arrayMap(v -> toFloat64(v), values), doubles)"
MARK_SQL = "arrayResize(marks, length(walls), toUInt32(first_attempt * 2))"


def chunk_columns(points: StoredScalars, first: int) -> dict[str, Column]:
    """Returns the rows of the points from position `first` on; a chunk that `first` is in is written as a whole."""
    end = len(points.steps)
    start = first // CHUNK_POINTS * CHUNK_POINTS if first < end else end
    positions = np.arange(start, end, CHUNK_POINTS, dtype=np.uint32)
    sizes = np.minimum(CHUNK_POINTS, end - positions.astype(np.int64))
    ends = np.cumsum(sizes).astype(np.uint64)
    steps, attempt = points.steps[start:], points.attempt[start:].astype(np.uint32)
    ticks, rests = split_walls(points.walls[start:])
    doubles = points.values[start:]
    with np.errstate(over="ignore"):
        values = doubles.astype(np.float32)
    is_double = _any_in_chunk((values != doubles) & ~np.isnan(doubles))
    first_attempt = attempt[::CHUNK_POINTS]
    return {
        "first_attempt": first_attempt,
        "first_step": steps[::CHUNK_POINTS],
        "position": positions,
        "points": sizes.astype(np.uint32),
        **_step_columns(steps, sizes),
        "walls": ArrayColumn(_differences(ticks), ends),
        "wall_rests": _chosen(rests, sizes, _any_in_chunk(rests != 0)),
        "values": _chosen(values, sizes, ~is_double),
        "doubles": _chosen(doubles, sizes, is_double),
        "marks": _marks(attempt, points.replaced[start:], sizes),
    }


def _marks(attempt: NDArray[np.uint32], replaced: NDArray[np.uint8], sizes: NDArray[np.int64]) -> ArrayColumn:
    """Returns what tells attempts and replaced points apart, of the chunks that have more than one attempt's points."""
    if not replaced.any() and (attempt[1:] == attempt[:-1]).all():
        return ArrayColumn(attempt[:0], np.zeros(len(sizes), np.uint64))
    marks = attempt * np.uint32(2) + replaced
    has_marks = _any_in_chunk(marks != np.repeat(attempt[::CHUNK_POINTS] * np.uint32(2), sizes))
    return _chosen(marks, sizes, has_marks)


def _step_columns(steps: NDArray[np.int64], sizes: NDArray[np.int64]) -> dict[str, Column]:
    """Returns the differences between the steps of each chunk, or only the one that all of them are."""
    differences = _differences(steps)
    stride = np.zeros(len(sizes), np.int64)
    stride[sizes > 1] = differences[1::CHUNK_POINTS]
    differences[::CHUNK_POINTS] = stride
    has_others = _any_in_chunk(differences != np.repeat(stride, sizes))
    inner = np.delete(differences, slice(None, None, CHUNK_POINTS)) if has_others.any() else differences[:0]
    return {"stride": stride, "steps": _chosen(inner, sizes - 1, has_others)}


def split_walls(walls: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Returns whole ticks, and what is missing to the exact time; times that are no dates are all in the second."""
    is_date = np.abs(walls) < MAX_WALL
    ticks = np.rint(np.where(is_date, walls, 0.0) * TICKS_PER_SEC).astype(np.int64)
    return ticks, walls - ticks / TICKS_PER_SEC


class PulledPoints(Struct, frozen=True):
    """Points of one tag over many runs, by run and then in order of arrival."""

    runs: Sequence[int]
    ends: NDArray[np.int64]  # where the points of each run end
    steps: NDArray[np.int64]
    walls: NDArray[np.float64]  # NaN if they were not asked for
    values: NDArray[np.float64]
    attempt: NDArray[np.uint32] | None  # None if they were not asked for
    replaced: NDArray[np.uint8] | None


def decode_chunks(columns: Mapping[str, Any]) -> PulledPoints:
    """Returns the points of rows in any order; of two rows of one chunk, those of the longer."""
    run, position, count = columns["run"], columns["position"], columns["points"]
    order = np.lexsort((count, position, run))
    run, position = run[order], position[order]
    is_last = np.ones(len(run), bool)
    is_last[:-1] = (run[1:] != run[:-1]) | (position[1:] != position[:-1])
    order, run = order[is_last], run[is_last]
    sizes = count[order].astype(np.int64)
    steps = _decoded_steps(columns, order, sizes)
    walls = _decoded_walls(columns, order, sizes) if "walls" in columns else np.broadcast_to(np.nan, len(steps))
    single, single_sizes = _gathered(columns["values"], order)
    values = single.astype(np.float64)
    if len(single) < len(steps):
        values = np.empty(len(steps))
        is_single = np.repeat(single_sizes > 0, sizes)
        values[is_single], values[~is_single] = single, _gathered(columns["doubles"], order)[0]
    starts = np.flatnonzero(np.concatenate([[True], run[1:] != run[:-1]])) if len(run) else np.empty(0, np.intp)
    ends = np.append(np.cumsum(sizes), 0)[np.append(starts, len(run))[1:] - 1]
    attempt, replaced = _decoded_marks(columns, order, sizes) if "marks" in columns else (None, None)
    return PulledPoints(run[starts].tolist(), ends, steps, walls, values, attempt, replaced)


def _decoded_steps(columns: Mapping[str, Any], order: NDArray[np.intp], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    differences = np.repeat(columns["stride"][order].astype(np.int64), sizes)
    given, given_sizes = _gathered(columns["steps"], order)
    starts = np.cumsum(sizes) - sizes
    if len(given):
        is_given = np.repeat(given_sizes > 0, sizes)
        is_given[starts] = False
        differences[is_given] = given
    differences[starts] = columns["first_step"][order]
    return _summed(differences, sizes)


def _decoded_walls(
    columns: Mapping[str, Any], order: NDArray[np.intp], sizes: NDArray[np.int64]
) -> NDArray[np.float64]:
    walls: NDArray[np.float64] = _summed(_gathered(columns["walls"], order)[0], sizes) / TICKS_PER_SEC
    rests, rest_sizes = _gathered(columns["wall_rests"], order)
    walls[np.repeat(rest_sizes > 0, sizes)] += rests
    return walls


def _decoded_marks(
    columns: Mapping[str, Any], order: NDArray[np.intp], sizes: NDArray[np.int64]
) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
    marks = np.repeat(columns["first_attempt"][order].astype(np.uint32) * np.uint32(2), sizes)
    given, given_sizes = _gathered(columns["marks"], order)
    marks[np.repeat(given_sizes > 0, sizes)] = given
    return marks // np.uint32(2), (marks % np.uint32(2)).astype(np.uint8)


def _differences(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the differences to the number before; the first of a chunk stays. Overflow wraps, there and back."""
    found = np.empty(len(numbers), np.int64)
    np.subtract(numbers[1:], numbers[:-1], out=found[1:])
    found[::CHUNK_POINTS] = numbers[::CHUNK_POINTS]
    return found


def _summed(differences: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    sums = np.cumsum(differences)
    ends = np.cumsum(sizes)
    before = np.concatenate([[0], sums[ends[:-1] - 1]]) if len(sizes) else sums
    found: NDArray[np.int64] = sums - np.repeat(before, sizes)
    return found


def _any_in_chunk(flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
    starts = np.arange(0, len(flags), CHUNK_POINTS)
    return np.logical_or.reduceat(flags, starts) if len(starts) else flags


def _chosen(elements: NDArray[Any], sizes: NDArray[np.int64], is_chosen: NDArray[np.bool_]) -> ArrayColumn:
    """Returns the elements of the chosen chunks; the arrays of the others are empty."""
    if not is_chosen.any():
        return ArrayColumn(elements[:0], np.zeros(len(sizes), np.uint64))
    if is_chosen.all():
        return ArrayColumn(elements, np.cumsum(sizes).astype(np.uint64))
    ends = np.cumsum(np.where(is_chosen, sizes, 0)).astype(np.uint64)
    return ArrayColumn(elements[np.repeat(is_chosen, sizes)], ends)


def _gathered(column: ArrayColumn, order: NDArray[np.intp]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Returns the elements of these rows one after the other, and the size of each."""
    if not len(order):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    sizes = column.sizes
    if len(order) == len(sizes) and (order[1:] == order[:-1] + 1).all():
        return column.elements, sizes
    chosen = sizes[order]
    starts = (column.ends.astype(np.int64) - sizes)[order]
    return column.elements[np.repeat(starts - (np.cumsum(chosen) - chosen), chosen) + np.arange(chosen.sum())], chosen
