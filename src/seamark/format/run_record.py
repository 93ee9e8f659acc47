"""The schema of run.json, the record of a run, for writers and readers; see docs/run-json.md.

Reading is tolerant: a missing or malformed field gets its default, an unknown field is kept. So files of older and
newer versions can be read, and resuming a run keeps the fields of a newer version.
"""

from __future__ import annotations

import dataclasses
import json
import math
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from seamark.format import json_text
from seamark.format.numbers import json_safe
from seamark.format.surrogates import replace_surrogates

FILE_NAME = "run.json"
SCHEMA = "seamark.run"
VERSION = 1
RUNNING, FINISHED, CRASHED, KILLED = "running", "finished", "crashed", "killed"
# For trials of a study, whose process continues: stopped by a pruner, and without a usable result.
PRUNED, FAILED = "pruned", "failed"
STATUSES = frozenset({RUNNING, FINISHED, CRASHED, KILLED, PRUNED, FAILED})
# A run with one of these is never the best one.
WITHOUT_RESULT = frozenset({CRASHED, PRUNED, FAILED})
MAX_INT = (1 << 63) - 1


class RunRecordError(ValueError):
    """The text is not a run.json; the message is a sentence."""


@dataclass(slots=True)
class Writer:
    """The process that writes the file. A process that finds another `session`, which is random, has lost the run."""

    session: str = ""
    host: str = ""
    pid: int = 0
    machine: str = ""  # boot id and pid namespace: a reader with the same ones can compare pids
    process_start: str = ""  # distinguishes the process from a later one with the same pid


@dataclass(slots=True)
class Failure:
    type: str = ""
    message: str = ""
    traceback: str = ""


@dataclass(slots=True)
class Session:
    """A process that wrote the run; a resumed run has several."""

    started_at: float = 0.0
    ended_at: float | None = None
    status: str = RUNNING
    from_step: int = 0
    host: str = ""
    pid: int = 0
    command: tuple[str, ...] = ()
    git_commit: str = ""


@dataclass(slots=True)
class Alert:
    at: float = 0.0
    title: str = ""
    text: str = ""
    level: str = "info"
    step: int | None = None


@dataclass(slots=True)
class Metric:
    """The arguments of define_metric; `name` may contain `*`."""

    name: str = ""
    step_metric: str = ""
    summary: str = "last"
    goal: str = ""
    hidden: bool = False


@dataclass(slots=True)
class Objective:
    """The objective of a study. `metric` is a tag of the run, `goal` is "minimize" or "maximize"."""

    metric: str = ""
    goal: str = ""


@dataclass(slots=True)
class Git:
    commit: str = ""
    branch: str = ""
    remote: str = ""
    dirty: bool = False
    diff_file: str = ""
    diff_bytes: int = 0
    diff_truncated: bool = False


@dataclass(slots=True)
class Python:
    version: str = ""
    implementation: str = ""
    executable: str = ""


@dataclass(slots=True)
class Host:
    name: str = ""
    os: str = ""
    cpu: str = ""
    cpu_count: int = 0
    memory_bytes: int = 0


@dataclass(slots=True)
class Gpu:
    name: str = ""
    memory_bytes: int = 0
    driver: str = ""


@dataclass(slots=True)
class ArtifactUse:
    """A version of an artifact that the run logged (`output`) or used (`input`)."""

    name: str = ""
    version: int = 0
    type: str = ""
    digest: str = ""
    role: str = ""


