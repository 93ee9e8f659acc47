"""The thread behind a run: gathers what takes a while, then heartbeats, system metrics and console, each in time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

TICK_SECS = 1.0
MIN_TICK_SECS = 0.05


@dataclass
class Duty:
    every_secs: float
    do: Callable[[], None]
    next_at: float


class Keeper:
    """Duties are done one after another by one thread; what one of them raises is its own business to prevent."""

    def __init__(self, first: Callable[[], None], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._first, self._clock = first, clock
        self._duties: list[Duty] = []
        self._stop = threading.Event()
        self._gathered = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, every_secs: float, do: Callable[[], None]) -> None:
        self._duties.append(Duty(every_secs, do, self._clock() + every_secs))

    def start(self) -> None:
        self._thread = threading.Thread(target=self._work, name="seamark-run", daemon=True)
        self._thread.start()

    def stop(self, *, timeout_secs: float) -> None:
        """Waits for what was begun, but not for ever: the disk may have stalled."""
        self._stop.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout_secs)

    def wait_until_gathered(self, timeout_secs: float) -> bool:
        return self._gathered.wait(timeout_secs)

    def tick(self) -> None:
        now = self._clock()
        for duty in self._duties:
            if now >= duty.next_at:
                # Counted from now: a machine that slept has nothing to catch up with.
                duty.next_at = now + duty.every_secs
                duty.do()

    def _work(self) -> None:
        try:
            self._first()
        finally:
            self._gathered.set()
        tick_secs = max(MIN_TICK_SECS, min([TICK_SECS, *(duty.every_secs for duty in self._duties)]))
        while not self._stop.wait(tick_secs):
            self.tick()
