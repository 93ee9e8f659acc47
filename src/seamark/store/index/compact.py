"""Removes runs that no longer exist from an index for good: no byte of them stays in its files."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

from seamark.store.index.catalogue import Catalogue, OtherVersionError
from seamark.store.index.location import index_path


def compact_index(index_dir: Path, root: Path) -> None:
    """Of a log directory that no store has open, after a store has dropped the files that are gone.

    What dashboards cached beside the index does not tell which run it is of, and goes as well: it is computed again.
    """
    folder = index_path(index_dir, root)
    shutil.rmtree(folder / "cache", ignore_errors=True)
    file = folder / "catalogue.sqlite"
    if not file.exists():
        return
    try:
        catalogue = Catalogue(file, chunks=folder / "chunks")
        try:
            catalogue.compact()
        finally:
            catalogue.close()
    except (OtherVersionError, sqlite3.Error):
        shutil.rmtree(folder, ignore_errors=True)  # the next store builds a new one
