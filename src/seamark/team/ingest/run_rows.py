"""RunRows: the rows of the runs that are being uploaded, and how much of its quota a project uses.

A row is created with the first piece of a run. Its size and time are written every few seconds, not with every request.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass

from seamark.team.database import Database, Transaction
from seamark.team.database.database import ConflictError
from seamark.team.ingest.log_files import LogFiles
from seamark.team.secret_text import new_id

# How long a row is trusted. A run that another process moved to the trash is refused after this time.
TRUST_SECS = 5.0

RunKey = tuple[str, str]  # the id of the project, the name of the run


@dataclass
class RunState:
    """`id` is "" for a run that is in the trash."""

    id: str
    bytes: int
    checked_at: float
    uploaded_at: float = 0.0
    is_changed: bool = False


class RunRows:
    """The appender's thread calls everything; `save` may be called by another thread."""

    def __init__(self, database: Database, files: LogFiles, clock: Callable[[], float] = time.time) -> None:
        self._database, self._files, self._clock = database, files, clock
        self._states: dict[RunKey, RunState] = {}
        self._used: dict[str, tuple[float, int]] = {}
        self._lock = threading.Lock()

    def prepare(self, wanted: dict[RunKey, str | None], *, limited: Collection[str] = ()) -> None:
        """Finds or creates the rows of these runs, whose uploaders are the values, and adds up the runs of `limited`
        projects. Nothing else asks the database. Raises DatabaseError.
        """
        self._prepare_rows(wanted)
        for project_id in limited:
            self._add_up(project_id)

    def is_in_trash(self, key: RunKey) -> bool:
        return not self._states[key].id

    def used_bytes(self, project_id: str) -> int:
        """By all runs of a limited project, those in the trash as well."""
        return self._used[project_id][1]

    def add(self, key: RunKey, more_bytes: int) -> None:
        """Bytes of a run arrived; a negative number if a file was replaced by a shorter one."""
        with self._lock:
            state = self._states[key]
            state.bytes += more_bytes
            state.uploaded_at, state.is_changed = self._clock(), True
        if key[0] in self._used:
            at, used = self._used[key[0]]
            self._used[key[0]] = at, used + more_bytes

    def save(self) -> None:
        """Writes what changed. Raises DatabaseError."""
        with self._lock:
            changed = [state for state in self._states.values() if state.is_changed]
            values = [(state.bytes, state.uploaded_at, state.id) for state in changed]
            for state in changed:
                state.is_changed = False

        def update(transaction: Transaction) -> None:
            for value in values:
                transaction.execute("UPDATE runs SET bytes = ?, uploaded_at = ? WHERE id = ?", *value)

        if not values:
            return
        try:
            self._database.write(update)
        except BaseException:
            with self._lock:
                for state in changed:
                    state.is_changed = True
            raise

    def forget(self) -> None:
        """The rows were changed by others."""
        with self._lock:
            self._states.clear()
        self._used.clear()

    def _prepare_rows(self, wanted: dict[RunKey, str | None]) -> None:
        now = time.monotonic()
        old = [key for key in wanted if not self._is_fresh(self._states.get(key), now)]
        if not old:
            return
        found = self._database.read(lambda transaction: {key: find(transaction, key) for key in old})
        missing = [key for key, row in found.items() if row is None]
        if missing:
            found |= self._database.write(
                lambda transaction: {key: self._insert(transaction, key, wanted[key]) for key in missing}
            )
        for key, row in found.items():
            assert row is not None
            self._keep(key, row, now)

    def _add_up(self, project_id: str) -> None:
        now = time.monotonic()
        if project_id in self._used and now - self._used[project_id][0] < TRUST_SECS:
            return
        stored = self._database.read(lambda transaction: sizes(transaction, project_id))
        with self._lock:  # newer than what is stored
            known = {state.id: state.bytes for key, state in self._states.items() if key[0] == project_id and state.id}
        self._used[project_id] = now, sum((stored | known).values())

    def _is_fresh(self, state: RunState | None, now: float) -> bool:
        return state is not None and now - state.checked_at < TRUST_SECS

    def _insert(self, transaction: Transaction, key: RunKey, user_id: str | None) -> tuple[str, bool]:
        project_id, run = key
        run_id, now = new_id(), self._clock()
        try:
            transaction.execute(
                "INSERT INTO runs (id, project_id, name, created_at, created_by, uploaded_at) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                *(run_id, project_id, run, now, user_id, now),
            )
        except ConflictError:  # another process was faster
            row = find(transaction, key)
            if row is None:
                raise
            return row
        return run_id, False

    def _keep(self, key: RunKey, row: tuple[str, bool], now: float) -> None:
        run_id, is_deleted = row
        known = self._states.get(key)
        if known is not None and known.id == run_id and not is_deleted:
            known.checked_at = now
            return
        # Of the files themselves: what an earlier process could not write before it was killed is right again.
        size = 0 if is_deleted else sum(length for _, length in self._files.list(*key, other_runs=self._below(key)))
        with self._lock:
            self._states[key] = RunState("" if is_deleted else run_id, size, now)

    def _below(self, key: RunKey) -> Collection[str]:
        return self._database.read(lambda transaction: runs_below(transaction, *key))


def find(transaction: Transaction, key: RunKey) -> tuple[str, bool] | None:
    """The id of a run and whether it is in the trash. A live run hides deleted ones of the same name."""
    row = transaction.row(
        "SELECT id, deleted_at IS NOT NULL FROM runs WHERE project_id = ? AND name = ? "
        "ORDER BY deleted_at IS NOT NULL LIMIT 1",
        *key,
    )
    return (str(row[0]), bool(row[1])) if row else None


def sizes(transaction: Transaction, project_id: str) -> dict[str, int]:
    rows = transaction.rows("SELECT id, bytes FROM runs WHERE project_id = ?", project_id)
    return {str(run_id): int(size) for run_id, size in rows}


def runs_below(transaction: Transaction, project_id: str, run: str) -> set[str]:
    """The names of live runs in folders below that of a run."""
    rows = transaction.rows("SELECT name FROM runs WHERE project_id = ? AND deleted_at IS NULL", project_id)
    return {name for (name,) in rows if name.startswith(f"{run}/")}
