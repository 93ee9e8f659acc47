"""Journal: makes the entries of many requests durable with one fdatasync, before their files are on disk.

A journal is a folder of numbered files. Entries are added to the last one. When the files of the runs are on disk, the
journal files from before are deleted; after a crash they are replayed, in order.
"""

from __future__ import annotations

import logging
import os
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from seamark.team.ingest.entry import Entry

LOG = logging.getLogger(__name__)
HEADER = struct.Struct("<II")  # the length of a frame and its checksum
SUFFIX = ".journal"


class Journal:
    """A `Durable` for one process."""

    follow_secs: float | None = None

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._descriptor = -1
        self._number = max(self._numbers(), default=0)
        self._length = self._before = 0

    @property
    def length(self) -> int:
        """Of the file that entries are added to."""
        return self._length

    def replay(self) -> Iterator[list[Entry]]:
        """The entries of each `append` since the last `drop`. Ends at a frame that was cut short: nobody was told."""
        for number in self._numbers():
            data = self._path(number).read_bytes()
            start = 0
            while start + HEADER.size <= len(data):
                length, checksum = HEADER.unpack_from(data, start)
                frame = memoryview(data)[start + HEADER.size : start + HEADER.size + length]
                if len(frame) < length or zlib.crc32(frame) != checksum:
                    LOG.info("the journal ends inside a frame: '%s'", self._path(number))
                    break
                yield msgspec.msgpack.decode(frame, type=list[Entry])
                start += HEADER.size + length

    def follow(self) -> None:
        """There is no other process."""

    def exclusively(self, work: Callable[[], None]) -> None:
        work()

    def append(self, entries: Sequence[Entry]) -> None:
        """The entries are on disk when it returns. Raises OSError, and then has none of them."""
        if self._descriptor < 0:
            self._open_next()
        frame = msgspec.msgpack.encode(entries)
        self._before = self._length
        try:
            write_all(self._descriptor, HEADER.pack(len(frame), zlib.crc32(frame)) + frame, self._length)
            os.fdatasync(self._descriptor)
        except OSError:
            self.undo()
            raise
        self._length += HEADER.size + len(frame)

    def replace(self, project_id: str, run: str, file: str, content: Path) -> None:
        """The content itself is all that is needed."""

    def undo(self) -> None:
        """Removes what the last `append` added. Raises OSError."""
        os.ftruncate(self._descriptor, self._before)
        self._length = self._before

    def rotate(self) -> int:
        """Adds further entries to a new file. Returns the number of the last file before it."""
        ended = self._number
        self.close()
        return ended

    def drop(self, last_number: int) -> None:
        """Deletes the files up to this one: what they hold is in the files of the runs."""
        for number in self._numbers():
            if number <= last_number:
                self._path(number).unlink(missing_ok=True)

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor, self._length, self._before = -1, 0, 0

    def _open_next(self) -> None:
        path = self._path(self._number + 1)
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        self._number += 1
        sync_folder(self._folder)

    def _numbers(self) -> list[int]:
        return sorted(int(path.stem) for path in self._folder.glob(f"*{SUFFIX}") if path.stem.isdecimal())

    def _path(self, number: int) -> Path:
        return self._folder / f"{number:012d}{SUFFIX}"


def write_all(descriptor: int, data: bytes, offset: int) -> None:
    """Raises OSError, also if the disk takes only a part."""
    view = memoryview(data)
    while view:
        written = os.pwrite(descriptor, view, offset)
        view, offset = view[written:], offset + written


def sync_folder(folder: Path) -> None:
    """So that the names in it survive a power failure."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
