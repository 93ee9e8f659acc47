"""The lock of an index: only the process that holds it writes to the index."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


class IndexLock:
    """Held from a successful `acquire` to `release`, or until the process ends in any way."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fd = -1

    def acquire(self) -> bool:
        """Returns False if another process holds it. Raises OSError if the file cannot be locked."""
        fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            os.close(fd)
            return False
        except OSError:
            os.close(fd)
            raise
        self._fd = fd
        return True

    def release(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
