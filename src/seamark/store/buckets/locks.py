"""Locks of a copy, which several programs may use at once: a server, and `seamark.open` in a notebook."""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from seamark.store.buckets.manifest import FILE_NAME

POLL_SECS = 0.1


class CopyLocks:
    """One program at a time changes the copy. While one reads, none gives content back to the disk."""

    def __init__(self, folder: Path) -> None:
        self._changing = folder / f"{FILE_NAME}.changing"
        self._reading = folder / f"{FILE_NAME}.reading"

    @contextmanager
    def changing(self, stop: threading.Event) -> Iterator[bool]:
        """Waits for the lock; False if it was told to stop before. Raises OSError."""
        with _opened(self._changing) as descriptor:
            while not _try_lock(descriptor, fcntl.LOCK_EX):
                if stop.wait(POLL_SECS):
                    yield False
                    return
            yield True

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Raises OSError."""
        with _opened(self._reading) as descriptor:
            fcntl.flock(descriptor, fcntl.LOCK_SH)
            yield

    @contextmanager
    def no_readers(self) -> Iterator[bool]:
        """Whether nobody reads; while it lasts, others wait to. Raises OSError."""
        with _opened(self._reading) as descriptor:
            yield _try_lock(descriptor, fcntl.LOCK_EX)


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """A descriptor of its own for each user: locks belong to it, also between threads of one program."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int, operation: int) -> bool:
    try:
        fcntl.flock(descriptor, operation | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
