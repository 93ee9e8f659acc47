"""Helpers of the tests: runs with hyperparameters, curves and files, and a table of them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from seamark.compare import RunTable
from seamark.kinds import hparams
from seamark.kinds.hparams import SessionEnd, SessionStart
from seamark.kinds.summary import event_record
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile
from seamark.write.run.record import run_file

BEGAN = 1_700_000_000.0


def log_run(
    folder: Path,
    values: Mapping[str, Any] | None = None,
    *,
    began: float = BEGAN,
    end: SessionEnd | None = None,
    **curves: Sequence[float],
) -> Path:
    """An event file: a session's start with these hyperparameters, and a point a second of each curve."""
    with EventFile(folder, wall_time=began) as file:
        for info in [SessionStart(values), end] if values is not None else [end]:
            if info is not None:
                file.append(event_record(hparams.encode(info), step=0, wall_time=began))
        for tag, points in curves.items():
            for step, value in enumerate(points):
                file.add_scalar(tag.replace("__", "/"), value, step, wall_time=began + step)
    return folder


def write_record(folder: Path, **fields: Any) -> None:
    """A run.json."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text(json.dumps({"schema": "seamark.run", "version": 1, **fields}))


def log_every_status(logdir: Path) -> dict[str, list[str]]:
    """A run of each status that run.json, a process or an event file tells, one that add_scalars made, and a damaged one."""
    alive = asdict(run_file.this_writer())
    statuses = {
        "running": {"status": "running", "writer": alive},
        "killed": {"status": "running", "writer": alive | {"process_start": "1"}},
        "lost": {"status": "running", "writer": alive | {"host": "far-away"}, "heartbeat_at": 1.0},
        "crashed": {"status": "crashed"},
        "finished": {"status": "finished"},
        "stopped": {},
    }
    for status, fields in statuses.items():
        log_run(logdir / status, began=BEGAN, loss=[2.0, 1.0])
        if fields:
            write_record(logdir / status, **fields)
    log_run(logdir / "crashed" / "loss_train", loss=[2.0, 1.0])
    # A program without run.json that ended a second ago, by a clock that is an hour ahead.
    log_run(logdir / "writing", began=time.time() + 3600, loss=[1.0])
    damaged = logdir / "damaged" / "events.out.tfevents.1700000000.host"
    damaged.parent.mkdir()
    damaged.write_bytes(b"no record at all, but longer than a header")
    return {status: [status] for status in (*statuses, "writing")} | {
        "crashed": ["crashed", "crashed/loss_train"],
        "stopped": ["damaged", "stopped"],
    }


@contextmanager
def table_of(logdir: Path, state: Mapping[str, Any] | None = None, **options: Any) -> Iterator[RunTable]:
    with Store([LogRoot("", logdir)], **{"index_dir": None, "follow": False, **options}) as store:
        assert store.wait_loaded(30)
        yield RunTable(store, state, clock=lambda: BEGAN + 10_000)


def matching(table: RunTable, query: str = "", sort: Sequence[str] = (), **options: Any) -> list[str]:
    return [table.names[row] for row in table.select(query, sort, **options).rows.tolist()]


def cells(table: RunTable, column_id: str) -> dict[str, Any]:
    """A column by run; runs where it is blank are left out."""
    column = table.column(column_id)
    rows = table.select(archived="show").rows
    return {
        table.names[row]: value
        for row, value in zip(rows.tolist(), column.cells(rows), strict=True)
        if value is not None
    }
