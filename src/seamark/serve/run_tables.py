"""The table of runs that all routes share. It is built in the background once a page is open."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from seamark import compare
from seamark.compare.settings import LOOK_ALL_SECS
from seamark.serve.state.state import State
from seamark.serve.state.storage import StateUnavailableError
from seamark.store import RunStore

if TYPE_CHECKING:
    from seamark.compare import RunTable

LOG = logging.getLogger(__name__)
# The background build starts when the page has drawn its charts, and uses half of one core.
DELAY_SECS = 2.0
WORK_SECS = 0.02
PAUSE_SECS = 0.02
POLL_SECS = 0.5  # until everything has been loaded
# The table of more runs takes so long to build that a page draws its charts first.
MAX_EAGER_RUNS = 300


class RunTables:
    """Builds the table for the first request, or before it once a page is open, and refreshes it for every request.

    The modules of `compare` are imported by the build, so that the server starts without them.
    """

    def __init__(self, store: RunStore, state: State, *, delay_secs: float = DELAY_SECS) -> None:
        self._store = store
        self._state = state
        self._delay_secs = delay_secs
        self._lock = threading.Lock()
        self._notes_lock = threading.Lock()
        self._table: RunTable | None = None
        self._notes: dict[str, Any] | None = None
        self._looked_at = time.monotonic()
        self._is_needed = threading.Event()  # a request waits for the table, or the server ends
        self._is_closing = False
        self._builder: threading.Thread | None = None
        self._cache_timer: threading.Timer | None = None
        # Versions start anew with every server; the prefix makes ETags of an earlier one invalid.
        self.etag_prefix = secrets.token_hex(4)
        state.on_change(self._drop_notes)

    def current(self) -> RunTable:
        self._is_needed.set()
        notes = self._current_notes()
        with self._lock:
            if self._table is None:
                self._table = compare.RunTable(self._store, notes)
                self._cache_later(self._table)
            table = self._table
            is_due = time.monotonic() - self._looked_at > LOOK_ALL_SECS
            if is_due:
                self._looked_at = time.monotonic()
        if is_due:
            # In a thread: checking ten thousand folders takes longer than answering the request.
            threading.Thread(target=check_folders, args=[table], name="seamark-folders", daemon=True).start()
        table.refresh(notes, look=False)
        return table

    def current_if_cheap(self) -> RunTable | None:
        """None while the table has yet to be built and that would delay the first charts."""
        if self._table is not None:
            return self.current()
        is_cheap = self._store.wait_loaded(0) and len(self._store.run_names()) <= MAX_EAGER_RUNS
        return self.current() if is_cheap else None

    def wait_built(self, timeout_secs: float) -> bool:
        """Whether the background build has ended, by itself or because a request took over."""
        if self._builder is not None:
            self._builder.join(timeout_secs)
        return self._builder is not None and not self._builder.is_alive()

    def build_in_background(self) -> None:
        """Called when a page connects. Returns at once; the build begins when everything has been loaded."""
        if self._builder is None and not self._is_needed.is_set():
            self._builder = threading.Thread(target=self._run_build, name="seamark-build", daemon=True)
            self._builder.start()

    def close(self) -> None:
        """Stops the background build."""
        self._is_closing = True
        self._is_needed.set()
        if self._builder is not None:
            self._builder.join()
        if self._cache_timer is not None:
            self._cache_timer.cancel()
            self._cache_timer.join()

    def _cache_later(self, table: RunTable) -> None:
        """After the first answers."""
        self._cache_timer = threading.Timer(self._delay_secs, cache_files, [table])
        self._cache_timer.daemon = True
        self._cache_timer.start()

    def _run_build(self) -> None:
        try:
            self._build()
        except Exception:  # the first request builds the table again, and answers with the error
            LOG.exception("the table of runs could not be built in the background")

    def _build(self) -> None:
        while not self._store.wait_loaded(0):
            if self._is_needed.wait(POLL_SECS):
                return
        self._is_needed.wait(self._delay_secs)
        with self._lock:  # a request meanwhile waits for the rest, which is then built without pauses
            if self._table is not None:
                return
            records = compare.Records(self._store)
            if not self._run_steps(records.read_ahead()):
                return
            self._table = table = compare.RunTable(self._store, self._current_notes(), records=records)
        self._run_steps(fill_columns(table))
        cache_files(table)

    def _run_steps(self, steps: Iterator[None]) -> bool:
        """Returns False if the server ended meanwhile."""
        pause_at = time.monotonic() + WORK_SECS
        for _ in steps:
            if self._is_closing:
                return False
            if time.monotonic() > pause_at and not self._is_needed.is_set():
                self._is_needed.wait(PAUSE_SECS)
                pause_at = time.monotonic() + WORK_SECS
        return True

    def _current_notes(self) -> dict[str, Any]:
        with self._notes_lock:
            if self._notes is None:
                try:
                    self._notes = self._state.read()["runs"]
                except StateUnavailableError:  # the table has none of them; the next request retries
                    LOG.debug("no notes for the table of runs", exc_info=True)
                    return {}
            return self._notes

    def _drop_notes(self, _: int) -> None:
        with self._notes_lock:  # else notes that are being read now, before the change, would stay
            self._notes = None


def check_folders(table: RunTable) -> None:
    try:
        table.look()
    except Exception:
        LOG.exception("the run folders could not be checked for changes")
    cache_files(table)


def cache_files(table: RunTable) -> None:
    try:
        table.cache_files()
    except Exception:
        LOG.exception("parsed run.json files could not be cached in the index")


def fill_columns(table: RunTable) -> Iterator[None]:
    """Computes the ranges and values of the columns, one at a step; requests may use the table between two steps."""
    for column_id in table.given_ids():
        with suppress(compare.UnknownColumnError), table.hold():  # a column may be gone meanwhile
            column = table.column(column_id)
            column.span()
            column.distinct  # noqa: B018 - computed on first access
        yield
