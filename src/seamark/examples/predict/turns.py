"""Turns: one thread at a time, in the order of their coming."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from seamark.examples.predict.cancel import check_cancelled

POLL_SECS = 0.05


class Turns:
    """A lock that is fair, so that a long computation in batches lets others in between, and can be cancelled."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: deque[object] = deque()

    @contextmanager
    def turn(self) -> Iterator[None]:
        ticket = object()
        with self._changed:
            self._waiting.append(ticket)
            try:
                while self._waiting[0] is not ticket:
                    check_cancelled()
                    self._changed.wait(POLL_SECS)
            except BaseException:
                self._waiting.remove(ticket)
                raise
        try:
            yield
        finally:
            with self._changed:
                self._waiting.remove(ticket)
                self._changed.notify_all()
