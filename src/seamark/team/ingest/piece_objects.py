"""PieceObjects: removes the bytes of deleted and replaced files from the object storage.

An object has pieces of many files. One without pieces that are in use is deleted; another one is written again without
the unused bytes, under a new name, and then deleted. What a crash interrupts is done by the next `collect`: the row of
an unused piece stays until its object is gone.
"""

from __future__ import annotations

import errno
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import obstore
from obstore.exceptions import BaseError, NotFoundError

from seamark.object_stores.failures import failure_reason
from seamark.object_stores.opening import open_object_store
from seamark.team.database import Database, Transaction
from seamark.team.secret_text import new_id

FOLDER = "pieces"
# An object is put before its rows are committed. Without rows after this time, the process that put it was killed.
ABANDONED_SECS = 3600.0


class PieceObjects:
    """Any thread may call any method; several processes may, too. All raise OSError or DatabaseError."""

    def __init__(self, address: str, database: Database) -> None:
        self._store: Any = open_object_store(address, timeout_secs=20, max_retries=3, retry_secs=15)
        self._database = database

    def put(self, data: bytes) -> str:
        """Returns the name of the new object."""
        name = f"{FOLDER}/{new_id()}"
        with storage_errors():
            obstore.put(self._store, name, data, mode="create")
        return name

    def get(self, name: str) -> bytes:
        """Raises FileNotFoundError if another process has replaced it meanwhile: its rows name another one now."""
        with storage_errors():
            return bytes(obstore.get(self._store, name).bytes())

    def remove(self, names: Collection[str]) -> None:
        for name in names:
            with suppress(FileNotFoundError), storage_errors():  # another process may be faster
                obstore.delete(self._store, name)

    def forget_runs(self, project_id: str, runs: Collection[str] | None = None) -> None:
        """Removes everything of these runs, or with None of all runs of the project."""

        def forget(transaction: Transaction) -> None:
            for where, parameters in conditions(project_id, runs):
                mark_unused(transaction, where, *parameters)

        self._database.write(forget)
        self.collect(project_id, runs)

    def collect(self, project_id: str | None = None, runs: Collection[str] | None = None) -> int:
        """Removes unused bytes of these runs, or of all. Returns how many objects had some."""

        def find(transaction: Transaction) -> list[str]:
            found: dict[str, None] = {}
            for where, parameters in conditions(project_id, runs):
                rows = transaction.rows(f"SELECT DISTINCT object FROM unused_pieces WHERE {where}", *parameters)
                found.update((str(name), None) for (name,) in rows)
            return list(found)

        names = self._database.read(find)
        for name in names:
            self._remove_unused(name)
        return len(names)

    def sweep(self, now: float | None = None) -> int:
        """Deletes objects that no row names, which a killed process left. Returns how many there were."""
        known = self._database.read(known_objects)
        oldest = (time.time() if now is None else now) - ABANDONED_SECS
        with storage_errors():
            listed = [entry for page in obstore.list(self._store, prefix=f"{FOLDER}/") for entry in page]
        old = [entry["path"] for entry in listed if entry["last_modified"].timestamp() < oldest]
        found = [name for name in old if name not in known]
        self.remove(found)
        return len(found)

    def _remove_unused(self, name: str) -> None:
        used = self._database.read(
            lambda transaction: transaction.rows(
                "SELECT sequence, project_id, run, object_start, length FROM pieces WHERE object = ? ORDER BY sequence",
                name,
            )
        )
        if used:
            try:
                data = self.get(name)
            except FileNotFoundError:
                return  # another process does the same
            self._move(name, data, used)
        self.remove([name])
        self._database.write(
            lambda transaction: transaction.execute("DELETE FROM unused_pieces WHERE object = ?", name)
        )

    def _move(self, name: str, data: bytes, used: list[Any]) -> None:
        """Writes the used bytes as another object, and has their rows name it."""
        new = self.put(b"".join(data[start : start + length] for *_, start, length in used))

        def move(transaction: Transaction) -> int:
            moved, position = 0, 0
            for sequence, project_id, run, _, length in used:
                changed = transaction.execute(
                    "UPDATE pieces SET object = ?, object_start = ? WHERE sequence = ? AND object = ?",
                    *(new, position, sequence, name),
                )
                if not changed:  # replaced or deleted meanwhile
                    note_unused(transaction, new, project_id, run)
                moved, position = moved + changed, position + length
            if not moved:
                transaction.execute("DELETE FROM unused_pieces WHERE object = ?", new)
            return moved

        if not self._database.write(move):
            self.remove([new])


def conditions(project_id: str | None, runs: Collection[str] | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    if project_id is None:
        yield "project_id IS NOT NULL", ()
    elif runs is None:
        yield "project_id = ?", (project_id,)
    else:
        for run in runs:
            yield "project_id = ? AND run = ?", (project_id, run)


def mark_unused(transaction: Transaction, where: str, *parameters: Any) -> None:
    """Deletes rows of `pieces`, and notes which objects have their bytes."""
    transaction.execute(
        "INSERT INTO unused_pieces (object, project_id, run) "
        f"SELECT DISTINCT object, project_id, run FROM pieces WHERE {where} ON CONFLICT DO NOTHING",
        *parameters,
    )
    transaction.execute(f"DELETE FROM pieces WHERE {where}", *parameters)


def note_unused(transaction: Transaction, name: str, project_id: str, run: str) -> None:
    transaction.execute(
        "INSERT INTO unused_pieces (object, project_id, run) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        *(name, project_id, run),
    )


def known_objects(transaction: Transaction) -> set[str]:
    rows = transaction.rows("SELECT object FROM pieces UNION SELECT object FROM unused_pieces")
    return {str(name) for (name,) in rows}


@contextmanager
def storage_errors() -> Iterator[None]:
    """Raises the errors of the object storage as OSError, and FileNotFoundError for a missing object."""
    try:
        yield
    except NotFoundError:
        raise FileNotFoundError(errno.ENOENT, "the object storage has no such object") from None
    except BaseError as error:
        raise OSError(errno.EIO, f"the object storage cannot be used ({failure_reason(error)})") from None
