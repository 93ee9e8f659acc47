"""Exports scalar points as CSV or JSON lines without rounding, and hyperparameters as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import IO, TYPE_CHECKING, Any

from seamark.format.numbers import json_number
from seamark.format.patterns import Pattern
from seamark.store import ScalarBatch, csv_chunks

if TYPE_CHECKING:
    from seamark.store import RunStore

FORMATS = ("csv", "jsonl", "parquet")


def write_csv(batches: Iterable[ScalarBatch], out: IO[bytes]) -> int:
    """One row per point, as in the page's download."""
    rows = 0

    def counted() -> Iterator[ScalarBatch]:
        nonlocal rows
        for batch in batches:
            rows += len(batch)
            yield batch

    for chunk in csv_chunks(counted()):
        out.write(chunk)
    return rows


def write_jsonl(batches: Iterable[ScalarBatch], params: Iterable[tuple[str, dict[str, Any]]], out: IO[bytes]) -> int:
    """One line per run with hyperparameters, then one line per point."""
    for run, hparams in params:
        known = {name: value if not isinstance(value, float) else json_number(value) for name, value in hparams.items()}
        out.write((json.dumps({"run": run, "params": known}) + "\n").encode())
    rows = 0
    for batch in batches:
        head = json.dumps({"run": batch.run, "tag": batch.tag})[:-1]
        columns = (batch.steps.tolist(), batch.walls.tolist(), batch.values.tolist())
        out.writelines(
            f'{head}, "step": {step}, "wall_time": {wall!r}, "value": {json.dumps(json_number(value))}}}\n'.encode()
            for step, wall, value in zip(*columns, strict=True)
        )
        rows += len(batch)
    return rows


def run_params(store: RunStore, runs: Pattern) -> Iterator[tuple[str, dict[str, Any]]]:
    """The hyperparameters of the runs that have some."""
    from seamark.kinds import hparams
    from seamark.kinds.payload import DecodeError

    for info in store.series(kind=hparams.PLUGIN_NAME):
        if info.tag != hparams.SESSION_START_TAG or not runs.is_found(info.run):
            continue
        try:
            # The hyperparameters are in the metadata of the first value.
            start = hparams.decode(store.payload(info.run, info.tag, hparams.PLUGIN_NAME, 0), info.metadata)
        except DecodeError:
            continue
        if isinstance(start, hparams.SessionStart) and start.hparams:
            yield info.run, dict(start.hparams)


def left_out(store: RunStore, runs: Pattern, tags: Pattern, *, has_params: bool) -> dict[str, int]:
    """The number of series of each kind that a table of numbers cannot hold."""
    found: dict[str, int] = {}
    for run, kinds in store.tags().items():
        for kind, listed in kinds.items() if runs.is_found(run) else ():
            count = sum(1 for tag in listed if tags.is_found(tag))
            if kind != "scalars" and count and not (kind == "hparams" and has_params):
                found[kind] = found.get(kind, 0) + count
    return found
