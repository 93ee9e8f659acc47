"""The SQLite catalogue of an index: one row per event file, and the cached files of run folders."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import struct
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from msgspec import Struct

from seamark._core import STRIPE_VERSION
from seamark.store.discover.walk import Identity
from seamark.store.index.chunk_file import ChunkFile
from seamark.store.index.run_files import (
    RUN_FILES_SCHEMA,
    CachedRunFile,
    RunFiles,
    delete_other_run_files,
    replace_run_files,
    select_run_files,
)
from seamark.store.read.file_state import FileState, Fingerprint, RecordProblem, SessionStart
from seamark.store.read.series_table import SeriesTable
from seamark.store.read.stripes import Part

SCHEMA_VERSION = 4
# The catalogue and the stripes it refers to have one version.
INDEX_VERSION = SCHEMA_VERSION * 1000 + STRIPE_VERSION

_SCHEMA = """
CREATE TABLE tables (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, body BLOB NOT NULL);
CREATE TABLE files (
    path BLOB PRIMARY KEY, identity BLOB NOT NULL, consumed INTEGER NOT NULL,
    head_length INTEGER NOT NULL, head_crc INTEGER NOT NULL, tail_length INTEGER NOT NULL, tail_crc INTEGER NOT NULL,
    first_wall REAL, last_wall REAL, table_id INTEGER NOT NULL, seeded INTEGER NOT NULL,
    chunk TEXT NOT NULL, chunk_length INTEGER NOT NULL, stripes BLOB NOT NULL,
    problems TEXT NOT NULL, problem_count INTEGER NOT NULL, session_starts TEXT NOT NULL
) WITHOUT ROWID;
"""
_IDENTITY = struct.Struct("<QQqq")
_STRIPE = struct.Struct("<QQQQ")  # offset, size, scalar rows, payload rows
_COLUMNS = 17
# With the default a commit of 10,000 rows runs into checkpoints.
_AUTOCHECKPOINT_PAGES = 4000


class OtherVersionError(Exception):
    """The catalogue was written by another version of Seamark."""


class Entry(Struct, frozen=True):
    """One row: the state of the file at `path`, relative to its root, and the chunk file with its parts."""

    path: str
    state: FileState
    chunk: ChunkFile


class Catalogue:
    """Not locked: the index makes sure that one thread uses it at a time."""

    def __init__(self, path: Path, *, chunks: Path, read_only: bool = False) -> None:
        self._chunks = str(chunks)
        self._table_ids: WeakKeyDictionary[SeriesTable, int] = WeakKeyDictionary()
        target = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}"
        self._db = sqlite3.connect(target, uri=True, check_same_thread=False, isolation_level=None, timeout=5)
        try:
            self._prepare(read_only=read_only)
        except BaseException:
            self._db.close()
            raise

    def _prepare(self, *, read_only: bool) -> None:
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version == 0 and not read_only:
            # A power failure may lose the last commit, never the catalogue: WAL with NORMAL suffices.
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {INDEX_VERSION}; COMMIT;")
        elif version != INDEX_VERSION:
            raise OtherVersionError(f"index version: got {version}, want {INDEX_VERSION}")
        if not read_only:
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute(f"PRAGMA wal_autocheckpoint = {_AUTOCHECKPOINT_PAGES}")
            self._db.execute("DELETE FROM tables WHERE id NOT IN (SELECT table_id FROM files)")
            # Not part of the version: an index without this table is complete, one with it is read by older code.
            self._db.execute(RUN_FILES_SCHEMA)

    def entries(self) -> list[Entry]:
        """Returns all rows."""
        self._db.execute("BEGIN")  # one snapshot of both tables, even if another process writes
        try:
            tables = {}
            for table_id, body in self._db.execute("SELECT id, body FROM tables"):
                tables[table_id] = SeriesTable.from_bytes(body)
                self._table_ids[tables[table_id]] = table_id
            return [self._entry(row, tables) for row in self._db.execute("SELECT * FROM files")]
        finally:
            self._db.execute("COMMIT")

    def commit(self, changed: Iterable[Entry], dropped: Iterable[str]) -> None:
        """Writes and deletes rows in one transaction."""
        try:
            with self._transaction():
                self._db.executemany("DELETE FROM files WHERE path = ?", [(os.fsencode(path),) for path in dropped])
                placeholders = ",".join("?" * _COLUMNS)
                self._db.executemany(
                    f"INSERT OR REPLACE INTO files VALUES ({placeholders})", [self._row(e) for e in changed]
                )
        except BaseException:
            self._table_ids.clear()  # ids assigned in this transaction were rolled back
            raise

    def run_files(self, folders: Collection[str]) -> dict[str, dict[str, CachedRunFile]]:
        return select_run_files(self._db, folders)

    def replace_run_files(self, files: Mapping[str, RunFiles]) -> None:
        with self._transaction():
            replace_run_files(self._db, files)

    def delete_other_run_files(self, folders: Collection[str]) -> None:
        with self._transaction():
            delete_other_run_files(self._db, folders)

    def compact(self) -> None:
        """Rewrites the file without what was deleted."""
        self._db.execute("VACUUM")

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _entry(self, row: tuple[Any, ...], tables: dict[int, SeriesTable]) -> Entry:
        (path, identity, consumed, head_length, head_crc, tail_length, tail_crc, first_wall, last_wall,
         table_id, seeded, chunk_name, chunk_length, stripes, problems, problem_count,
         session_starts) = row  # fmt: skip
        chunk = ChunkFile(self._chunks, chunk_name, length=chunk_length)
        state = FileState(
            identity=Identity(*_IDENTITY.unpack(identity)),
            consumed=consumed,
            head=Fingerprint(head_length, head_crc),
            tail=Fingerprint(tail_length, tail_crc),
            table=tables[table_id],
            seeded=seeded,
            parts=tuple(
                Part(offset=offset, size=size, scalar_rows=scalars, payload_rows=payloads, home=chunk)
                for offset, size, scalars, payloads in _STRIPE.iter_unpack(stripes)
            ),
            problems=tuple(RecordProblem(*problem) for problem in json.loads(problems)) if problem_count else (),
            problem_count=problem_count,
            first_wall=first_wall,
            last_wall=last_wall,
            session_starts=_session_starts(session_starts),
        )
        return Entry(os.fsdecode(path), state, chunk)

    def _row(self, entry: Entry) -> tuple[object, ...]:
        state = entry.state
        stripes = b"".join(_STRIPE.pack(p.offset, p.size, p.scalar_rows, p.payload_rows) for p in state.parts)
        return (
            os.fsencode(entry.path), _IDENTITY.pack(*state.identity), state.consumed, *state.head, *state.tail,
            state.first_wall, state.last_wall, self._table_id(state.table), state.seeded,
            entry.chunk.name, entry.chunk.length, stripes,
            json.dumps(state.problems) if state.problems else "[]", state.problem_count,
            json.dumps([(*start[:3], list(start.rows.items())) for start in state.session_starts]),
        )  # fmt: skip

    def _table_id(self, table: SeriesTable) -> int:
        known = self._table_ids.get(table)
        if known is None:
            body = table.to_bytes()
            digest = hashlib.blake2b(body, digest_size=16).digest()
            self._db.execute("INSERT OR IGNORE INTO tables (digest, body) VALUES (?, ?)", (digest, body))
            known = int(self._db.execute("SELECT id FROM tables WHERE digest = ?", (digest,)).fetchone()[0])
            self._table_ids[table] = known
        return known


def _session_starts(text: str) -> tuple[SessionStart, ...]:
    if text == "[]":  # nearly all files
        return ()
    return tuple(SessionStart(step, wall, offset, dict(rows)) for step, wall, offset, rows in json.loads(text))
