"""MLflow's SQLite store, opened for reading only."""

from __future__ import annotations

import math
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from seamark.porting import params
from seamark.porting.mlflow_files import seconds
from seamark.porting.source import Progress, SourceError, SourceRun

STATUSES = {
    "FINISHED": "finished",
    "FAILED": "failed",
    "KILLED": "killed",
    "RUNNING": "running",
    "SCHEDULED": "running",
}
RUNS = """
    SELECT r.run_uuid, r.name, r.status, r.start_time, r.end_time, r.artifact_uri, e.name
    FROM runs r LEFT JOIN experiments e ON e.experiment_id = r.experiment_id
    WHERE r.lifecycle_stage != 'deleted' AND coalesce(e.lifecycle_stage, '') != 'deleted'
    ORDER BY r.start_time, r.run_uuid
"""
# In the order of logging.
METRICS = "SELECT key, step, timestamp, value, is_nan FROM metrics WHERE run_uuid = ? ORDER BY rowid"


def runs(path: Path, progress: Progress) -> Iterator[tuple[SourceRun, str]]:
    """Yields the runs, each with the address of its artifacts."""
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as database:
            found = database.execute(RUNS).fetchall()
            for done, row in enumerate(found):
                progress(done, len(found))
                yield run_in(database, row), row[5] or ""
            progress(len(found), len(found))
    except sqlite3.Error as error:
        raise SourceError(f"this is no MLflow database ({error}): '{path}'") from None


def run_in(database: sqlite3.Connection, row: tuple[Any, ...]) -> SourceRun:
    identity, name, status, start, end, _, experiment = row
    tags = {
        key: value or ""
        for key, value in database.execute("SELECT key, value FROM tags WHERE run_uuid = ?", [identity])
    }
    given = database.execute("SELECT key, value FROM params WHERE run_uuid = ?", [identity])
    run = SourceRun(
        source="mlflow",
        id=identity,
        name=f"{experiment}/{name or tags.get('mlflow.runName') or identity}",
        params={key: params.from_text(value) for key, value in sorted(given)},
        tags=tags,
        status=STATUSES.get(status, ""),
        start=seconds(start),
        end=seconds(end),
    )
    for key, step, milliseconds, value, is_nan in database.execute(METRICS, [identity]):
        run.points(key).add(step, milliseconds / 1000, math.nan if is_nan else infinite(value))
    return run


def infinite(value: float) -> float:
    """SQLite has no infinity: MLflow writes the largest double instead."""
    return math.copysign(math.inf, value) if abs(value) == sys.float_info.max else float(value)
