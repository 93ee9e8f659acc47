"""Fifty pages that show the same chart ask the same question at the same moment: it is answered once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass, field

MAX_BYTES = 64 << 20


@dataclass(frozen=True)
class Entry:
    version: int  # of the store, before the answer was made
    body: Future[bytes] = field(default_factory=Future)

    @property
    def size(self) -> int:
        return len(self.body.result()) if self.body.done() and self.body.exception() is None else 0


class Remembered:
    """The latest answers. `version` is the store's now."""

    def __init__(self, version: Callable[[], int]) -> None:
        self._version = version
        self._lock = threading.Lock()
        self._entries: OrderedDict[Hashable, Entry] = OrderedDict()

    def get(
        self, question: Hashable, make: Callable[[], bytes], *, is_fresh: Callable[[int], bool]
    ) -> tuple[bytes, int]:
        """The answer and the version it has at least. Whoever asks second waits for the first.

        `is_fresh` says whether an answer of an older version will do.
        """
        with self._lock:
            entry = self._entries.get(question)
            is_mine = entry is None or not (entry.version == self._version() or is_fresh(entry.version))
            if entry is None or is_mine:
                entry = self._entries[question] = Entry(self._version())
            self._entries.move_to_end(question)
        if is_mine:
            try:
                entry.body.set_result(make())
            except BaseException as error:
                self._forget(question, entry)
                entry.body.set_exception(error)
            self._make_room()
        return entry.body.result(), entry.version

    def peek(self, question: Hashable, *, is_fresh: Callable[[int], bool]) -> tuple[bytes, int] | None:
        """The answer if it is there and still right; never waits, so that the event loop may ask."""
        entry = self._entries.get(question)
        if entry is None or not entry.body.done() or entry.body.exception() is not None:
            return None
        if not (entry.version == self._version() or is_fresh(entry.version)):
            return None
        return entry.body.result(), entry.version

    def _forget(self, question: Hashable, entry: Entry) -> None:
        with self._lock:
            if self._entries.get(question) is entry:
                del self._entries[question]

    def _make_room(self) -> None:
        with self._lock:
            total = sum(entry.size for entry in self._entries.values())
            while total > MAX_BYTES and self._entries:
                total -= self._entries.popitem(last=False)[1].size
