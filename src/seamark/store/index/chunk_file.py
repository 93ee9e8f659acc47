"""A file of stripes, one after another, only ever appended to. The catalogue says which of its bytes count."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from contextlib import suppress

from seamark._core import FileMap, Stripe

_BINARY = getattr(os, "O_BINARY", 0)
# Up to here it is read: a map takes whole pages, more calls, and one of the maps that the kernel allows.
SMALL_BYTES = 16 << 10

SeenAs = tuple[int, int, int]  # inode, size, time of the last change in nanoseconds
APPENDING: SeenAs = (-1, -1, -1)
_SEEN = threading.Lock()  # one for all: it is held for the time of a stat


class ChunkFile:
    """`length` is where the next stripe goes; bytes beyond it are what a crash left and are overwritten.

    The owner is the process that holds the index's lock; others only map what the catalogue names. There are thousands
    of these, so they use strings and bare calls: a Path and a file object take four times as long.
    """

    __slots__ = ("_bytes", "_folder", "_map", "length", "name", "seen_as")

    def __init__(self, folder: str, name: str, *, length: int = 0) -> None:
        self._folder = folder
        self.name = name
        self.length = length
        self.seen_as: SeenAs | None = (
            None  # when it was written or opened here: any other means that somebody changed it
        )
        self._bytes: memoryview | None = None
        self._map: FileMap | None = None

    @property
    def path(self) -> str:
        return os.path.join(self._folder, self.name)  # noqa: PTH118

    def append(self, stripes: Sequence[memoryview]) -> list[int]:
        """Writes the stripes and returns their offsets."""
        offsets = []
        end = self.length
        with _SEEN:
            self.seen_as = APPENDING
        fd = os.open(self.path, os.O_RDWR | _BINARY | (0 if end else os.O_CREAT | os.O_TRUNC), 0o644)
        try:
            if end:
                os.ftruncate(fd, end)
                os.lseek(fd, end, os.SEEK_SET)
            for stripe in stripes:
                offsets.append(end)
                end += _write_all(fd, stripe)
            with _SEEN:
                self.seen_as = seen_as(os.fstat(fd))
        finally:
            os.close(fd)
        self.length = end
        return offsets

    def open_stripe(self, offset: int, size: int) -> Stripe:
        """OSError or ValueError when the bytes are not there or are not what was written.

        The checksum is compared whenever a process opens a stripe, not before: a start does not wait for it.
        """
        return Stripe(self.read(offset, size), verify=True)

    def read(self, offset: int, size: int) -> memoryview:
        """A view of the file, not a copy."""
        if self._bytes is None or len(self._bytes) < offset + size:
            self._bytes = self._opened()
        data = self._bytes[offset : offset + size]
        if len(data) < size:
            raise ValueError(f"the chunk file is cut short: got {len(self._bytes)} bytes, want {offset + size}")
        return data

    @property
    def is_lost(self) -> bool:
        """Whether it was cut short while it was in use: then what was read from it may be zeros."""
        return self._map is not None and self._map.is_lost

    def unlink(self) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self.path)  # noqa: PTH108

    def _opened(self) -> memoryview:
        fd = os.open(self.path, os.O_RDONLY | _BINARY)
        try:
            size = self._check_unchanged(fd)
            if self.length <= SMALL_BYTES:
                return memoryview(_read_all(fd, self.length))
            length = min(self.length, size)
            if length == 0:
                raise ValueError("the chunk file is empty")
            try:
                self._map = FileMap(fd, length)
                return self._map.memory()
            except OSError:
                # The kernel allows only so many maps (vm.max_map_count): this one goes into memory.
                return memoryview(_read_all(fd, length))
        finally:
            os.close(fd)

    def _check_unchanged(self, fd: int) -> int:
        """The size of the file, if it is still the one that was seen before."""
        with _SEEN:
            now = seen_as(os.fstat(fd))
            if self.seen_as is None:
                self.seen_as = now
            elif self.seen_as not in (now, APPENDING):
                raise ValueError("the chunk file was changed by another program")
            return now[1]


def seen_as(status: os.stat_result) -> SeenAs:
    return status.st_ino, status.st_size, status.st_mtime_ns


def _read_all(fd: int, length: int) -> bytes:
    pieces = []
    while length > 0 and (piece := os.read(fd, length)):
        pieces.append(piece)
        length -= len(piece)
    return b"".join(pieces)


def _write_all(fd: int, stripe: memoryview) -> int:
    data = memoryview(stripe).cast("B")
    written = 0
    while written < len(data):
        written += os.write(fd, data[written:])
    return written
