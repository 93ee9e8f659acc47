"""Helpers of the tests of the index: dumps of a store with an index and without one."""

import os
import sqlite3
from pathlib import Path
from typing import Any

from seamark.store.test_support import dump, loaded


def settle(logs: Path) -> None:
    """Sets old modification times: files that were written just now are visited again."""
    for path in logs.rglob("*tfevents*"):
        os.utime(path, (1000, 1000))


def dump_without_index(logs: Path) -> dict[str, Any]:
    with loaded(logs) as store:
        return dump(store)


def dump_with_index(logs: Path, index_dir: Path) -> dict[str, Any]:
    with loaded(logs, index_dir=index_dir) as store:
        return dump(store)


def catalogued(index_dir: Path) -> list[str]:
    """Returns the paths in the catalogue."""
    (path,) = index_dir.glob("*/catalogue.sqlite")
    db = sqlite3.connect(path)
    try:
        return sorted(os.fsdecode(row[0]) for row in db.execute("SELECT path FROM files"))
    finally:
        db.close()


def chunk_names(index_dir: Path) -> set[str]:
    return {path.name for path in index_dir.glob("*/chunks/*")}
