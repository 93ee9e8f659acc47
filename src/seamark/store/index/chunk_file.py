"""An append-only file of stripes. The catalogue lists which of its bytes are valid."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from contextlib import suppress

from seamark._core import FileMap, Stripe

# Smaller files are read into memory: a map takes whole pages, more calls, and one of the process's limited maps.
SMALL_BYTES = 16 << 10

SeenAs = tuple[int, int, int]  # inode, size, modification time in nanoseconds
APPENDING: SeenAs = (-1, -1, -1)
_SEEN = threading.Lock()  # shared by all chunk files: it is held only for a stat


class ChunkFile:
    """`length` is the offset of the next stripe; bytes beyond it are the remains of a crash and are overwritten.

    The committer thread of the process that holds the index's lock appends; any thread and process may read. There are
    thousands of them, so they use strings and os calls: a Path and a file object take four times as long.
    """

    __slots__ = ("_bytes", "_folder", "_map", "length", "name", "seen_as")

    def __init__(self, folder: str, name: str, *, length: int = 0) -> None:
        self._folder = folder
        self.name = name
        self.length = length
        # When this process wrote or opened it; any other value means that another program changed it.
        self.seen_as: SeenAs | None = None
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
        fd = os.open(self.path, os.O_RDWR | (0 if end else os.O_CREAT | os.O_TRUNC), 0o644)
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
        """Raises OSError or ValueError if the bytes are missing or damaged.

        The checksum is verified here and not when the index opens, which would slow down the start.
        """
        return Stripe(self.read(offset, size), verify=True)

    def read(self, offset: int, size: int) -> memoryview:
        """Returns a view of the file, not a copy."""
        if self._bytes is None or len(self._bytes) < offset + size:
            self._bytes = self._opened()
        data = self._bytes[offset : offset + size]
        if len(data) < size:
            raise ValueError(f"the chunk file is truncated: got {len(self._bytes)} bytes, want {offset + size}")
        return data

    @property
    def is_truncated(self) -> bool:
        """Whether it was truncated while it was mapped: data read from it may be zeros."""
        return self._map is not None and self._map.is_truncated

    def unlink(self) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self.path)  # noqa: PTH108

    def _opened(self) -> memoryview:
        fd = os.open(self.path, os.O_RDONLY)
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
                # The kernel limits the number of maps (vm.max_map_count): read this file into memory.
                return memoryview(_read_all(fd, length))
        finally:
            os.close(fd)

    def _check_unchanged(self, fd: int) -> int:
        """Returns the file's size. Raises ValueError if another program changed the file."""
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
