"""How a run ended, in words: the status, and the exception behind it."""

from __future__ import annotations

import tempfile
import traceback
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

from seamark.format.run_record import FINISHED, Failure
from seamark.write.run import redact

MAX_TRACEBACK_CHARACTERS = 50_000


@dataclass(frozen=True)
class Ending:
    status: str = FINISHED
    exit_code: int | None = None
    signal: str = ""
    error: Failure | None = None


def described(error: BaseException, trace: TracebackType | None) -> Failure:
    """Without secrets: messages quote addresses and settings."""
    try:
        lines = "".join(traceback.format_exception(type(error), error, trace or error.__traceback__))
        message = str(error)
    except Exception as failure:  # a __str__ that raises
        lines, message = f"{type(error).__name__}: <{type(failure).__name__} while describing it>", ""
    half = MAX_TRACEBACK_CHARACTERS // 2
    if len(lines) > MAX_TRACEBACK_CHARACTERS:
        lines = f"{lines[:half]}\n[…]\n{lines[-half:]}"
    clean = [redact.text(text.encode(errors="replace").decode()) for text in (message[:2000], lines)]
    return Failure(type(error).__qualname__, clean[0], clean[1])


def exit_code(status: Any) -> int:
    """As the interpreter understands what SystemExit carries."""
    return 0 if status is None else status if isinstance(status, int) else 1


@cache
def temporary_folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="seamark-disabled-"))
