"""Builds run.json of an imported run from the facts in its tracker, for the run table and for queries."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from seamark.format import run_record
from seamark.format.plain import plain
from seamark.format.replace_file import replace_file
from seamark.format.run_record import CRASHED, FINISHED, KILLED, RUNNING, Host, RunRecord, Session
from seamark.format.types import SYSTEM_PREFIX
from seamark.porting.source import SourceRun
from seamark.write.run.secrets import redact

STATUSES = {"finished": FINISHED, "failed": CRASHED, "crashed": CRASHED, "killed": KILLED, "running": RUNNING}


def record_of(run: SourceRun, *, started_at: float) -> RunRecord | None:
    """None for a source with nothing but points. The record does not depend on the time of the import."""
    if run.status not in STATUSES:
        return None
    status = STATUSES[run.status]
    ended_at = None if math.isnan(run.end) or status == RUNNING else run.end
    last_seen = _last_wall(run, started_at)
    if ended_at is None and status != RUNNING:
        ended_at = last_seen
    return RunRecord(
        id=run.id,
        name=run.name.rpartition("/")[2],
        project=run.name.rpartition("/")[0],
        group=run.group,
        job_type=run.job_type,
        tags=run.labels,
        notes=run.notes,
        status=status,
        started_at=started_at,
        ended_at=ended_at,
        heartbeat_at=last_seen,
        exit_code=run.exit_code,
        last_step=_last_step(run),
        config=redact.mapping(plain(run.params)),
        summary=redact.mapping(plain(run.summary or _last_values(run))),
        metrics=run.metrics,
        sessions=(Session(started_at, ended_at, status, host=run.host),),
        host=Host(name=run.host),
        unknown={"imported_from": run.source},
    )


def write(folder: Path, record: RunRecord) -> None:
    """Replaces the file atomically, and only if its content changes."""
    text = run_record.dumps(record)
    path = folder / run_record.FILE_NAME
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    replace_file(path, text.encode())


def _last_values(run: SourceRun) -> Mapping[str, Any]:
    """For a source without a summary: the last value of each metric, as in run.summary."""
    return {tag: float(points.values[-1]) for tag, points in _metrics(run).items()}


def _last_step(run: SourceRun) -> int | None:
    return max((int(points.steps.max()) for points in _metrics(run).values()), default=None)


def _last_wall(run: SourceRun, started_at: float) -> float:
    walls = [float(wall) for points in run.scalars.values() if len(points) for wall in points.walls[-1:]]
    return max([started_at, *(wall for wall in walls if not math.isnan(wall))])


def _metrics(run: SourceRun) -> dict[str, Any]:
    return {tag: points for tag, points in run.scalars.items() if len(points) and not tag.startswith(SYSTEM_PREFIX)}
