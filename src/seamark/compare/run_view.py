"""Everything a run remembers, as its page shows it."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import asdict
from pathlib import Path
from typing import Any

from seamark.compare import console
from seamark.compare.diff import flattened, read_git_diff
from seamark.compare.run_folder import MAX_FILES, list_files, read_record
from seamark.format import run_record
from seamark.format.liveness import status_of
from seamark.format.run_record import RunRecord
from seamark.format.types import RunName
from seamark.store import RunInfo, Store

# A run without run.json says only when it last wrote.
WRITING_SECS = 15.0
IDLE_SECS = 300.0
SYSTEM = "system/"
# Shown in places of their own.
APART = ("config", "summary", "sessions", "alerts", "unknown", "version")
NO_RECORD = (
    "This run has no run.json, so its command, code, packages and machine are not known; seamark.init() writes one."
)


def run_view(store: Store, info: RunInfo) -> dict[str, Any]:
    record, problem = read_record(info.path)
    listing = list_files(info.path, other_runs=folders_of_others(store, info))
    sizes = {file.path: file.bytes for file in listing.files}
    problems = [problem] if problem else []
    if not listing.is_complete:
        problems.append(f"the folder has many files; the first {MAX_FILES} are listed")
    told = plain(record) if record is not None else {}
    return {
        "name": info.name,
        "path": str(info.path),
        "status": status(record, info),
        "started": (record.started_at if record else None) or info.first_wall,
        "ended": record.ended_at if record else None,
        "last_wall": info.last_wall,
        "last_step": record.last_step if record else None,
        "record": {name: value for name, value in told.items() if name not in APART} if told else None,
        "config": told.get("config", {}),
        "params": flattened(record.config) if record else {},
        "summary": told.get("summary", {}),
        "sessions": told.get("sessions", []),
        "alerts": told.get("alerts", []),
        "git_diff": read_git_diff(info.path, record),
        "files": [asdict(file) for file in listing.files],
        "console": [{"source": source, "bytes": sizes[source]} for source in console.sources(listing)],
        "system_tags": system_tags(store, info.name),
        "events": {"files": info.files, "bytes": info.bytes, "points": info.points, "payloads": info.payloads},
        "folded": [],
        "missing": "" if record or problem else NO_RECORD,
        "problems": problems,
    }


def plain(record: RunRecord) -> dict[str, Any]:
    """As run.json has it: NaN and infinities are text."""
    told = run_record.plain(record)
    assert isinstance(told, dict)
    return told


def status(record: RunRecord | None, info: RunInfo, *, now: float | None = None) -> str:
    now = time.time() if now is None else now
    if record is not None:
        return status_of(record, now=now)
    age_secs = now - (info.last_wall or 0.0)
    return "writing" if age_secs < WRITING_SECS else "idle" if age_secs < IDLE_SECS else "stopped"


def system_tags(store: Store, run: RunName) -> list[str]:
    return [info.tag for info in store.series(run=run, kind="scalars") if info.tag.startswith(SYSTEM)]


def folders_of_others(store: Store, info: RunInfo) -> Collection[Path]:
    """Of runs whose folders lie in this one's: their files are theirs."""
    prefix = "" if info.name == "." else f"{info.name}/"
    below = [name for name in store.run_names() if name != info.name and name.startswith(prefix)]
    infos = [store.run(name) for name in below]
    return [other.path for other in infos if other is not None]
