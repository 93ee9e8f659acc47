"""A file of stripes, one after another, only ever appended to. The catalogue says which of its bytes count."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress

from seamark._core import Stripe
from seamark.store.index.mapping import map_file

_BINARY = getattr(os, "O_BINARY", 0)
# Up to here it is read: a map takes whole pages, more calls, and one of the maps that the kernel allows.
SMALL_BYTES = 16 << 10


class ChunkFile:
    """`length` is where the next stripe goes; bytes beyond it are what a crash left and are overwritten.

    The owner is the process that holds the index's lock; others only map what the catalogue names. There are thousands
    of these, so they use strings and bare calls: a Path and a file object take four times as long.
    """

    __slots__ = ("_folder", "_map", "is_trusted", "length", "name")

    def __init__(self, folder: str, name: str, *, length: int = 0, is_trusted: bool = True) -> None:
        self._folder = folder
        self.name = name
        self.length = length
        self.is_trusted = is_trusted  # written since this machine started, so it cannot have lost anything
        self._map: memoryview | None = None

    @property
    def path(self) -> str:
        return os.path.join(self._folder, self.name)  # noqa: PTH118

    def append(self, stripes: Sequence[memoryview]) -> list[int]:
        """Writes the stripes and returns their offsets."""
        offsets = []
        end = self.length
        fd = os.open(self.path, os.O_RDWR | _BINARY | (0 if end else os.O_CREAT | os.O_TRUNC), 0o644)
        try:
            if end:
                os.ftruncate(fd, end)
                os.lseek(fd, end, os.SEEK_SET)
            for stripe in stripes:
                offsets.append(end)
                end += _write_all(fd, stripe)
        finally:
            os.close(fd)
        self.length = end
        return offsets

    def open_stripe(self, offset: int, size: int) -> Stripe:
        """OSError or ValueError when the bytes are not there or are not what was written."""
        return Stripe(self.read(offset, size), verify=not self.is_trusted)

    def read(self, offset: int, size: int) -> memoryview:
        """A view of the file, not a copy."""
        if self._map is None or len(self._map) < offset + size:
            self._map = self._mapped()
        data = self._map[offset : offset + size]
        if len(data) < size:
            raise ValueError(f"the chunk file is cut short: got {len(self._map)} bytes, want {offset + size}")
        return data

    def unlink(self) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self.path)  # noqa: PTH108

    def _mapped(self) -> memoryview:
        fd = os.open(self.path, os.O_RDONLY | _BINARY)
        try:
            if self.length <= SMALL_BYTES:
                return memoryview(_read_all(fd, self.length))
            # Never map beyond the end: touching such a page kills the process.
            length = min(self.length, os.fstat(fd).st_size)
            if length == 0:
                raise ValueError("the chunk file is empty")
            try:
                return map_file(fd, length)
            except OSError:
                # The kernel allows only so many maps (vm.max_map_count): this one goes into memory.
                return memoryview(_read_all(fd, length))
        finally:
            os.close(fd)


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
