"""SQLite: one connection for each thread; writers wait for one another."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from seamark.team.database.database import ConflictError, DatabaseError, Row, Transaction

BUSY_SECS = 30.0
RETRY_SECS = 0.01
T = TypeVar("T")


class SqliteTransaction:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, *parameters: Any) -> int:
        try:
            return self._connection.execute(sql, parameters).rowcount
        except sqlite3.IntegrityError as error:
            raise ConflictError(str(error)) from None

    def rows(self, sql: str, *parameters: Any) -> list[Row]:
        return self._connection.execute(sql, parameters).fetchall()

    def row(self, sql: str, *parameters: Any) -> Row | None:
        found: Row | None = self._connection.execute(sql, parameters).fetchone()
        return found


class SqliteDatabase:
    dialect = "sqlite"

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []

    def read(self, work: Callable[[Transaction], T]) -> T:
        return self._run(work, "BEGIN")

    def write(self, work: Callable[[Transaction], T]) -> T:
        return self._run(work, "BEGIN IMMEDIATE")

    def scrub(self) -> None:
        try:
            # Deleted rows were overwritten in the file, but the log of writes still has them.
            self._connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            raise DatabaseError(f"the database of the team server is in use ({error}): '{self._path}'") from error

    def close(self) -> None:
        with self._lock:
            for connection in self._connections:
                connection.close()
            self._connections.clear()

    def _run(self, work: Callable[[Transaction], T], begin: str) -> T:
        try:
            connection = self._connection()
            connection.execute(begin)
            try:
                result = work(SqliteTransaction(connection))
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise DatabaseError(f"the database of the team server cannot be used ({error}): '{self._path}'") from error
        return result

    def _connection(self) -> sqlite3.Connection:
        found: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if found is None:
            # Autocommit, so that transactions begin where they are written.
            found = sqlite3.connect(self._path, timeout=BUSY_SECS, isolation_level=None, check_same_thread=False)
            switch_to_wal(found)
            found.execute("PRAGMA synchronous = FULL")  # a committed change survives a power failure
            found.execute("PRAGMA foreign_keys = ON")
            found.execute("PRAGMA secure_delete = ON")  # what was deleted is not readable in the file
            self._local.connection = found
            with self._lock:
                self._connections.append(found)
        return found


def switch_to_wal(connection: sqlite3.Connection) -> None:
    """Tries again for a while: SQLite itself does not wait for a connection that switches at the same moment."""
    deadline = time.monotonic() + BUSY_SECS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(RETRY_SECS)
