"""The store and the run table that all runs of one `seamark.open` share."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seamark.compare import RunTable
    from seamark.store import RunStore


class Library:
    """Its threads end when the last `Runs` that references it is deleted, or on `close`."""

    def __init__(self, make_store: Callable[[], RunStore], state: Mapping[str, Mapping[str, Any]]) -> None:
        self._make_store = make_store
        self.state = state
        self._table: RunTable | None = None
        self.store = self._started()
        self._end = weakref.finalize(self, self.store.close)

    def _started(self) -> RunStore:
        store = self._make_store()
        store.start()
        try:
            store.wait_loaded()
        except BaseException:
            store.close()
            raise
        return store

    def refresh(self) -> None:
        self.close()
        self._table = None
        self.store = self._started()
        self._end = weakref.finalize(self, self.store.close)

    @property
    def table(self) -> RunTable:
        """Created on first use, because it reads every run's configuration."""
        if self._table is None:
            from seamark.compare import RunTable

            self._table = RunTable(self.store, self.state)
        else:
            self._table.refresh()
        return self._table

    def close(self) -> None:
        self._end()
