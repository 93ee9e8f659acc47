"""One event file: made in a run's folder, appended to, closed. Bytes go in framed, as the core makes them."""

from __future__ import annotations

import itertools
import os
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from seamark import _core

# Two files made in the same second by one process must not share a name.
_numbers = itertools.count()
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class EventFile:
    """Exists on disk once it is made, with its file-version record, so that a viewer sees the run at once.

    Nothing is buffered here: what append() was given is with the operating system when it returns, and outlives a kill.
    On a full disk the file is made without that record, which then goes first, like all that could not be written.
    """

    def __init__(
        self, folder: str | os.PathLike[str], *, wall_time: float | None = None, suffix: str = "", writer: str = ""
    ) -> None:
        now = time.time() if wall_time is None else wall_time
        directory = Path(folder)
        directory.mkdir(parents=True, exist_ok=True)
        self._unwritten = b""  # begins with a whole record
        self._offset = 0  # bytes of it that are written
        self._handle = -1
        while self._handle < 0:
            self.path = directory / (file_name(now) + suffix)
            # Nobody else writes to a file that was not there before, whoever shares the folder.
            with suppress(FileExistsError):  # the next name has another number
                self._handle = os.open(self.path, _FLAGS, 0o666)
        self._header = _core.encode_file_version(now, writer.encode())
        with suppress(OSError):
            self.append(self._header)

    def append(self, records: bytes) -> None:
        """Writes whole framed records. On OSError, what of them was not written is kept and goes first next time."""
        self._unwritten += records
        self.flush()

    def flush(self) -> None:
        """Writes what an earlier append() could not."""
        if self._handle < 0:
            raise ValueError(f"the event file is closed: '{self.path}'")
        with memoryview(self._unwritten) as view:
            while self._offset < len(view):
                self._offset += os.write(self._handle, view[self._offset :])
        self._unwritten, self._offset = b"", 0

    def take_unwritten(self) -> list[bytes]:
        """The records that are not whole in the file, for another file to hold; that file has its own first record."""
        unwritten, written = self._unwritten, self._offset
        self._unwritten, self._offset = b"", 0
        records = [unwritten[at:end] for at, end in record_ranges(unwritten) if end > written]
        return [record for record in records if record != self._header]

    @property
    def has_unwritten(self) -> bool:
        return bool(self._unwritten)

    def is_removed(self) -> bool:
        """True when no folder lists the file any more: it was removed, or its folder was."""
        return os.fstat(self._handle).st_nlink == 0

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
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def record_ranges(records: bytes) -> Iterator[tuple[int, int]]:
    """Where each of some whole framed records begins and ends."""
    at = 0
    while at < len(records):
        end = at + 16 + int.from_bytes(records[at : at + 8], "little")
        yield at, end
        at = end


def file_name(wall_time: float) -> str:
    # Ten digits: a run's files are read in the order of their names, which is then the order of their times.
    return f"events.out.tfevents.{int(wall_time):010d}.{socket.gethostname()}.{os.getpid()}.{next(_numbers)}"
