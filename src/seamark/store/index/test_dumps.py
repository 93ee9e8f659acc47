"""What the tests of the index share: what a log directory shows with an index, and without one."""

import os
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


def chunk_names(index_dir: Path) -> set[str]:
    return {path.name for path in index_dir.glob("*/chunks/*")}
