"""Differences between runs in rows: configuration, command, code, packages, machine, status.

Every row says how the other runs stand to the first: `same`, `changed`, `added` (the first run has no such thing) or
`removed` (another one has none, and the first has).
"""

from __future__ import annotations

import hashlib
import shlex
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from seamark.compare.record.flatten import Scalar
from seamark.compare.record.record import Record, last_steps
from seamark.compare.record.run_folder import GoneError, open_inside
from seamark.compare.settings import State
from seamark.format.run_record import RunRecord
from seamark.store import OutsideError, RunStore, is_number

Value = Scalar | None
MAX_DIFF_BYTES = 1_000_000
GIB = 1 << 30
SORTED = frozenset({"config", "packages", "environment", "summary"})


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What is known of one run; `record` is None without a run.json that can be read."""

    name: str
    record: RunRecord | None = None
    params: Mapping[str, Value] = field(default_factory=dict)
    git_diff: str | None = None
    summary: Mapping[str, Value] = field(default_factory=dict)
    status: str = ""
    duration_secs: float | None = None
    last_step: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    key: str
    values: list[Value]
    state: State


@dataclass(frozen=True, slots=True)
class Section:
    name: str
    rows: list[Row]


def facts_of(store: RunStore, run: Record) -> RunFacts:
    return RunFacts(
        run.name,
        run.record,
        run.params,
        read_git_diff(run.path, run.record),
        run.summary,
        status=run.status(time.time()),
        duration_secs=run.duration,
        last_step=last_steps(store, [run])[0],
    )


def sections_of(runs: Sequence[RunFacts]) -> list[Section]:
    """The fields that any run has."""
    makers: dict[str, Callable[[RunFacts], Mapping[str, Value]]] = {
        "config": lambda run: run.params,
        "command": lambda run: command_of(run.record) if run.record else {},
        "code": code_of,
        "packages": lambda run: packages_of(run.record) if run.record else {},
        "environment": lambda run: run.record.environment if run.record else {},
        "hardware": lambda run: hardware_of(run.record) if run.record else {},
        "summary": lambda run: run.summary,
        "run": circumstances_of,
    }
    sections = [
        Section(name, rows_of([facts(run) for run in runs], is_sorted=name in SORTED)) for name, facts in makers.items()
    ]
    return [section for section in sections if section.rows]


def rows_of(columns: Sequence[Mapping[str, Value]], *, is_sorted: bool = False) -> list[Row]:
    rows = []
    keys = list(dict.fromkeys(key for column in columns for key in column))
    for key in sorted(keys) if is_sorted else keys:
        values = [column.get(key) for column in columns]
        if any(value is not None for value in values):
            rows.append(Row(key, values, state_of(values)))
    return rows


def state_of(values: Sequence[Value]) -> State:
    first, *others = values
    if all(is_same(first, other) for other in others):
        return "same"
    if first is None:
        return "added"
    return "removed" if any(other is None for other in others) else "changed"


def is_same(one: Value, other: Value) -> bool:
    """True is not 1 in a configuration, but 1 is 1.0, and NaN is NaN."""
    if isinstance(one, bool) != isinstance(other, bool):
        return False
    return one == other or (one != one and other != other)


def command_of(record: RunRecord) -> dict[str, Value]:
    """The line as typed, and its options one by one."""
    if not record.command:
        return {"folder": record.working_dir or None}
    return {"command": shlex.join(record.command), "folder": record.working_dir or None, **options_of(record.command)}


def options_of(command: Sequence[str]) -> dict[str, Value]:
    """`--name value`, `--name=value`, a lone `--name`, and `name=value` as Hydra has it; a repeated one is joined."""
    found: dict[str, list[str]] = {}
    words = list(command[1:])
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        if equals and name and not name.startswith("=") and " " not in name:
            found.setdefault(name, []).append(value)
        elif word.startswith("-") and not is_number(word):
            following = words[at + 1] if at + 1 < len(words) else ""
            is_value = following and "=" not in following and (following[:1] != "-" or is_number(following))
            found.setdefault(word, []).append(following if is_value else "true")
    return {name: ", ".join(values) for name, values in found.items()}


def code_of(run: RunFacts) -> dict[str, Value]:
    git = run.record.git if run.record else None
    if git is None:
        return {}
    changes = changes_in(run.git_diff) if run.git_diff is not None else "none" if not git.dirty else None
    return {
        "commit": git.commit or None,
        "branch": git.branch or None,
        "remote": git.remote or None,
        "uncommitted changes": changes,
    }


def changes_in(diff: str) -> str:
    """As git's short statistics have it, and a mark that tells two such diffs apart."""
    lines = diff.splitlines()
    files = sum(line.startswith("diff --git ") for line in lines)
    added = sum(line.startswith("+") and not line.startswith("+++ ") for line in lines)
    removed = sum(line.startswith("-") and not line.startswith("--- ") for line in lines)
    mark = hashlib.blake2b(diff.encode(errors="replace"), digest_size=4).hexdigest()
    return f"{files} file{'' if files == 1 else 's'}, +{added} −{removed} ({mark})"


def packages_of(record: RunRecord) -> dict[str, Value]:
    python = {"python": record.python.version} if record.python.version else {}
    return {**python, **record.packages}


def hardware_of(record: RunRecord) -> dict[str, Value]:
    host = record.host
    names = [gpu.name for gpu in record.gpus]
    gpus = ", ".join(f"{names.count(name)} × {name}" for name in dict.fromkeys(names))
    drivers = ", ".join(dict.fromkeys(gpu.driver for gpu in record.gpus if gpu.driver))
    return {
        "host": host.name or None,
        "system": host.os or None,
        "processor": host.cpu or None,
        "cores": host.cpu_count or None,
        "memory": gigabytes(host.memory_bytes),
        "gpus": gpus or None,
        "gpu memory": gigabytes(max((gpu.memory_bytes for gpu in record.gpus), default=0)),
        "gpu driver": drivers or None,
    }


def gigabytes(size: int) -> str | None:
    return f"{size / GIB:.1f} GB" if size else None


def circumstances_of(run: RunFacts) -> dict[str, Value]:
    """How the run went. Status, step and duration are those of the table of runs."""
    record = run.record
    facts: dict[str, Value] = {
        "status": run.status or None,
        "last step": run.last_step,
        "seconds": round(run.duration_secs, 1) if run.duration_secs is not None else None,
    }
    if record is None:
        return facts
    return {
        **facts,
        "group": record.group or None,
        "job type": record.job_type or None,
        "tags": ", ".join(record.tags) or None,
        "notes": record.notes or None,
        "sessions": len(record.sessions) or None,
        "error": f"{record.error.type}: {record.error.message}" if record.error else None,
    }


def read_git_diff(folder: Path, record: RunRecord | None) -> str | None:
    """The changes that were not committed, as run.json names their file; None without one."""
    if record is None or record.git is None or not record.git.diff_file:
        return None
    try:
        with open_inside(folder, record.git.diff_file) as file:
            return file.read(MAX_DIFF_BYTES).decode(errors="replace")
    except (OutsideError, GoneError):
        return None


def changed_only(sections: Iterable[Section]) -> list[Section]:
    """For those who print: what is the same says nothing."""
    found = [Section(part.name, [row for row in part.rows if row.state != "same"]) for part in sections]
    return [section for section in found if section.rows]
