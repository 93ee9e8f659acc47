"""SqliteRows: the saved state of one set of log directories in the file of the user."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping

SCHEMA = """
CREATE TABLE IF NOT EXISTS documents (logdir TEXT PRIMARY KEY, paths TEXT, version INTEGER, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS seen (logdir TEXT, run TEXT, position INTEGER NOT NULL, PRIMARY KEY (logdir, run));
CREATE TABLE IF NOT EXISTS texts (logdir TEXT, id TEXT, saved_at REAL, body BLOB NOT NULL, PRIMARY KEY (logdir, id));
"""


class SqliteRows:
    """`key` identifies the log directories; `paths` are for people who look into the file."""

    def __init__(self, connection: sqlite3.Connection, key: str, paths: str) -> None:
        self._connection = connection
        self._key = key
        self._paths = paths

    def document(self) -> tuple[object, object] | None:
        # All rows: an open cursor would keep others from writing.
        rows = self._connection.execute("SELECT version, body FROM documents WHERE logdir = ?", [self._key]).fetchall()
        return rows[0] if rows else None

    def save_document(self, version: int, body: str) -> None:
        row = (self._key, self._paths, version, body)
        self._connection.execute("INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?)", row)

    def positions(self) -> list[tuple[object, object]]:
        return self._connection.execute("SELECT run, position FROM seen WHERE logdir = ?", [self._key]).fetchall()

    def add_positions(self, positions: Mapping[str, int]) -> None:
        rows = [(self._key, run, position) for run, position in positions.items()]
        self._connection.executemany("INSERT INTO seen VALUES (?, ?, ?)", rows)

    def delete_positions(self, runs: Collection[str]) -> None:
        rows = [(self._key, run) for run in runs]
        self._connection.executemany("DELETE FROM seen WHERE logdir = ? AND run = ?", rows)

    def text_sizes(self) -> list[tuple[str, int]]:
        sql = "SELECT id, LENGTH(body) FROM texts WHERE logdir = ? ORDER BY saved_at DESC"
        return self._connection.execute(sql, [self._key]).fetchall()

    def text(self, id: str) -> object | None:
        sql = "SELECT body FROM texts WHERE logdir = ? AND id = ?"
        rows = self._connection.execute(sql, [self._key, id]).fetchall()
        return rows[0][0] if rows else None

    def save_text(self, id: str, saved_at: float, content: bytes) -> None:
        row = (self._key, id, saved_at, content)
        self._connection.execute("INSERT OR REPLACE INTO texts VALUES (?, ?, ?, ?)", row)

    def delete_texts(self, ids: Collection[str]) -> None:
        rows = [(self._key, id) for id in ids]
        self._connection.executemany("DELETE FROM texts WHERE logdir = ? AND id = ?", rows)
