"""Budget: what reading one file of a stranger may cost, counted while it is read, whatever its headers claim.

Whoever opens a file begins with `reading(path, error)`. The readers below say what they have unpacked, made and hold;
they need no budget in their parameters, and outside of `reading` nothing is counted.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

# A small file may have so much, and each byte of a file on the disk a little more.
FREE_BYTES = 160 << 20
HELD_BYTES_PER_BYTE = 8
MAX_HELD_BYTES = 4 << 30
# Bytes that are unpacked into a file, or looked at and dropped.
FREE_PASSING_BYTES = 512 << 20
PASSING_BYTES_PER_BYTE = 100
# Of one thread's processor time, so that a busy machine reads the same files.
FREE_SECS = 3.0
SECS_PER_BYTE = 0.5e-6
BLOCK_BYTES = 512  # of `st_blocks`
# Several such files at the same time would take several times what one may take.
LARGE_FILE_BYTES = 32 << 20
MAX_WAIT_SECS = 120.0


class BudgetError(Exception):
    """A file costs too much. Not a ValueError: readers take those for damage, and go on."""


class Budget:
    """Counts what one file costs. `file_bytes` are those on the disk: a sparse file has few."""

    def __init__(self, file_bytes: int) -> None:
        self.max_held_bytes = min(FREE_BYTES + HELD_BYTES_PER_BYTE * file_bytes, MAX_HELD_BYTES)
        self.max_passing_bytes = FREE_PASSING_BYTES + PASSING_BYTES_PER_BYTE * file_bytes
        self.max_secs = FREE_SECS + SECS_PER_BYTE * file_bytes
        self._file_bytes = file_bytes
        self._held_bytes = self._passing_bytes = 0
        self._started = time.thread_time()

    def hold(self, size: int) -> None:
        """Counts memory that stays until the file is read."""
        self._held_bytes += size
        self._check("MB of memory", self._held_bytes / 1e6, self.max_held_bytes / 1e6)
        self.check_time()

    def check_fits(self, size: int) -> None:
        """Before memory is taken that is given back soon."""
        self._check("MB of memory", (self._held_bytes + size) / 1e6, self.max_held_bytes / 1e6)

    def pass_through(self, size: int) -> None:
        """Counts bytes that were unpacked or looked at, and that nobody holds."""
        self._passing_bytes += size
        self._check("MB when unpacked", self._passing_bytes / 1e6, self.max_passing_bytes / 1e6)
        self.check_time()

    def check_time(self) -> None:
        self._check("seconds", time.thread_time() - self._started, self.max_secs)

    def _check(self, unit: str, got: float, limit: float) -> None:
        if got > limit:
            raise BudgetError(
                f"the file takes too much to read: got more than {limit:,.0f} {unit}, which is the limit for a file of "
                f"{self._file_bytes:,} bytes on the disk; save it without what is repeated, or in parts"
            )


_budget: ContextVar[Budget | None] = ContextVar("budget", default=None)
_large_file = threading.Lock()


@contextmanager
def reading(source: Path | bytes, error: type[Exception]) -> Iterator[Budget]:
    """Counts what is read in this block. A file that costs too much raises `error` with a sentence for people.

    Large files are read one at a time.
    """
    file_bytes = len(source) if isinstance(source, bytes) else bytes_on_disk(source)
    try:
        with _turn(file_bytes):
            budget = Budget(file_bytes)
            token = _budget.set(budget)
            try:
                yield budget
            finally:
                _budget.reset(token)
    except BudgetError as cause:
        raise error(str(cause)) from cause


@contextmanager
def _turn(file_bytes: int) -> Iterator[None]:
    if file_bytes < LARGE_FILE_BYTES or _budget.get() is not None:
        yield
        return
    if not _large_file.acquire(timeout=MAX_WAIT_SECS):
        raise BudgetError("other large files are being read: try again in a minute")
    try:
        yield
    finally:
        _large_file.release()


def hold(size: int) -> None:
    """Counts memory for the file that is being read."""
    budget = _budget.get()
    if budget is not None:
        budget.hold(size)


def pass_through(size: int) -> None:
    """Counts bytes of the file that is being read which nobody holds."""
    budget = _budget.get()
    if budget is not None:
        budget.pass_through(size)


def check_fits(size: int) -> None:
    """Before memory is taken for a part of the file that is being read, and given back."""
    budget = _budget.get()
    if budget is not None:
        budget.check_fits(size)


def check_time() -> None:
    budget = _budget.get()
    if budget is not None:
        budget.check_time()


def max_held_bytes(otherwise: int) -> int:
    """What the file that is being read may hold, for what cannot be counted while it goes on."""
    budget = _budget.get()
    return otherwise if budget is None else min(otherwise, budget.max_held_bytes)


def bytes_on_disk(path: Path) -> int:
    """Without the holes of a sparse file. Some file systems of the network do not say how many blocks a file has."""
    status = os.stat(path)  # noqa: PTH116
    blocks = getattr(status, "st_blocks", 0) * BLOCK_BYTES
    return min(status.st_size, blocks) if blocks else status.st_size
