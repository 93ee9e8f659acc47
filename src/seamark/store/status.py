"""What a person is told while files are read: how far it is, and what is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from seamark.format.types import RunName


class Severity(StrEnum):
    """How bad a problem is for the person who looks at the page."""

    ERROR = "error"  # data is missing from what is shown
    WARNING = "warning"  # everything is shown, something else does not work as it should


@dataclass(frozen=True, slots=True)
class Problem:
    """Something the user should know about; `message` is a whole sentence and stands on its own."""

    severity: Severity
    message: str
    path: str
    run: RunName | None = None
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the first load has come. `loading` turns False once and stays so."""

    bytes_done: int
    bytes_total: int
    files_done: int
    files_total: int
    loading: bool
