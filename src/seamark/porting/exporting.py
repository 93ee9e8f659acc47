"""Scalar points as CSV or JSON lines, digit for digit, and hyperparameters with the latter. Parquet is the store's."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from typing import IO, TYPE_CHECKING, Any

from seamark.store import ScalarBatch
from seamark.store.csv_text import csv_chunks, word

if TYPE_CHECKING:
    from seamark.store import Store

FORMATS = ("csv", "jsonl", "parquet")


def write_csv(batches: Iterable[ScalarBatch], out: IO[bytes]) -> int:
    """A row per point, the same as the page's download."""
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
    """A line per run that has hyperparameters, then a line per point."""
    for run, told in params:
        known = {name: value if not isinstance(value, float) else number(value) for name, value in told.items()}
        out.write((json.dumps({"run": run, "params": known}) + "\n").encode())
    rows = 0
    for batch in batches:
        head = json.dumps({"run": batch.run, "tag": batch.tag})[:-1]
        columns = (batch.steps.tolist(), batch.walls.tolist(), batch.values.tolist())
        out.writelines(
            f'{head}, "step": {step}, "wall_time": {wall!r}, "value": {json.dumps(number(value))}}}\n'.encode()
            for step, wall, value in zip(*columns, strict=True)
        )
        rows += len(batch)
    return rows


def run_params(store: Store, runs: re.Pattern[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The hyperparameters of the runs that have some."""
    from seamark.kinds import hparams
    from seamark.kinds.payload import DecodeError

    for info in store.series(kind=hparams.PLUGIN_NAME):
        if info.tag != hparams.SESSION_START_TAG or not runs.search(info.run):
            continue
        try:
            # All of it rides in the metadata, which is that of the first value.
            start = hparams.decode(store.payload(info.run, info.tag, hparams.PLUGIN_NAME, 0), info.metadata)
        except DecodeError:
            continue
        if isinstance(start, hparams.SessionStart) and start.hparams:
            yield info.run, dict(start.hparams)


def left_out(store: Store, runs: re.Pattern[str], tags: re.Pattern[str], *, has_params: bool) -> dict[str, int]:
    """Kinds that a table of numbers cannot hold, and how many series of each there are."""
    found: dict[str, int] = {}
    for run, kinds in store.tags().items():
        for kind, listed in kinds.items() if runs.search(run) else ():
            count = sum(1 for tag in listed if tags.search(tag))
            if kind != "scalars" and count and not (kind == "hparams" and has_params):
                found[kind] = found.get(kind, 0) + count
    return found


def number(value: float) -> float | str:
    """As JSON may have it: what it has no number for is a word, as TensorBoard spells it."""
    return value if math.isfinite(value) else word(value)
