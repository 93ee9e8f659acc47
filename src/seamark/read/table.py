"""Converts the run table to frames, with short column names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns.metric_names import interest
from seamark.format.types import SYSTEM_PREFIX
from seamark.read.frame import Column as FrameColumn
from seamark.read.frame import Frame, Partial

if TYPE_CHECKING:
    from seamark.compare import Column, RunTable

NUMBERS = frozenset({"number", "time", "duration"})
# Included by default.
ALWAYS = ("run:name", "run:status", "run:started", "run:duration", "run:last_step")
STATS = ("last", "min", "max")


def frame_of(table: RunTable, rows: NDArray[np.intp], columns: Sequence[str] | None, *, tail: int) -> Frame:
    """`columns` are names or ids; None means every column that any of these runs has."""
    if columns is None:
        ids = every_column(table, rows)
        named = dict(zip(short_names(ids), ids, strict=True))
    else:
        named = {text: table.resolve(text) for text in columns}
    return Frame({name: cells_of(table.column(column, tail=tail), rows) for name, column in named.items()})


def every_column(table: RunTable, rows: NDArray[np.intp]) -> list[str]:
    """The ids of run fields, hyperparameters and summary values, and of the last, min and max of every metric."""
    ids: list[str] = []
    for info in table.columns():
        if info.source == "metric":
            wanted = [f"{info.id}:{stat}" for stat in STATS]
            ids += [column for column in wanted[:1] if table.column(column).present[rows].any()] and wanted
        elif info.id in ALWAYS or table.column(info.id).present[rows].any():
            ids.append(info.id)
    return ids


def telling_columns(table: RunTable, rows: NDArray[np.intp], *, params: int, metrics: int) -> list[str]:
    """Columns for a table to read: basic fields, hyperparameters that differ, and the metrics most runs have."""
    infos = table.columns()
    differing = [info.id for info in infos if info.source == "param" and differs(table.column(info.id), rows)]
    results = [info for info in infos if info.source == "metric" and not info.name.startswith(SYSTEM_PREFIX)]
    measured = sorted(results, key=lambda info: (-info.runs, *interest(info.name)))
    return [*ALWAYS, *differing[:params], *(f"{info.id}:last" for info in measured[:metrics])]


def differs(column: Column, rows: NDArray[np.intp]) -> bool:
    present = column.present[rows]
    if not present.any():
        return False
    values = column.values[rows][present].tolist()
    return not present.all() or any(value != values[0] for value in values)


def short_names(ids: Sequence[str]) -> list[str]:
    """`lr` for `param:lr`, `val/loss.min` for `metric:val/loss:min`; the id itself if two names would be equal."""
    short = [short_name(column) for column in ids]
    return [
        name if short.count(name) == 1 or column.startswith("run:") else column
        for name, column in zip(short, ids, strict=True)
    ]


def short_name(column: str) -> str:
    source, _, name = column.partition(":")
    if source == "metric":
        tag, _, stat = name.rpartition(":")
        return f"{tag}.{stat}"
    return name


def cells_of(column: Column, rows: NDArray[np.intp]) -> FrameColumn:
    present = column.present[rows]
    values = column.values[rows]
    if column.type in NUMBERS and not column.mixed:
        if not present.all():
            return Partial(values.astype(np.float64), present)
        return values.astype(np.int64) if column.is_whole and np.isfinite(values).all() else values.astype(np.float64)
    if column.type == "bool" and present.all():
        return values.astype(bool)
    return column.cells(rows)
