"""Everything known about one run, for its page."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from seamark.compare.columns.goals import goal_of
from seamark.compare.diff.sections import read_git_diff
from seamark.compare.record import console
from seamark.compare.record.config_files import read_files
from seamark.compare.record.record import Record, last_steps
from seamark.compare.record.run_folder import MAX_FILES, list_files
from seamark.format.numbers import finite_or_none, json_safe
from seamark.format.types import SYSTEM_PREFIX
from seamark.store import RunStore

# Returned as fields of their own.
APART = ("config", "summary", "sessions", "alerts", "unknown", "version")
NO_RECORD = (
    "This run has no run.json, so its command, code, packages and machine are unknown; seamark.init() writes one."
)


def run_view(store: RunStore, run: Record, *, now: float | None = None) -> dict[str, Any]:
    """Files are read from the folder now; hyperparameters of event files come from the table."""
    files = read_files(run.path, run.info.shown_path, roots=store.roots)
    record = files.record
    if record is not None:
        run = replace(run, started=record.started_at or run.started, ended=record.ended_at)
    run = replace(run, record=record, made_of=())
    listing = list_files(run.path, other_runs=folders_of_others(store, run))
    sizes = {file.path: file.bytes for file in listing.files}
    problems = list(files.problems)
    if not listing.is_complete:
        problems.append(f"the folder has more than {MAX_FILES} files; the first {MAX_FILES} are listed")
    content = json_safe(record) if record is not None else {}
    given = sorted({**run.params, **files.record_params}.items())
    params = {key: value for key, value in given if value is not None}
    return {
        "name": run.name,
        "path": run.info.shown_path,
        "status": run.status(time.time() if now is None else now),
        "started": finite_or_none(run.started),
        "ended": finite_or_none(run.ended),
        "last_wall": finite_or_none(run.last_wall),
        "duration": finite_or_none(run.duration),
        "last_step": last_steps(store, [run])[0],
        "record": {name: value for name, value in content.items() if name not in APART} if content else None,
        "config": content.get("config") or params,
        "params": params,
        "summary": content.get("summary", {}),
        "sessions": content.get("sessions", []),
        "alerts": content.get("alerts", []),
        "git_diff": read_git_diff(run.path, record),
        "files": [asdict(file) for file in listing.files],
        "console": [{"source": source, "bytes": sizes[source]} for source in console.sources(listing)],
        "goals": {tag: goal for tag in run.tags if (goal := goal_of(tag, [run])) is not None},
        "system_tags": [tag for tag in run.tags if tag.startswith(SYSTEM_PREFIX)],
        "events": {name: getattr(run.info, name) for name in ("files", "bytes", "points", "payloads")},
        "merged_runs": list(run.merged_runs),
        "series_sources": {
            tag: {"run": source, "tag": source_tag} for tag, (source, source_tag) in run.series_sources.items()
        },
        "missing": NO_RECORD if record is None and not problems else "",
        "problems": problems,
    }


def folders_of_others(store: RunStore, run: Record) -> Collection[Path]:
    """The folders of runs inside this run's folder."""
    prefix = "" if run.name == "." else f"{run.name}/"
    below = [name for name in store.run_names() if name != run.name and name.startswith(prefix)]
    infos = [store.run(name) for name in below]
    return [other.path for other in infos if other is not None]
