"""The saved state of a project in the database of the team server, so that all its processes have the same."""

from __future__ import annotations

import binascii
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Mapping
from typing import TypeVar

from seamark.serve.state.storage import InvalidStateError, StateRows, StateUnavailableError
from seamark.team.database import Database, DatabaseError, Transaction
from seamark.team.database.database import ConflictError

T = TypeVar("T")
# With a number of the project: the key of an advisory lock of PostgreSQL. SQLite has one writer anyway.
LOCK_NUMBER = 0x57A7E
UNAVAILABLE = (
    "names, notes and pins cannot be read or saved now: the database of the server does not answer; retry later"
)
GONE = "names, notes and pins cannot be saved: the project was deleted"
DAMAGED = "names, notes and pins cannot be read: their rows in the database of the server are damaged"


class ProjectStorage:
    """Any thread may use it; one write at a time, over all processes."""

    def __init__(self, database: Database, project_id: str) -> None:
        self._database = database
        self._project_id = project_id
        self._problem = ""

    @property
    def problem(self) -> str:
        return self._problem

    def read(self, work: Callable[[StateRows], T]) -> T:
        return self._run(self._database.read, lambda transaction: work(ProjectRows(transaction, self._project_id)))

    def write(self, work: Callable[[StateRows], T]) -> T:
        def change(transaction: Transaction) -> T:
            if self._database.dialect == "postgresql":
                number = zlib.crc32(self._project_id.encode()) & 0x7FFFFFFF
                transaction.rows("SELECT pg_advisory_xact_lock(?, ?)", LOCK_NUMBER, number)
            return work(ProjectRows(transaction, self._project_id))

        return self._run(self._database.write, change)

    def close(self) -> None:
        """The database stays open."""

    def _run(self, run: Callable[[Callable[[Transaction], T]], T], work: Callable[[Transaction], T]) -> T:
        """Sentences for pages, without addresses of the database."""
        try:
            result = run(work)
        except DatabaseError as error:
            raise self._unavailable(UNAVAILABLE) from error
        except ConflictError as error:
            raise self._unavailable(GONE) from error
        except InvalidStateError as error:
            raise self._unavailable(DAMAGED) from error
        self._problem = ""
        return result

    def _unavailable(self, sentence: str) -> StateUnavailableError:
        self._problem = sentence
        return StateUnavailableError(sentence)


class ProjectRows:
    def __init__(self, transaction: Transaction, project_id: str) -> None:
        self._transaction = transaction
        self._project_id = project_id

    def document(self) -> tuple[object, object] | None:
        found = self._transaction.row("SELECT version, body FROM saved_states WHERE project_id = ?", self._project_id)
        return None if found is None else (found[0], found[1])

    def save_document(self, version: int, body: str) -> None:
        self._transaction.execute(
            "INSERT INTO saved_states VALUES (?, ?, ?) "
            "ON CONFLICT (project_id) DO UPDATE SET version = excluded.version, body = excluded.body",
            *(self._project_id, version, body),
        )

    def positions(self) -> list[tuple[object, object]]:
        rows = self._transaction.rows("SELECT run, position FROM seen_runs WHERE project_id = ?", self._project_id)
        return [(run, position) for run, position in rows]

    def add_positions(self, positions: Mapping[str, int]) -> None:
        for run, position in positions.items():
            self._transaction.execute("INSERT INTO seen_runs VALUES (?, ?, ?)", self._project_id, run, position)

    def delete_positions(self, runs: Collection[str]) -> None:
        for run in runs:
            self._transaction.execute("DELETE FROM seen_runs WHERE project_id = ? AND run = ?", self._project_id, run)

    def text_sizes(self) -> list[tuple[str, int]]:
        rows = self._transaction.rows(
            "SELECT id, LENGTH(body) FROM saved_texts WHERE project_id = ? ORDER BY saved_at DESC", self._project_id
        )
        return [(id, size) for id, size in rows]

    def text(self, id: str) -> object | None:
        sql = "SELECT body FROM saved_texts WHERE project_id = ? AND id = ?"
        found = self._transaction.row(sql, self._project_id, id)
        try:
            return None if found is None else b64decode(found[0], validate=True)
        except (binascii.Error, TypeError) as error:
            raise InvalidStateError("a saved text is invalid") from error

    def save_text(self, id: str, saved_at: float, content: bytes) -> None:
        self._transaction.execute(
            "INSERT INTO saved_texts VALUES (?, ?, ?, ?) "
            "ON CONFLICT (project_id, id) DO UPDATE SET saved_at = excluded.saved_at",
            *(self._project_id, id, saved_at, b64encode(content).decode()),
        )

    def delete_texts(self, ids: Collection[str]) -> None:
        for id in ids:
            self._transaction.execute("DELETE FROM saved_texts WHERE project_id = ? AND id = ?", self._project_id, id)
