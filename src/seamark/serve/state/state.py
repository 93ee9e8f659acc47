"""State: names, stars, notes, colours, pins, views and layouts that people save, in the user's data directory.

One SQLite file has a document for each log directory. A change has the version it was made on, so that two pages
cannot overwrite each other's changes. The file also has the order in which runs were first seen, which decides their
colours.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from seamark.format.user_dirs import user_data_dir
from seamark.serve.state.database import StateDatabase, StateUnavailableError
from seamark.serve.state.document import EMPTY, check_depth, format_document, merge, parse_document
from seamark.store import LogRoot


class WrongVersionError(Exception):
    """The state was changed meanwhile; `current` is the new one."""

    def __init__(self, current: dict[str, Any]) -> None:
        super().__init__(f"the state was changed meanwhile: it has version {current['version']}; read it and retry")
        self.current = current


def default_state_dir() -> Path:
    return user_data_dir()


class State:
    """The document of one set of log directories. Without a `folder` that can be written it is only in memory."""

    def __init__(self, folder: Path | None, roots: Sequence[LogRoot], *, can_repair: bool = True) -> None:
        paths = [f"{root.name}:{root.path.resolve()}" for root in roots]
        self._key = hashlib.blake2b("\n".join(paths).encode(errors="surrogateescape"), digest_size=12).hexdigest()
        self._paths = json.dumps(paths)
        self._lock = threading.Lock()
        self._database = StateDatabase(folder, can_repair=can_repair)
        self._positions: dict[str, int] = {}
        self._listeners: list[Callable[[int], None]] = []

    def on_change(self, listener: Callable[[int], None]) -> None:
        """Calls `listener` with the new version after every change, on the thread that made the change."""
        self._listeners.append(listener)

    @property
    def problem(self) -> str:
        """Why nothing is saved, or what happened to a damaged file; "" if there is no problem."""
        return self._database.problem

    def read(self) -> dict[str, Any]:
        """Raises StateUnavailableError."""
        with self._lock:
            return self._database.run(self._read)

    def patch(self, version: int, change: dict[str, Any]) -> dict[str, Any]:
        """Merges a change into the document (None removes) if the document still has `version`.

        Raises WrongVersionError, BadStateError or StateUnavailableError.
        """
        check_depth(change)

        def change_document(database: sqlite3.Connection) -> dict[str, Any]:
            with database:  # a transaction
                database.execute("BEGIN IMMEDIATE")
                current = self._read(database)
                if current["version"] != version:
                    raise WrongVersionError(current)
                changed = {**merge({name: current[name] for name in EMPTY}, change), "version": version + 1}
                self._write(database, changed)
            return changed

        with self._lock:
            changed = self._database.run(change_document)
        for listener in self._listeners:
            listener(version + 1)
        return changed

    def positions(self, runs: Iterable[str]) -> dict[str, int]:
        """The index of each run in the order in which runs were first seen. New runs are added in the given order."""

        def add_new(database: sqlite3.Connection) -> dict[str, int]:
            with database:
                database.execute("BEGIN IMMEDIATE")
                return self._add_new_runs(database, wanted)

        with self._lock:
            wanted = list(runs)
            if all(run in self._positions for run in wanted):
                return {run: self._positions[run] for run in wanted}
            try:
                self._positions = known = self._database.run(add_new)
            except StateUnavailableError:  # the next request retries; `problem` has the reason
                known = self._positions | self._next_positions(self._positions, wanted)
            return {run: known[run] for run in wanted}

    def close(self) -> None:
        with self._lock:
            self._database.close()

    def _add_new_runs(self, database: sqlite3.Connection, runs: list[str]) -> dict[str, int]:
        rows = database.execute("SELECT run, position FROM seen WHERE logdir = ?", [self._key]).fetchall()
        if not all(isinstance(run, str) and isinstance(position, int) for run, position in rows):
            raise sqlite3.DatabaseError("a row of a run is invalid")
        known = dict(rows)
        fresh = self._next_positions(known, runs)
        database.executemany(
            "INSERT INTO seen VALUES (?, ?, ?)", [(self._key, run, position) for run, position in fresh.items()]
        )
        return known | fresh

    @staticmethod
    def _next_positions(known: dict[str, int], runs: list[str]) -> dict[str, int]:
        first = 1 + max(known.values(), default=-1)
        return {run: first + index for index, run in enumerate(run for run in runs if run not in known)}

    def _read(self, database: sqlite3.Connection) -> dict[str, Any]:
        with closing(database.execute("SELECT version, body FROM documents WHERE logdir = ?", [self._key])) as rows:
            row = rows.fetchone()
        return {**EMPTY, **parse_document(*row), "version": row[0]} if row else {**EMPTY, "version": 0}

    def _write(self, database: sqlite3.Connection, document: dict[str, Any]) -> None:
        body = format_document(document)
        database.execute(
            "INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?)", [self._key, self._paths, document["version"], body]
        )
