"""The list of runs and layouts, read from ClickHouse and kept in memory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import msgspec
import numpy as np

from seamark.clickhouse.client import Client
from seamark.clickhouse.native import Column
from seamark.clickhouse.parameters import to_bytes, to_text
from seamark.clickhouse.rows import LAYOUT_DECODER, RECORD_DECODER, SCALARS, Layout, RunRecord, RunState
from seamark.format.types import RunName, Tag

# points, checksum and whether they are in order, by kind and tag
KnownSeries = dict[tuple[str, Tag], tuple[int, int, bool]]
RUN_COLUMNS = ("name", "run", "version", "state", "month", "layout", "record")


class RunRow(msgspec.Struct, frozen=True):
    """A row of `runs`. `version` grows with every change of any run."""

    name: RunName
    run: int
    version: int
    state: RunState
    month: int
    layout: int
    record: RunRecord


def stored_version(row: RunRow) -> int:
    """Returns the number that decides in a merge: the row of a finished insert wins over the one before it."""
    return 2 * row.version - (row.state in (RunState.LOADING, RunState.UPDATING))


def run_columns(project: str, runs: Sequence[RunRow]) -> dict[str, Column]:
    """Returns rows of `runs`."""
    return {
        "project": [to_bytes(project)] * len(runs),
        "name": [to_bytes(row.name) for row in runs],
        "run": np.array([row.run for row in runs], np.uint64),
        "version": np.array([stored_version(row) for row in runs], np.uint64),
        "state": np.array([int(row.state) for row in runs], np.uint8),
        "month": np.array([row.month for row in runs], np.uint32),
        "layout": np.array([row.layout for row in runs], np.uint64),
        "record": [msgspec.msgpack.encode(row.record) for row in runs],
    }


class RunLayout(msgspec.Struct, frozen=True, dict=True):
    """The series of runs; runs of a sweep share one object."""

    key: int
    scalar_tags: tuple[Tag, ...]
    scalar_metadata: tuple[bytes, ...]
    payload_keys: tuple[tuple[str, Tag], ...]

    def has_scalars(self, tag: Tag) -> bool:
        return tag in self._scalar_set

    @cached_property
    def _scalar_set(self) -> frozenset[Tag]:
        return frozenset(self.scalar_tags)


def read_runs(client: Client, project: str, *, after_version: int = 0) -> dict[RunName, RunRow]:
    """Returns the newest row of each run that was written after the version, deleted and loading ones included."""
    found = client.select(
        f"SELECT {', '.join(RUN_COLUMNS)} FROM runs "
        "WHERE project = {project:String} AND version > {version:UInt64}",
        RUN_COLUMNS,
        project=project,
        version=max(0, 2 * after_version),
    )
    newest: dict[bytes, tuple[int, int]] = {}
    for at, (name, version) in enumerate(zip(found["name"], _ints(found["version"]), strict=True)):
        if version >= newest.get(name, (0, 0))[0]:
            newest[name] = (version, at)
    columns = [_ints(found[name]) for name in ("run", "state", "month", "layout")]
    rows = {}
    for name, (version, at) in newest.items():
        run, state, month, layout = (column[at] for column in columns)
        record = RECORD_DECODER.decode(found["record"][at])
        run_name = RunName(to_text(name))
        rows[run_name] = RunRow(run_name, run, (version + 1) // 2, RunState(state), month, layout, record)
    return rows


def read_shown_runs(client: Client, project: str) -> dict[RunName, RunRow]:
    """Returns the runs that a page shows."""
    rows = read_runs(client, project)
    return {name: row for name, row in rows.items() if row.state in (RunState.COMPLETE, RunState.UPDATING)}


def read_layouts(client: Client, keys: Sequence[int]) -> dict[int, RunLayout]:
    found = client.select(
        "SELECT layout, entries FROM layouts WHERE layout IN {keys:Set(UInt64)}", ("layout", "entries"), keys=keys
    )
    return {
        key: _layout(key, LAYOUT_DECODER.decode(data))
        for key, data in zip(_ints(found["layout"]), found["entries"], strict=True)
    }


def read_series_state(client: Client, keys: Sequence[int]) -> dict[int, KnownSeries]:
    """Returns for each key what was inserted of its series."""
    names = ("run", "kind", "tag", "version", "points", "checksum", "is_regular")
    found = client.select(f"SELECT {', '.join(names)} FROM series WHERE run IN {{keys:Set(UInt64)}}", names, keys=keys)
    known: dict[int, KnownSeries] = {key: {} for key in keys}
    versions: dict[tuple[int, bytes, bytes], int] = {}
    numbers = [_ints(found[name]) for name in ("run", "version", "points", "checksum", "is_regular")]
    for kind, tag, run, version, points, checksum, is_regular in zip(
        found["kind"], found["tag"], *numbers, strict=True
    ):
        if version >= versions.get((run, kind, tag), 0):
            versions[run, kind, tag] = version
            known[run][kind.decode(), Tag(to_text(tag))] = (points, checksum, bool(is_regular))
    return known


def _layout(key: int, entries: Layout) -> RunLayout:
    scalars = [(Tag(tag), metadata) for kind, tag, metadata in entries if kind == SCALARS]
    payloads = tuple((kind, Tag(tag)) for kind, tag, _ in entries if kind != SCALARS)
    return RunLayout(key, tuple(tag for tag, _ in scalars), tuple(metadata for _, metadata in scalars), payloads)


def _ints(column: object) -> list[int]:
    found: list[int] = column.tolist()  # type: ignore[attr-defined]
    return [int(value) for value in found] if found and isinstance(found[0], float) else found
