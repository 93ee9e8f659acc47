"""What the tests of the index share: what a log directory shows with an index, and without one."""

import os
import sqlite3
from pathlib import Path
from typing import Any

from seamark.store.test_support import dump, loaded


def settle(logs: Path) -> None:
    """Makes all files look as if they were not written this very moment."""
    for path in logs.rglob("*tfevents*"):
        os.utime(path, (1000, 1000))


def truth(logs: Path) -> dict[str, Any]:
    with loaded(logs) as store:
        return dump(store)


def shown(logs: Path, index_dir: Path) -> dict[str, Any]:
    with loaded(logs, index_dir=index_dir) as store:
        return dump(store)


def catalogued(index_dir: Path) -> list[str]:
    """The paths that the catalogue has."""
    (path,) = index_dir.glob("*/catalogue.sqlite")
    db = sqlite3.connect(path)
    try:
        return sorted(os.fsdecode(row[0]) for row in db.execute("SELECT path FROM files"))
    finally:
        db.close()


def chunk_names(index_dir: Path) -> set[str]:
    return {path.name for path in index_dir.glob("*/chunks/*")}
