"""SingleFlightCache: equal requests at the same moment are answered once, as when fifty pages show the same chart."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Generic, TypeVar

MAX_BYTES = 64 << 20
Version = TypeVar("Version", bound=Hashable)


class Entry(Generic[Version]):
    """A response that is ready or being made. `version` is the store's, from before it was made."""

    def __init__(self, version: Version) -> None:
        self.version = version
        self.body: Future[bytes] = Future()

    @property
    def size(self) -> int:
        return len(self.body.result()) if self.body.done() and self.body.exception() is None else 0


class SingleFlightCache(Generic[Version]):
    """The most recently used responses, by key. `version` returns the current version of the store."""

    def __init__(self, version: Callable[[], Version]) -> None:
        self._version = version
        self._lock = threading.Lock()
        self._entries: OrderedDict[Hashable, Entry[Version]] = OrderedDict()

    def get(
        self, key: Hashable, make: Callable[[], bytes], *, is_fresh: Callable[[Version], bool]
    ) -> tuple[bytes, Version]:
        """The response, and the version that it has at least. Waits if another thread is making it.

        `is_fresh` decides whether a response of an older version may be used.
        """
        with self._lock:
            entry = self._entries.get(key)
            is_mine = entry is None or not self._is_valid(entry, is_fresh)
            if entry is None or is_mine:
                entry = self._entries[key] = Entry(self._version())
            self._entries.move_to_end(key)
        if is_mine:
            try:
                entry.body.set_result(make())
            except BaseException as error:
                self._remove(key, entry)
                entry.body.set_exception(error)
            self._evict()
        return entry.body.result(), entry.version

    def peek(self, key: Hashable, *, is_fresh: Callable[[Version], bool]) -> tuple[bytes, Version] | None:
        """The response if it is ready and valid. Never waits, so that the event loop may call it."""
        entry = self._entries.get(key)
        if entry is None or not entry.body.done() or entry.body.exception() is not None:
            return None
        return (entry.body.result(), entry.version) if self._is_valid(entry, is_fresh) else None

    def _is_valid(self, entry: Entry[Version], is_fresh: Callable[[Version], bool]) -> bool:
        return entry.version == self._version() or is_fresh(entry.version)

    def _remove(self, key: Hashable, entry: Entry[Version]) -> None:
        with self._lock:
            if self._entries.get(key) is entry:
                del self._entries[key]

    def _evict(self) -> None:
        with self._lock:
            total = sum(entry.size for entry in self._entries.values())
            while total > MAX_BYTES and self._entries:
                total -= self._entries.popitem(last=False)[1].size
