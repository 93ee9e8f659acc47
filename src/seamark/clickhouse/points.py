"""Points of one tag over many runs: where statements take them from, and all of them in order of arrival."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.clickhouse.chunks import (
    MARK_COLUMNS,
    MARK_SQL,
    POINT_COLUMNS,
    STEP_SQL,
    VALUE_SQL,
    WALL_COLUMNS,
    WALL_SQL,
    PulledPoints,
    decode_chunks,
)
from seamark.clickhouse.client import Client
from seamark.clickhouse.rows import name_hash
from seamark.format.types import Tag
from seamark.store.ask.stored_run import StoredScalars

# Every part of the table has granules that may hold a key, and one of them does: PREWHERE reads the other columns of
# that one only. Servers move no condition of the primary key there by themselves.
_CHUNKS = "PREWHERE run IN {keys:Set(UInt64)} AND tag = {tag:UInt64}"
_ARRAYS = f"{STEP_SQL} AS step, {WALL_SQL} AS wall, {VALUE_SQL} AS value, {MARK_SQL} AS mark"
# Directly from the distributed table: shards aggregate their own points. A subquery would bring all points to one of
# them. FINAL takes one of the chunks that were inserted twice and are not merged yet. More conditions may follow.
SOURCE = f"points FINAL ARRAY JOIN {_ARRAYS} {_CHUNKS} WHERE 1"
# With the place of a point in its chunk.
PLACED = f"points FINAL ARRAY JOIN {_ARRAYS}, arrayEnumerate(walls) AS place {_CHUNKS} WHERE 1"
CURRENT_SQL = "mark % 2 = 0"


def pull_chunks(
    client: Client, tag: Tag, keys: Sequence[int], *, with_walls: bool = True, with_attempts: bool = True
) -> PulledPoints:
    """Returns all points of one tag, without what is not asked for."""
    names = (*POINT_COLUMNS, *(WALL_COLUMNS if with_walls else ()), *(MARK_COLUMNS if with_attempts else ()))
    if not keys:
        return decode_chunks(dict.fromkeys(names, np.empty(0)))
    sql = f"SELECT {', '.join(names)} FROM points {_CHUNKS}"
    return decode_chunks(client.select(sql, names, tag=name_hash(tag), keys=keys))


def pull_points(client: Client, tag: Tag, keys: Sequence[int], *, current: bool = False) -> dict[int, StoredScalars]:
    """Returns all points of one tag by run; with `current`, those that no restart replaced."""
    pulled = pull_chunks(client, tag, keys)
    assert pulled.attempt is not None and pulled.replaced is not None
    columns: list[NDArray[Any]] = [pulled.steps, pulled.walls, pulled.values, pulled.attempt, pulled.replaced]
    found = {}
    for key, start, end in zip(pulled.runs, [0, *pulled.ends], pulled.ends, strict=False):
        points = StoredScalars(*(column[start:end] for column in columns))
        if current and points.replaced.any():
            chosen = points.replaced == 0
            points = StoredScalars(*(column[start:end][chosen] for column in columns))
        found[key] = points
    return found
