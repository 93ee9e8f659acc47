"""The thread of a run: one slow task at the start, then tasks at intervals."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

TICK_SECS = 1.0
MIN_TICK_SECS = 0.05

logger = logging.getLogger(__name__)


@dataclass
class PeriodicTask:
    every_secs: float
    run: Callable[[], None]
    next_at: float


class PeriodicTasks:
    """Runs tasks one after another in one thread. An exception is logged, and the thread goes on."""

    def __init__(self, first: Callable[[], None], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._first, self._clock = first, clock
        self._tasks: list[PeriodicTask] = []
        self._stop = threading.Event()
        self._collected = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, every_secs: float, run: Callable[[], None]) -> None:
        self._tasks.append(PeriodicTask(every_secs, run, self._clock() + every_secs))

    def start(self) -> None:
        self._thread = threading.Thread(target=self._work, name="seamark-run", daemon=True)
        self._thread.start()

    def stop(self, *, timeout_secs: float) -> None:
        """Waits for the current task, but not forever: the disk may have stalled."""
        self._stop.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout_secs)

    def wait_until_collected(self, timeout_secs: float) -> bool:
        """Waits for the first task, unless there is no thread that would do it, or it is this one."""
        thread = self._thread
        if thread is None or not thread.is_alive() or thread is threading.current_thread():
            return self._collected.is_set()
        return self._collected.wait(timeout_secs)

    def tick(self) -> None:
        now = self._clock()
        for task in self._tasks:
            if now >= task.next_at:
                # Counted from now: a machine that was suspended has nothing to catch up with.
                task.next_at = now + task.every_secs
                _run(task.run)

    def _work(self) -> None:
        _run(self._first)
        self._collected.set()
        tick_secs = max(MIN_TICK_SECS, min([TICK_SECS, *(task.every_secs for task in self._tasks)]))
        while not self._stop.wait(tick_secs):
            self.tick()


def _run(task: Callable[[], None]) -> None:
    try:
        task()
    except Exception:
        logger.exception("seamark: a background task of a run failed")