@dataclass(slots=True)
class RunRecord:
    """Times are seconds since 1970, UTC."""

    id: str = ""
    name: str = ""
    project: str = ""
    group: str = ""
    job_type: str = ""
    tags: tuple[str, ...] = ()
    notes: str = ""
    status: str = RUNNING
    started_at: float = 0.0
    ended_at: float | None = None
    heartbeat_at: float = 0.0
    heartbeat_secs: float = 10.0
    exit_code: int | None = None
    signal: str = ""
    error: Failure | None = None
    last_step: int | None = None
    config: dict[str, Any] = field(default_factory=dict)
    summary: dict[str, Any] = field(default_factory=dict)
    summary_counts: dict[str, int] = field(default_factory=dict)  # the number of values in each mean
    metrics: tuple[Metric, ...] = ()
    objectives: tuple[Objective, ...] = ()  # several for a multi-objective study
    alerts: tuple[Alert, ...] = ()
    sessions: tuple[Session, ...] = ()
    writer: Writer = field(default_factory=Writer)
    command: tuple[str, ...] = ()
    working_dir: str = ""
    python: Python = field(default_factory=Python)
    packages: dict[str, str] = field(default_factory=dict)
    host: Host = field(default_factory=Host)
    gpus: tuple[Gpu, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    git: Git | None = None
    console_file: str = ""
    artifacts: tuple[ArtifactUse, ...] = ()
    version: int = VERSION
    unknown: dict[str, Any] = field(default_factory=dict)


def dumps(record: RunRecord) -> str:
    content: dict[str, Any] = {"schema": SCHEMA, "version": record.version}
    for name in _fields(RunRecord):
        if name not in ("version", "unknown"):
            content[name] = json_safe(getattr(record, name))
    for name, value in record.unknown.items():
        content.setdefault(name, value)
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    return replace_surrogates(text)


def loads(text: str | bytes) -> RunRecord:
    """Raises RunRecordError if the text is not a JSON object of this schema."""
    try:
        content = json_text.loads(text)
    except json_text.JsonError as error:
        raise RunRecordError(f"{FILE_NAME} {error}") from None
    if not isinstance(content, dict) or content.get("schema") != SCHEMA:
        raise RunRecordError(f'{FILE_NAME} has no "schema": "{SCHEMA}"; another program may have written it')
    record = _read(RunRecord, content)
    assert isinstance(record, RunRecord)
    known = _fields(RunRecord)
    record.unknown = {name: value for name, value in content.items() if name not in known and name != "schema"}
    if record.status not in STATUSES:
        record.status = RUNNING if record.ended_at is None else FINISHED
    return record


@cache
def _fields(record_type: type) -> Mapping[str, Any]:
    return typing.get_type_hints(record_type)


@cache
def _shape(hint: Any) -> tuple[bool, Any, Any, tuple[Any, ...]]:
    """Whether a type is a dataclass, its type without None, origin and arguments. Cached: it is called very often."""
    inner = None
    if isinstance(hint, types.UnionType):
        inner = next(option for option in hint.__args__ if option is not types.NoneType)
    return dataclasses.is_dataclass(hint), inner, typing.get_origin(hint), typing.get_args(hint)


class _MalformedError(Exception):
    pass


def _read(hint: Any, value: Any) -> Any:
    """Converts a value to the annotated type, or raises _MalformedError."""
    if hint is Any:
        return value
    if type(value) is hint:
        return _within_limits(value)
    is_dataclass, inner, origin, arguments = _shape(hint)
    if is_dataclass:
        return _read_dataclass(hint, value)
    if inner is not None:
        return None if value is None else _read(inner, value)
    if origin is tuple and isinstance(value, list):
        return tuple(_valid_items(arguments[0], value))
    if origin is dict and isinstance(value, dict):
        if arguments[1] is Any:  # fast path: configurations have hundreds of names, in thousands of runs
            return value
        return dict(zip(value, (_read(arguments[1], item) for item in value.values()), strict=True))
    if hint is float and isinstance(value, int | float) and not isinstance(value, bool):
        return _within_limits(float(value))
    if hint is int and isinstance(value, float) and value.is_integer():
        return _within_limits(int(value))
    raise _MalformedError


def _within_limits(value: Any) -> Any:
    """Rejects integers beyond 64 bits and non-finite times, so that callers can calculate with them."""
    if type(value) is int and not -MAX_INT <= value <= MAX_INT:
        raise _MalformedError
    if type(value) is float and not math.isfinite(value):
        raise _MalformedError
    return value


def _read_dataclass(hint: Any, value: Any) -> Any:
    if not isinstance(value, dict):
        raise _MalformedError
    known = {}
    fields = _fields(hint)
    for name, item in value.items():
        if name in fields and name != "unknown":
            try:
                known[name] = _read(fields[name], item)
            except (_MalformedError, OverflowError):
                continue  # keep the default
    return hint(**known)


def _valid_items(hint: Any, values: list[Any]) -> typing.Iterator[Any]:
    for value in values:
        try:
            yield _read(hint, value)
        except (_MalformedError, OverflowError):
            continue
