"""Copies one object to a file: what was appended to it by its range, or all of it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

from seamark.store.buckets.objects import ChangedError, ObjectInfo, ObjectReader
from seamark.store.discover.walk import EVENT_FILE_MARK

PIECE_BYTES = 8 << 20
# How much of the end of a copy is compared before the rest of a grown object is appended to it.
COMPARED_BYTES = 64 << 10
PARTIAL_SUFFIX = ".seamark-partial"


class Bringer:
    """Any thread may call it, for different objects. `growing` is held while a file grows in place."""

    def __init__(
        self, objects: ObjectReader, folder: Path, *, growing: threading.Lock, should_stop: Callable[[], bool]
    ) -> None:
        self._objects, self._folder = objects, folder
        self._growing, self._should_stop = growing, should_stop

    def bring(self, info: ObjectInfo, known: ObjectInfo | None) -> bool:
        """False if the object changed meanwhile: the next listing has its new version.

        Raises RefusedError, BucketError and OSError.
        """
        path = self._folder / info.key
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            length = path.stat().st_size if known is not None and path.is_file() else 0
            # A new version of the same length was rewritten.
            can_grow = 0 < length < info.size and EVENT_FILE_MARK in path.name
            if can_grow and self._has_grown(info, path, length):
                self._append(info, path, length)
            else:
                self._replace(info, path)
        except ChangedError:
            return False
        return not self._should_stop()

    def _has_grown(self, info: ObjectInfo, path: Path, length: int) -> bool:
        start = max(0, length - COMPARED_BYTES)
        with path.open("rb") as file:
            file.seek(start)
            here = file.read(length - start)
        return self._objects.read(info, start, length) == here

    def _append(self, info: ObjectInfo, path: Path, length: int) -> None:
        with self._growing, path.open("ab") as file:
            for start in range(length, info.size, PIECE_BYTES):
                if self._should_stop():
                    return
                file.write(self._objects.read(info, start, min(start + PIECE_BYTES, info.size)))
                file.flush()

    def _replace(self, info: ObjectInfo, path: Path) -> None:
        partial = path.with_name(path.name.replace(EVENT_FILE_MARK, "") + PARTIAL_SUFFIX)
        with partial.open("wb") as file:
            for start in range(0, info.size, PIECE_BYTES):
                if self._should_stop():
                    return
                file.write(self._objects.read(info, start, min(start + PIECE_BYTES, info.size)))
        os.utime(partial, (info.modified, info.modified))
        partial.replace(path)
