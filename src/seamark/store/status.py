"""Progress and problems of reading, as the page and the commands show them."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from seamark.format.types import RunName


class Severity(StrEnum):
    """How a problem affects the user."""

    ERROR = "error"  # some data is not shown
    WARNING = "warning"  # all data is shown, something else does not work


class Problem(Struct, frozen=True):
    """A problem to show to the user; `message` is a complete sentence."""

    severity: Severity
    message: str
    path: str
    run: RunName | None = None
    offset: int | None = None


class Progress(Struct, frozen=True):
    """The progress of the first load. `loading` turns False once and stays False."""

    bytes_done: int
    bytes_total: int
    files_done: int
    files_total: int
    loading: bool
