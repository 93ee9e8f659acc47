"""The one table of runs that all routes share, and how it is made before anyone asks for it."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from seamark import compare
from seamark.compare.settings import LOOK_ALL_SECS
from seamark.serve.state import State
from seamark.serve.state_database import StateUnavailableError
from seamark.store import Store

if TYPE_CHECKING:
    from seamark.compare import RunTable

# Ahead of any question the table is made with half of one core, after the page has had time to draw its charts.
QUIET_SECS = 2.0
WORK_SECS = 0.02
PAUSE_SECS = 0.02
LOADED_SECS = 0.5  # between two looks at whether loading has ended


class Tables:
    """Made when it is first asked for, or ahead of that once a page is open; brought up to date at every question.

    Nothing of what it is made of is loaded before that: a server starts without it.
    """

    def __init__(self, store: Store, state: State, *, quiet_secs: float = QUIET_SECS) -> None:
        self._store = store
        self._state = state
        self._quiet_secs = quiet_secs
        self._lock = threading.Lock()
        self._notes_lock = threading.Lock()
        self._table: RunTable | None = None
        self._notes: dict[str, Any] | None = None
        self._looked_at = time.monotonic()
        self._is_wanted = threading.Event()  # somebody waits for the table, or the server ends
        self._is_closing = False
        self._builder: threading.Thread | None = None
        # Versions start anew with every server; the mark keeps those of an earlier one apart.
        self.mark = secrets.token_hex(4)
        state.on_change(self._forget_notes)

    def current(self) -> RunTable:
        self._is_wanted.set()
        notes = self._current_notes()
        with self._lock:
            if self._table is None:
                self._table = compare.RunTable(self._store, notes)
            table = self._table
            is_due = time.monotonic() - self._looked_at > LOOK_ALL_SECS
            if is_due:
                self._looked_at = time.monotonic()
        if is_due:
            # Beside the question: to ask the disk about ten thousand folders takes longer than to answer.
            threading.Thread(target=table.look, name="seamark-table", daemon=True).start()
        table.refresh(notes, look=False)
        return table

    def wait_ahead(self, timeout_secs: float) -> bool:
        """Whether building ahead has ended, by itself or because somebody asked."""
        if self._builder is not None:
            self._builder.join(timeout_secs)
        return self._builder is not None and not self._builder.is_alive()

    def build_ahead(self) -> None:
        """A page is open: sooner or later it asks. Returns at once; begins when everything has been loaded."""
        if self._builder is None and not self._is_wanted.is_set():
            self._builder = threading.Thread(target=self._build, name="seamark-table-ahead", daemon=True)
            self._builder.start()

    def close(self) -> None:
        """Ends building ahead; what was asked for is answered."""
        self._is_closing = True
        self._is_wanted.set()
        if self._builder is not None:
            self._builder.join()

    def _build(self) -> None:
        while not self._store.wait_loaded(0):
            if self._is_wanted.wait(LOADED_SECS):
                return
        self._is_wanted.wait(self._quiet_secs)
        with self._lock:  # who asks meanwhile waits for the rest, which then comes without pauses
            if self._table is not None:
                return
            records = compare.Records(self._store)
            if not self._work_through(records.read_ahead()):
                return
            self._table = table = compare.RunTable(self._store, self._current_notes(), records=records)
        self._work_through(made_columns(table))

    def _work_through(self, pieces: Iterator[None]) -> bool:
        """False when the server ended meanwhile."""
        pause_at = time.monotonic() + WORK_SECS
        for _ in pieces:
            if self._is_closing:
                return False
            if time.monotonic() > pause_at and not self._is_wanted.is_set():
                self._is_wanted.wait(PAUSE_SECS)
                pause_at = time.monotonic() + WORK_SECS
        return True

    def _current_notes(self) -> dict[str, Any]:
        with self._notes_lock:
            if self._notes is None:
                try:
                    self._notes = self._state.read()["runs"]
                except StateUnavailableError:  # the table is shown without them; the next request tries again
                    return {}
            return self._notes

    def _forget_notes(self, _: int) -> None:
        with self._notes_lock:  # or what is being read now, before the change, would be kept
            self._notes = None


def made_columns(table: RunTable) -> Iterator[None]:
    """What the list of columns tells of each, worked out and kept; others may use the table between two of them."""
    for column_id in table.given_ids():
        with suppress(compare.UnknownColumnError), table.hold():  # it may have gone meanwhile
            column = table.column(column_id)
            column.span()
            column.distinct  # noqa: B018 - worked out when first asked for
        yield
