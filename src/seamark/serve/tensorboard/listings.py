"""Caches the JSON of listings. Pages and scripts poll them, also while thousands of runs are loading."""

from __future__ import annotations

import time
from collections.abc import Callable

from seamark.serve.http.cache import SingleFlightCache
from seamark.store import RunStore

# While the log directory loads, every moment brings new series; a client that polls gets a listing of this age.
MAX_AGE_WHILE_LOADING_SECS = 0.3


class Listings:
    """Builds a listing once per version of the store, and a few times a second while the store is loading."""

    def __init__(self, store: RunStore, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._cache = SingleFlightCache(lambda: store.version)
        self._built_at: dict[str, float] = {}

    def get(self, name: str, build: Callable[[], bytes]) -> bytes:
        def build_and_note() -> bytes:
            body = build()
            self._built_at[name] = self._clock()
            return body

        body, _ = self._cache.get(name, build_and_note, is_fresh=lambda _: self._is_recent(name))
        return body

    def _is_recent(self, name: str) -> bool:
        age_secs = self._clock() - self._built_at.get(name, self._clock())
        return age_secs < MAX_AGE_WHILE_LOADING_SECS and self._store.progress().loading
