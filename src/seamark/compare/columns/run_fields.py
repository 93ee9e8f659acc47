"""The columns that every run has: name, times, host, code, labels and notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from seamark.compare.record.record import Record

Notes = Mapping[str, Any]  # the saved state of one run

NO_NOTES: Notes = {}
STATE_FIELDS = ("label", "tags", "notes", "star", "archived")
# Fields that change while a run is being written.
GROWING_FIELDS = ("status", "started", "ended", "duration", "last_step", "points")


def _record(name: str) -> Callable[[Record, Notes], Any]:
    return lambda run, _: getattr(run.record, name) or None if run.record is not None else None


def _label(run: Record, notes: Notes) -> Any:
    if notes.get("label"):
        return notes["label"]
    named = run.record.name if run.record is not None else ""
    return named if named and named != run.name.rpartition("/")[2] else None


def _git(name: str) -> Callable[[Record, Notes], Any]:
    return lambda run, _: getattr(run.record.git, name) or None if run.record is not None and run.record.git else None


def _dirty(run: Record, _: Notes) -> Any:
    return run.record.git.dirty if run.record is not None and run.record.git is not None else None


def tags_of(run: Record, notes: Notes) -> tuple[str, ...] | None:
    """The tags in the saved state replace those in run.json, so that a tag the user removed does not come back."""
    if isinstance(notes.get("tags"), list):
        return tuple(str(tag) for tag in notes["tags"]) or None
    return (run.record.tags if run.record is not None else ()) or None


def _notes(run: Record, notes: Notes) -> Any:
    if "note" in notes:
        return notes["note"] or None
    return run.record.notes or None if run.record is not None else None


def _host(run: Record, _: Notes) -> Any:
    return (run.record.host.name or run.record.writer.host) or None if run.record is not None else None


def _gpu(run: Record, _: Notes) -> Any:
    if run.record is None or not run.record.gpus:
        return None
    names = [gpu.name for gpu in run.record.gpus]
    return f"{len(names)} × {names[0]}" if len(names) > 1 and len(set(names)) == 1 else ", ".join(names)


def _command(run: Record, _: Notes) -> Any:
    return " ".join(run.record.command) or None if run.record is not None else None


# All fields except status, which depends on the time, and last_step, which is computed from the series.
FIELDS: Mapping[str, Callable[[Record, Notes], Any]] = {
    "name": lambda run, _: run.name,
    "label": _label,
    "path": lambda run, _: run.info.shown_path,
    "project": _record("project"),
    "group": _record("group"),
    "job_type": _record("job_type"),
    "started": lambda run, _: run.started,
    "ended": lambda run, _: run.ended,
    "duration": lambda run, _: run.duration,
    "host": _host,
    "commit": _git("commit"),
    "branch": _git("branch"),
    "dirty": _dirty,
    "command": _command,
    "tags": tags_of,
    "notes": _notes,
    "star": lambda _, notes: notes.get("star") is True,
    "archived": lambda _, notes: notes.get("archived") is True,
    "points": lambda run, _: run.info.points,
    "python": lambda run, _: run.record.python.version or None if run.record is not None else None,
    "gpu": _gpu,
}
