"""One event file on disk: created, appended to, closed. The core frames the records."""

from __future__ import annotations

import errno
import itertools
import os
import socket
import time
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from types import TracebackType

from seamark import _core

# Errors that may pass, so events wait in memory. Other errors, such as a missing permission, are raised.
TRANSIENT_ERRNOS = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.ESTALE, errno.ETIMEDOUT, errno.EMFILE, errno.ENFILE}
)
# Keeps apart the names of files that a process creates in the same second.
_numbers = itertools.count()
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC


class EventFile:
    """Creates the file with its version record, so that viewers see the run at once.

    Nothing is buffered: after append() the operating system has the records, and they survive a kill. On a full disk
    the file is created without the version record, which is then written before all other records.
    """

    def __init__(
        self, folder: str | os.PathLike[str], *, wall_time: float | None = None, suffix: str = "", writer: str = ""
    ) -> None:
        now = time.time() if wall_time is None else wall_time
        directory = Path(folder)
        directory.mkdir(parents=True, exist_ok=True)
        self._unwritten = b""  # starts at the start of a record
        self._offset = 0  # bytes of it that are written
        self._handle = -1
        while self._handle < 0:
            self.path = directory / (file_name(now) + suffix)
            # Exclusive: no other process that shares the folder writes to this file.
            with suppress(FileExistsError):  # the next name has another number
                self._handle = os.open(self.path, _FLAGS, 0o666)
        self._header = _core.encode_file_version(now, writer.encode())
        with suppress(OSError):
            self.append(self._header)

    def append(self, records: bytes) -> None:
        """Writes framed records. After an OSError the unwritten ones are kept and written first next time."""
        self._unwritten += records
        self.flush()

    def flush(self) -> None:
        """Writes the records that an earlier append() could not write."""
        if self._handle < 0:
            raise ValueError(f"the event file is closed: '{self.path}'")
        with memoryview(self._unwritten) as view:
            while self._offset < len(view):
                self._offset += os.write(self._handle, view[self._offset :])
        self._unwritten, self._offset = b"", 0

    def take_unwritten(self) -> list[bytes]:
        """Removes and returns the records that are not completely in the file, without the version record."""
        unwritten, written = self._unwritten, self._offset
        self._unwritten, self._offset = b"", 0
        records = [unwritten[at:end] for at, end in pairwise([0, *_core.record_ends(unwritten)]) if end > written]
        return [record for record in records if record != self._header]

    @property
    def has_unwritten(self) -> bool:
        return bool(self._unwritten)

    def is_removed(self) -> bool:
        """True if the file, or its folder, was deleted, here or on another machine that shares the folder."""
        try:
            return os.fstat(self._handle).st_nlink == 0
        except OSError as error:
            if error.errno == errno.ESTALE:  # NFS: this handle never works again
                return True
            raise

    def add_scalar(self, tag: str, value: float, step: int, *, wall_time: float | None = None) -> None:
        self.append(_core.encode_scalar(tag.encode(), value, step, time.time() if wall_time is None else wall_time))

    def close(self) -> None:
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)

    def __del__(self) -> None:
        with suppress(Exception):
            self.close()

    def __enter__(self) -> EventFile:
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def file_name(wall_time: float) -> str:
    # Ten digits, so that files sorted by name are sorted by time: readers read them in that order.
    return f"events.out.tfevents.{int(wall_time):010d}.{socket.gethostname()}.{os.getpid()}.{next(_numbers)}"
