"""Reads the stored numbers of series: counts, ranges and statistics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from seamark.clickhouse.client import Client
from seamark.clickhouse.parameters import to_text
from seamark.clickhouse.rows import SERIES_COLUMNS
from seamark.format.types import Tag

Numbers = dict[str, Any]


def read_tag(client: Client, kind: str, tag: Tag, keys: Sequence[int], names: Sequence[str]) -> dict[int, Numbers]:
    """Returns the named numbers of one tag by the key of the run; runs without points of it are left out."""
    if not keys:
        return {}
    columns = ("run", "version", *names)
    found = client.select(
        f"SELECT {', '.join(columns)} FROM series WHERE kind = {{kind:String}} AND tag = {{tag:String}} "
        "AND run IN {keys:Set(UInt64)} ORDER BY run, version",
        columns,
        kind=kind,
        tag=tag,
        keys=keys,
    )
    lists = [found[name].tolist() for name in ("run", *names)]
    # In order of version: the newest row of a run is the last.
    return {row[0]: dict(zip(names, row[1:], strict=True)) for row in zip(*lists, strict=True)}


def read_runs_series(
    client: Client, keys: Sequence[int], kind: str | None, names: Sequence[str] = SERIES_COLUMNS
) -> list[tuple[int, str, Tag, Numbers]]:
    """Returns key, kind, tag and numbers of every series of these runs, by run and order of appearance."""
    if not keys:
        return []
    columns = ("run", "kind", "tag", "position", "version", *names)
    condition = " AND kind = {kind:String}" if kind is not None else ""
    found = client.select(
        f"SELECT {', '.join(columns)} FROM series WHERE run IN {{keys:Set(UInt64)}}{condition} "
        "ORDER BY run, position, version",
        columns,
        keys=keys,
        **({"kind": kind} if kind is not None else {}),
    )
    runs = np.asarray(found["run"]).tolist()
    numbers = [found[name].tolist() for name in names]
    newest: dict[tuple[int, bytes, bytes], Numbers] = {}
    for at, (run, kind_name, tag) in enumerate(zip(runs, found["kind"], found["tag"], strict=True)):
        newest[run, kind_name, tag] = {name: column[at] for name, column in zip(names, numbers, strict=True)}
    return [(run, kind_name.decode(), Tag(to_text(tag)), row) for (run, kind_name, tag), row in newest.items()]
