"""The ending of a run: its status, exit code, signal and exception."""

from __future__ import annotations

import shlex
import tempfile
import traceback
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

from seamark.format.run_record import FINISHED, Failure, RunRecord
from seamark.format.surrogates import replace_surrogates
from seamark.write.run.secrets import redact

MAX_TRACEBACK_CHARACTERS = 50_000
MAX_MESSAGE_CHARACTERS = 2000
MAX_VALUES_AT_END = 4


@dataclass(frozen=True)
class Ending:
    status: str = FINISHED
    exit_code: int | None = None
    signal: str = ""
    error: Failure | None = None


def describe(error: BaseException, trace: TracebackType | None) -> Failure:
    """The exception's type, message and traceback, without secrets: messages quote addresses and settings."""
    try:
        lines = "".join(traceback.format_exception(type(error), error, trace or error.__traceback__))
        message = str(error)
    except Exception as failure:  # a __str__ that raises
        lines, message = f"{type(error).__name__}: <{type(failure).__name__} in its __str__>", ""
    half = MAX_TRACEBACK_CHARACTERS // 2
    if len(lines) > MAX_TRACEBACK_CHARACTERS:
        lines = f"{lines[:half]}\n[…]\n{lines[-half:]}"
    texts = (message[:MAX_MESSAGE_CHARACTERS], lines)
    clean = [redact.text(replace_surrogates(text)) for text in texts]
    return Failure(type(error).__qualname__, clean[0], clean[1])


def exit_code_of(status: Any) -> int:
    """The process's exit code for sys.exit(status)."""
    return 0 if status is None else status if isinstance(status, int) else 1


def end_summary(record: RunRecord, logdir: Path | str, page: str = "") -> str:
    """What a run ended with, and how to look at it: metrics that have a goal come first."""
    with_goal = [metric.name for metric in record.metrics if metric.goal]
    numbers = {tag: value for tag, value in record.summary.items() if isinstance(value, int | float)}
    tags = sorted(numbers, key=lambda tag: with_goal.index(tag) if tag in with_goal else len(with_goal))
    values = ", ".join(f"{tag} {numbers[tag]:.4g}" for tag in tags[:MAX_VALUES_AT_END])
    more = f" and {len(tags) - MAX_VALUES_AT_END} more" if len(tags) > MAX_VALUES_AT_END else ""
    duration_secs = max(0.0, (record.ended_at or record.started_at) - record.started_at)
    if isinstance(logdir, Path) and logdir.is_relative_to(Path.cwd()):
        logdir = logdir.relative_to(Path.cwd())
    look = f": {page}" if page else f" with: seamark --logdir {shlex.quote(str(logdir))}"
    return (
        f"run '{record.name}' {record.status} after {duration_secs:.0f} s{': ' if values else ''}{values}{more}; "
        f"look at it{look}"
    )


@cache
def temporary_folder() -> Path:
    """The folder of disabled runs."""
    return Path(tempfile.mkdtemp(prefix="seamark-disabled-"))
