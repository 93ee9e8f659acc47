"""The manifest of a local copy: which version of each object it holds. One SQLite file in the copy's folder."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from seamark.store.buckets.objects import ObjectInfo

FILE_NAME = ".seamark-bucket.sqlite"


class Manifest:
    """Owned by the thread that keeps the copy up to date."""

    def __init__(self, folder: Path) -> None:
        self._database = sqlite3.connect(folder / FILE_NAME, timeout=30, isolation_level=None, check_same_thread=False)
        self._database.execute("PRAGMA journal_mode = WAL")
        # What a power failure takes is fetched again.
        self._database.execute("PRAGMA synchronous = NORMAL")
        self._database.execute(
            "CREATE TABLE IF NOT EXISTS objects (key TEXT PRIMARY KEY, size INTEGER, version TEXT, modified REAL)"
        )

    def read(self) -> dict[str, ObjectInfo]:
        rows = self._database.execute("SELECT key, size, version, modified FROM objects")
        return {row[0]: ObjectInfo(*row) for row in rows}

    def put(self, info: ObjectInfo) -> None:
        self._database.execute("INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?)", info)

    def remove(self, keys: Iterable[str]) -> None:
        self._database.executemany("DELETE FROM objects WHERE key = ?", [(key,) for key in keys])

    def close(self) -> None:
        self._database.close()
