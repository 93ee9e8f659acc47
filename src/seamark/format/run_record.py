"""run.json: what a run remembers about itself. The one schema that writers and readers share; see docs/run-json.md.

Reading is tolerant: a missing or malformed field takes its default, an unknown one is kept, so that files of older and
newer versions can be read, and a resumed run loses nothing that a newer version wrote.
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

FILE_NAME = "run.json"
SCHEMA = "seamark.run"
VERSION = 1
RUNNING, FINISHED, CRASHED, KILLED = "running", "finished", "crashed", "killed"
# Of a trial of a study, whose process goes on: stopped early by a pruner, and without a usable result.
PRUNED, FAILED = "pruned", "failed"
STATUSES = frozenset({RUNNING, FINISHED, CRASHED, KILLED, PRUNED, FAILED})
# A run with one of these never is the best one, whatever it has measured.
WITHOUT_RESULT = frozenset({CRASHED, PRUNED, FAILED})
# System metrics have seconds since the start as their steps, so they do not count as progress.
SYSTEM_PREFIX = "system/"
MAX_INT = (1 << 63) - 1


class RunRecordError(ValueError):
    """This is no run.json; the message is one sentence."""


@dataclass(slots=True)
class Writer:
    """The process that writes the file. `session` is random: who finds another one in the file has lost the run."""

    session: str = ""
    host: str = ""
    pid: int = 0
    machine: str = ""  # boot id and pid namespace: where this equals a reader's own, pids can be compared
    process_start: str = ""  # tells the process from a later one with the same pid


@dataclass(slots=True)
class Failure:
    type: str = ""
    message: str = ""
    traceback: str = ""


@dataclass(slots=True)
class Session:
    """One process's share of the run; a resumed run has several."""

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
    """What define_metric said; `name` may end in or contain `*`."""

    name: str = ""
    step_metric: str = ""
    summary: str = "last"
    goal: str = ""
    hidden: bool = False


@dataclass(slots=True)
class Objective:
    """What a study tunes for. `metric` is a tag of the run, `goal` is "minimize" or "maximize"."""

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
    summary_counts: dict[str, int] = field(default_factory=dict)  # how many values made each mean
    metrics: tuple[Metric, ...] = ()
    objectives: tuple[Objective, ...] = ()  # one of a study with one objective, several of one with several
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
            content[name] = plain(getattr(record, name))
    for name, value in record.unknown.items():
        content.setdefault(name, value)
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    # Lone surrogates come with file names and arguments that are no UTF-8.
    return text.encode(errors="replace").decode()


def loads(text: str | bytes) -> RunRecord:
    """RunRecordError when the text is no JSON object, or one of somebody else."""
    try:
        content = json_text.loads(text)
    except json_text.JsonError as error:
        raise RunRecordError(f"{FILE_NAME} {error}") from None
    if not isinstance(content, dict) or content.get("schema") != SCHEMA:
        raise RunRecordError(f'{FILE_NAME} does not say "schema": "{SCHEMA}"; another program may have written it')
    record = _read(RunRecord, content)
    assert isinstance(record, RunRecord)
    known = _fields(RunRecord)
    record.unknown = {name: value for name, value in content.items() if name not in known and name != "schema"}
    if record.status not in STATUSES:
        record.status = RUNNING if record.ended_at is None else FINISHED
    return record


def plain(value: Any) -> Any:
    """As JSON has it: NaN and infinities are strings, as everywhere else in Seamark."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: plain(getattr(value, name)) for name in _fields(type(value))}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


@cache
def _fields(kind: type) -> Mapping[str, Any]:
    return typing.get_type_hints(kind)


@cache
def _shape(kind: Any) -> tuple[bool, Any, Any, tuple[Any, ...]]:
    """Whether it is a dataclass; what it is besides None; its origin and arguments: asked for thousands of times."""
    inner = None
    if isinstance(kind, types.UnionType):
        inner = next(option for option in kind.__args__ if option is not types.NoneType)
    return dataclasses.is_dataclass(kind), inner, typing.get_origin(kind), typing.get_args(kind)


class _MalformedError(Exception):
    pass


def _read(kind: Any, value: Any) -> Any:
    """The value as the annotation wants it, or _MalformedError."""
    if kind is Any:
        return value
    if type(value) is kind:
        return _within_limits(value)
    is_dataclass, inner, origin, arguments = _shape(kind)
    if is_dataclass:
        return _read_dataclass(kind, value)
    if inner is not None:
        return None if value is None else _read(inner, value)
    if origin is tuple and isinstance(value, list):
        return tuple(_whole(arguments[0], value))
    if origin is dict and isinstance(value, dict):
        if arguments[1] is Any:  # a configuration of hundreds of names, of thousands of runs
            return dict(value)
        return dict(zip(value, (_read(arguments[1], item) for item in value.values()), strict=True))
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        return _within_limits(float(value))
    if kind is int and isinstance(value, float) and value.is_integer():
        return _within_limits(int(value))
    raise _MalformedError


def _within_limits(value: Any) -> Any:
    """Steps and pids are 64-bit integers, times are finite: who calculates with them may rely on it."""
    if type(value) is int and not -MAX_INT <= value <= MAX_INT:
        raise _MalformedError
    if type(value) is float and not math.isfinite(value):
        raise _MalformedError
    return value


def _read_dataclass(kind: Any, value: Any) -> Any:
    if not isinstance(value, dict):
        raise _MalformedError
    known = {}
    for name, hint in _fields(kind).items():
        if name in value and name != "unknown":
            try:
                known[name] = _read(hint, value[name])
            except (_MalformedError, OverflowError):
                continue  # the default stands in
    return kind(**known)


def _whole(kind: Any, values: list[Any]) -> typing.Iterator[Any]:
    for value in values:
        try:
            yield _read(kind, value)
        except (_MalformedError, OverflowError):
            continue
