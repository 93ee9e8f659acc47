"""The SQLite file of the saved state. A damaged file is renamed and replaced; a locked one is retried later."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from seamark.serve.state.sqlite_rows import SCHEMA, SqliteRows
from seamark.serve.state.storage import InvalidStateError, StateRows, StateUnavailableError

LOG = logging.getLogger(__name__)
FILE_NAME = "state.sqlite"
BUSY_SECS = 5.0
# After a lock that lasted too long, requests fail at once for this time instead of waiting again.
RETRY_SECS = 2.0
BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
# Errors of the disk, not of the file.
UNUSABLE = {
    sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR,
}  # fmt: skip
T = TypeVar("T")


class StateDatabase:
    """The rows of the log directories that `key` identifies. Not thread-safe.

    Without a `folder` that can be used, everything is in memory. With `can_repair` a damaged file is renamed and
    replaced with a new one; otherwise it is unavailable. A `label` is shown in place of its path.
    """

    def __init__(
        self, folder: Path | None, key: str, *, paths: str = "", can_repair: bool = True, label: str = ""
    ) -> None:
        self._key = key
        self._paths = paths
        self._can_repair = can_repair
        self._label = label
        self._file = None if folder is None else folder / FILE_NAME
        self._connection: sqlite3.Connection | None = None
        self._retry_at = 0.0
        self._permanent_problem = ""  # why nothing is saved, or what happened to a damaged file
        self._temporary_problem = ""

    @property
    def problem(self) -> str:
        return self._permanent_problem or self._temporary_problem

    def read(self, work: Callable[[StateRows], T]) -> T:
        return self._run(lambda connection: work(self._rows(connection)))

    def write(self, work: Callable[[StateRows], T]) -> T:
        def change(connection: sqlite3.Connection) -> T:
            with connection:  # a transaction
                connection.execute("BEGIN IMMEDIATE")
                return work(self._rows(connection))

        return self._run(change)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _rows(self, connection: sqlite3.Connection) -> SqliteRows:
        return SqliteRows(connection, self._key, self._paths)

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if time.monotonic() < self._retry_at:
            raise StateUnavailableError(self._temporary_problem)
        try:
            return self._attempt(work)
        except (sqlite3.Error, InvalidStateError) as error:
            if not (is_damage(error) and self._can_repair):
                raise self._unavailable(error) from error
            self._replace_damaged(error)
        try:
            return self._attempt(work)  # on a new file
        except (sqlite3.Error, InvalidStateError) as error:
            raise self._unavailable(error) from error

    def _attempt(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._connection is None:
            self._connection = self._connect()
        result = work(self._connection)
        self._temporary_problem = ""
        return result

    def _connect(self) -> sqlite3.Connection:
        if self._file is None:
            return connect(":memory:")
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file.touch(mode=0o600)  # SQLite's own would be readable by everybody, in a folder that may be, too
            return connect(str(self._file))
        except (OSError, sqlite3.Error) as error:
            if isinstance(error, sqlite3.Error) and (is_damage(error) or is_busy(error)):
                raise
            reason = error.strerror if isinstance(error, OSError) else error
            LOG.warning("names, notes and pins are not saved (%s): '%s'", reason, self._file.parent)
            self._permanent_problem = (
                f"names, notes and pins are not saved ({reason}); "
                f"choose a folder that can be written with --state_dir: '{self._label or self._file.parent}'"
            )
            return connect(":memory:")

    def _unavailable(self, error: Exception) -> StateUnavailableError:
        reason = f"another program has locked it for {BUSY_SECS:g} s" if is_busy(error) else str(error)
        self._temporary_problem = (
            f"names, notes and pins cannot be read or saved now ({reason}); retry later: '{self._label or self._file}'"
        )
        self._retry_at = time.monotonic() + RETRY_SECS
        return StateUnavailableError(self._temporary_problem)

    def _replace_damaged(self, error: Exception) -> None:
        """Renames the damaged file, so that its content can be recovered by hand."""
        self.close()
        if self._file is None:
            return
        damaged = self._file
        renamed = damaged.with_name(f"{FILE_NAME}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
        try:
            damaged.replace(renamed)
            for end in ("-journal", "-wal", "-shm"):  # SQLite would apply them to the new file
                damaged.with_name(FILE_NAME + end).unlink(missing_ok=True)
            outcome = f"it was renamed to {renamed.name} and a new one was created"
        except OSError as failure:
            self._file = None
            outcome = f"it cannot be renamed ({failure.strerror}): nothing is saved until the next start"
        sentence = f"the file with names, notes and pins is damaged ({error}); {outcome}"
        LOG.warning("%s: '%s'", sentence, damaged)
        self._permanent_problem = f"{sentence}: '{self._label or damaged}'"


def is_busy(error: Exception) -> bool:
    return primary_code(error) in BUSY


def is_damage(error: Exception) -> bool:
    return primary_code(error) not in BUSY | UNUSABLE


def primary_code(error: Exception) -> int:
    """The low byte of an extended code. Errors of Python, as for text that is not UTF-8, have none."""
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)) & 0xFF


def connect(path: str) -> sqlite3.Connection:
    # Autocommit, so that transactions begin where they are written.
    connection = sqlite3.connect(path, timeout=BUSY_SECS, isolation_level=None, check_same_thread=False)
    try:
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(found)
        connection.executescript(SCHEMA)
        connection.execute("PRAGMA secure_delete = ON")  # deleted notes are not readable in the file
        # A file on a read-only disk can be opened: only a write fails.
        connection.execute("PRAGMA user_version = 1")
    except sqlite3.Error:
        connection.close()
        raise
    return connection
