"""Everything a run remembers, as its page shows it."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from seamark.compare import console
from seamark.compare.config_files import read_files
from seamark.compare.diff import read_git_diff
from seamark.compare.flatten import speakable
from seamark.compare.goals import goal_of
from seamark.compare.record import Record, last_steps
from seamark.compare.run_folder import MAX_FILES, list_files
from seamark.format import run_record
from seamark.format.run_record import SYSTEM_PREFIX, RunRecord
from seamark.store import Store

# Shown in places of their own.
APART = ("config", "summary", "sessions", "alerts", "unknown", "version")
NO_RECORD = (
    "This run has no run.json, so its command, code, packages and machine are not known; seamark.init() writes one."
)


def run_view(store: Store, run: Record, *, now: float | None = None) -> dict[str, Any]:
    """Read from the folder as it is now; hyperparameters of event files as the table has them."""
    files = read_files(run.path, log_dirs=store.log_dirs)
    record = files.record
    if record is not None:
        run = replace(run, started=record.started_at or run.started, ended=record.ended_at)
    run = replace(run, record=record, made_of=())
    listing = list_files(run.path, other_runs=folders_of_others(store, run))
    sizes = {file.path: file.bytes for file in listing.files}
    problems = list(files.problems)
    if not listing.is_complete:
        problems.append(f"the folder has many files; the first {MAX_FILES} are listed")
    told = plain(record) if record is not None else {}
    given = sorted({**run.params, **files.record_params}.items())
    params = {key: value for key, value in given if value is not None}
    return {
        "name": run.name,
        "path": speakable(str(run.path)),
        "status": run.status(time.time() if now is None else now),
        "started": run.started,
        "ended": run.ended,
        "last_wall": run.last_wall,
        "duration": run.duration,
        "last_step": last_steps(store, [run])[0],
        "record": {name: value for name, value in told.items() if name not in APART} if told else None,
        "config": told.get("config") or params,
        "params": params,
        "summary": told.get("summary", {}),
        "sessions": told.get("sessions", []),
        "alerts": told.get("alerts", []),
        "git_diff": read_git_diff(run.path, record),
        "files": [asdict(file) for file in listing.files],
        "console": [{"source": source, "bytes": sizes[source]} for source in console.sources(listing)],
        "goals": {tag: goal for tag in run.tags if (goal := goal_of(tag, [run])) is not None},
        "system_tags": [tag for tag in run.tags if tag.startswith(SYSTEM_PREFIX)],
        "events": {name: getattr(run.info, name) for name in ("files", "bytes", "points", "payloads")},
        "folded": list(run.folded),
        "homes": {tag: {"run": home, "tag": there} for tag, (home, there) in run.homes.items()},
        "missing": NO_RECORD if record is None and not problems else "",
        "problems": problems,
    }


def plain(record: RunRecord) -> dict[str, Any]:
    """As run.json has it: NaN and infinities are text."""
    told = run_record.plain(record)
    assert isinstance(told, dict)
    return told


def folders_of_others(store: Store, run: Record) -> Collection[Path]:
    """Of runs whose folders lie in this one's: their files are theirs."""
    prefix = "" if run.name == "." else f"{run.name}/"
    below = [name for name in store.run_names() if name != run.name and name.startswith(prefix)]
    infos = [store.run(name) for name in below]
    return [other.path for other in infos if other is not None]
