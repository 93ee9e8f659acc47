"""A lock on a folder, held while a process chooses its run below it."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

TIMEOUT_SECS = 10.0
POLL_SECS = 0.01


@contextmanager
def locked(folder: Path, *, timeout_secs: float = TIMEOUT_SECS) -> Iterator[None]:
    """Continues without the lock if the file system has none, and after the timeout: the training must start.

    The operating system releases the lock of a process that was killed.
    """
    descriptor = -1
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        if descriptor >= 0:
            _acquire(descriptor, timeout_secs)
        yield
    finally:
        if descriptor >= 0:
            with suppress(OSError):
                fcntl.flock(descriptor, fcntl.LOCK_UN)  # a forked child may hold a copy of the descriptor
            os.close(descriptor)


def _acquire(descriptor: int, timeout_secs: float) -> None:
    deadline = time.monotonic() + timeout_secs
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return
            time.sleep(POLL_SECS)
        except OSError:  # no locks here
            return
