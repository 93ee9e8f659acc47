"""Parsed files of run folders, cached in the catalogue under the identity that the files had when they were read."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Mapping
from typing import NamedTuple

RUN_FILES_SCHEMA = """
CREATE TABLE IF NOT EXISTS run_files (
    run_path BLOB NOT NULL, name TEXT NOT NULL, mtime_ns INTEGER NOT NULL, size INTEGER NOT NULL,
    inode INTEGER NOT NULL, parsed BLOB NOT NULL, PRIMARY KEY (run_path, name)
);
"""
_COLUMNS = "run_path, name, mtime_ns, size, inode, parsed"
# Above this many folders one scan of the table is faster than a query for each folder.
MAX_SINGLE_QUERIES = 500


class RunFileIdentity(NamedTuple):
    """Equal as long as a file was neither replaced nor changed."""

    mtime_ns: int
    size: int
    inode: int

    @staticmethod
    def of(stat: os.stat_result) -> RunFileIdentity:
        return RunFileIdentity(stat.st_mtime_ns, stat.st_size, stat.st_ino)


class CachedRunFile(NamedTuple):
    """`parsed` is the caller's own encoding; `identity` is that of the file it was parsed from."""

    identity: RunFileIdentity
    parsed: bytes


RunFiles = Mapping[str, CachedRunFile]
"""By name, relative to the run's folder."""


def select_run_files(db: sqlite3.Connection, folders: Collection[str]) -> dict[str, dict[str, CachedRunFile]]:
    """Returns the cached files of these run folders; folders without any are left out."""
    if len(folders) > MAX_SINGLE_QUERIES:
        wanted = {_to_blob(folder) for folder in folders}
        rows = [row for row in db.execute(f"SELECT {_COLUMNS} FROM run_files") if row[0] in wanted]
    else:
        query = f"SELECT {_COLUMNS} FROM run_files WHERE run_path = ?"
        rows = [row for folder in folders for row in db.execute(query, (_to_blob(folder),))]
    found: dict[str, dict[str, CachedRunFile]] = {}
    for run_path, name, mtime_ns, size, inode, parsed in rows:
        cached = CachedRunFile(RunFileIdentity(mtime_ns, size, inode), parsed)
        found.setdefault(os.fsdecode(run_path), {})[name] = cached
    return found


def replace_run_files(db: sqlite3.Connection, files: Mapping[str, RunFiles]) -> None:
    """Replaces all cached files of each of these run folders, in the caller's transaction."""
    db.executemany("DELETE FROM run_files WHERE run_path = ?", [(_to_blob(folder),) for folder in files])
    rows = [
        (_to_blob(folder), name, *cached.identity, cached.parsed)
        for folder, by_name in files.items()
        for name, cached in by_name.items()
    ]
    db.executemany(f"INSERT INTO run_files ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", rows)


def delete_other_run_files(db: sqlite3.Connection, folders: Collection[str]) -> None:
    """Deletes the cached files of all run folders but these, in the caller's transaction."""
    present = {_to_blob(folder) for folder in folders}
    known = [row[0] for row in db.execute("SELECT DISTINCT run_path FROM run_files")]
    db.executemany(
        "DELETE FROM run_files WHERE run_path = ?", [(run_path,) for run_path in known if run_path not in present]
    )


def _to_blob(folder: str) -> bytes:
    # Folder names need not be UTF-8.
    return os.fsencode(folder)
