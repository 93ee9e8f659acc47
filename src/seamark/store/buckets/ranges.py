"""Keeps a copy below its limit: gives the content of event files back to the disk, and fetches what is read of them."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from seamark.store.buckets.holes import BLOCK_BYTES, holes, punch
from seamark.store.buckets.locks import CopyLocks
from seamark.store.buckets.objects import BucketError, ChangedError, ObjectInfo, ObjectReader, RefusedError
from seamark.store.discover.walk import EVENT_FILE_MARK

# What the copy may take of the disk. Above it, event files that were read are given back, and what is shown of them is
# fetched again.
LIMIT_BYTES = 4 << 30


class CopiedRanges:
    """Any thread may fetch; the thread that keeps the copy up to date sets `objects` and `known`."""

    def __init__(self, address: str, folder: Path, locks: CopyLocks) -> None:
        self._address, self._folder, self._locks = address, folder, locks
        self.objects: ObjectReader | None = None
        self.known: dict[str, ObjectInfo] = {}
        self.growing = threading.Lock()  # event files: grown by one thread, filled by others

    @contextmanager
    def fetch(self, path: str, start: int, stop: int) -> Iterator[None]:
        """Brings a range of a copied file back that was given to the disk. Raises OSError."""
        with self._locks.reading():
            descriptor = os.open(path, os.O_RDONLY)
            try:
                missing = holes(descriptor, start, stop)
            finally:
                os.close(descriptor)
            if missing:
                self._fill(path, missing)
            yield

    def _fill(self, path: str, missing: list[tuple[int, int]]) -> None:
        info = self.known.get(Path(path).relative_to(self._folder).as_posix())
        if info is None or self.objects is None:
            raise OSError(errno.EIO, f"it has not answered yet; try again: '{self._address}'")
        try:
            pieces = [(start, self.objects.read(info, start, stop)) for start, stop in missing]
        except ChangedError:
            raise OSError(errno.EIO, f"the object was replaced in the bucket; try again: '{info.key}'") from None
        except RefusedError as error:
            raise OSError(errno.EIO, f"the object cannot be read ({error}): '{info.key}'") from None
        except BucketError as error:
            raise OSError(errno.EIO, str(error)) from None
        with self.growing:
            descriptor = os.open(path, os.O_RDWR)
            try:
                before = os.fstat(descriptor)
                for start, data in pieces:
                    os.pwrite(descriptor, data, start)
                # The store knows a file by the time it was changed.
                os.utime(descriptor, ns=(before.st_atime_ns, before.st_mtime_ns))
            finally:
                os.close(descriptor)

    def shrink(self, is_read: Callable[[str, str, int], bool]) -> None:
        """Gives back the content of event files whose points are in the index, until the copy is below its limit."""
        # Sizes are known without a look at the disk; a file takes at most one block more.
        if sum(info.size + BLOCK_BYTES for info in self.known.values()) <= LIMIT_BYTES:
            return
        used = list(self._used(self.known))
        excess = sum(size for _, size, _ in used) - LIMIT_BYTES
        for _, size, key in sorted(used):
            if excess <= 0:
                return
            folder, _, name = key.rpartition("/")
            if EVENT_FILE_MARK in name and is_read(folder, name, self.known[key].size):
                # Nobody must read a hole: while somebody reads, the copy stays above its limit.
                with self.growing, self._locks.no_readers() as is_free:
                    is_smaller = is_free and punch(str(self._folder / key))
                excess -= size if is_smaller else 0

    def _used(self, keys: Iterable[str]) -> Iterator[tuple[float, int, str]]:
        for key in keys:
            with suppress(OSError):
                stat = os.stat(f"{self._folder}/{key}")  # noqa: PTH116
                yield stat.st_atime, stat.st_blocks * 512, key
