"""Profile: a trace and what the analyses find in it, each computed once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from seamark.profiles.form import Trace
from seamark.profiles.result_cache import ResultCache
from seamark.profiles.results import Steps

T = TypeVar("T")


class Profile:
    """For any thread. `source` is the file that the arguments of slices are read from."""

    def __init__(
        self, trace: Trace, source: Path, *, drawn_steps: Steps | None = None, results: ResultCache | None = None
    ) -> None:
        self.trace, self.source = trace, source
        self.drawn_steps = drawn_steps
        # Other steps have other results.
        self._results = results if drawn_steps is None else None
        self._lock = threading.Lock()
        # One for each analysis, so that a window never waits for an overview.
        self._locks: dict[Callable[..., Any], threading.RLock] = {}
        self._found: dict[Callable[..., Any], Any] = {}

    def get(self, analyse: Callable[[Profile], T]) -> T:
        """The result of an analysis, computed at the first call. An analysis may ask for others."""
        if analyse not in self._found:
            with self._lock:
                lock = self._locks.setdefault(analyse, threading.RLock())
            with lock:
                if analyse not in self._found:
                    self._found[analyse] = self._load_or_compute(analyse)
        return self._found[analyse]  # type: ignore[no-any-return]

    def _load_or_compute(self, analyse: Callable[[Profile], T]) -> T:
        if self._results is None:
            return analyse(self)
        return self._results.get(analyse, lambda: analyse(self))
