"""Foreground: background threads give way while somebody waits for an answer, as Python runs one thread at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Foreground:
    def __init__(self) -> None:
        self._answering = 0
        self._is_idle = threading.Condition()

    @contextmanager
    def answering(self) -> Iterator[None]:
        with self._is_idle:
            self._answering += 1
        try:
            yield
        finally:
            with self._is_idle:
                self._answering -= 1
                if self._answering == 0:
                    self._is_idle.notify_all()

    def give_way(self, max_secs: float) -> float:
        """Waits until nothing is answered, or for `max_secs`; returns how long."""
        began = time.monotonic()
        with self._is_idle:
            self._is_idle.wait_for(lambda: self._answering == 0, max_secs)
        return time.monotonic() - began


# One for the process, as Python's lock is.
FOREGROUND = Foreground()
