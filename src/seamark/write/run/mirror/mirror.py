"""Mirrors: copies of a run in another tracker.

A mirror runs in its own thread behind a bounded queue, so the training program never waits for it. Calls that do not
fit are dropped and counted. An error ends the mirror with one warning, and the run continues without it.
"""

from __future__ import annotations

import logging
import os
import queue
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from seamark.format.plain import plain
from seamark.format.run_record import KILLED
from seamark.write.queue.warn_once import WarnOnce
from seamark.write.run.values.dispatch import number_of

QUEUE_LENGTH = 10_000
FINISH_SECS = 30.0
# An orchestrator that sends a signal kills the process some seconds later.
KILLED_SECS = 5.0

logger = logging.getLogger(__name__)


class Mirror(Protocol):
    """The calls that a run makes."""

    def log(self, values: Mapping[str, Any], step: int | None) -> None:
        """Values of one step, as given to `run.log`; a mirror uses the numbers among them."""

    def config(self, config: Mapping[str, Any]) -> None:
        """Parameters; called again when they change."""

    def finish(self, status: str) -> None:
        """The run has ended: "finished", "crashed" or "killed". There are no calls after this one."""


def mirror_named(name: str, *, run_name: str = "", project: str = "", folder: Path | None = None) -> Mirror:
    """Creates the mirror for "aim" or "aim:PATH", where PATH is the repository. Raises ValueError for other names."""
    tracker, repo = parse_mirror(name)
    if repo and "://" not in repo:  # not the address of an Aim server
        repo = str(Path(repo).absolute())  # the program may change its working directory before the thread starts

    def make() -> Mirror:
        from seamark.write.run.mirror.aim_mirror import AimMirror

        return AimMirror(repo, run_name=run_name, project=project, folder=folder)

    return BackgroundMirror(make, name=tracker)


def parse_mirror(name: str) -> tuple[str, str]:
    """Splits "aim:PATH" into the tracker and the path of its repository."""
    tracker, _, repo = name.partition(":")
    if tracker != "aim":
        raise ValueError(f"unknown mirror: got {name!r}, want 'aim' or 'aim:PATH'")
    return tracker, repo


class BackgroundMirror:
    """Forwards all calls to a mirror that is created, and called, in a thread."""

    def __init__(self, make: Callable[[], Mirror], *, name: str, length: int = QUEUE_LENGTH) -> None:
        self._make = make
        self._warn_once = WarnOnce(logger, name)
        # A SimpleQueue is safe to use in a signal handler; it has no limit of its own.
        self._waiting: queue.SimpleQueue[Callable[[Mirror], None] | None] = queue.SimpleQueue()
        self._length = length
        self._dropped = 0
        self._has_failed = False
        self._is_finished = False
        self._process = os.getpid()
        self._thread = threading.Thread(target=self._work, name=f"seamark-mirror-{name}", daemon=True)
        self._thread.start()

    def log(self, values: Mapping[str, Any], step: int | None) -> None:
        # Converted now: the caller may change its arrays in the next step.
        numbers = {name: number for name, value in values.items() if (number := number_of(value)) is not None}
        if numbers:
            self._put(lambda mirror: mirror.log(numbers, step))

    def config(self, config: Mapping[str, Any]) -> None:
        values = {str(name): plain(value) for name, value in config.items()}
        self._put(lambda mirror: mirror.config(values))

    def finish(self, status: str) -> None:
        """Waits for the calls in the queue, but not forever."""
        if self._is_finished or os.getpid() != self._process:
            return
        self._is_finished = True
        self._waiting.put(lambda mirror: mirror.finish(status))
        self._waiting.put(None)
        timeout_secs = KILLED_SECS if status == KILLED else FINISH_SECS
        self._thread.join(timeout_secs)
        if self._thread.is_alive() and not self._has_failed:
            self._warn(f"it did not accept everything within {timeout_secs:.0f} s")
        if self._dropped:
            self._warn(f"{self._dropped:,} calls were dropped because it was slower than the run")

    def _put(self, work: Callable[[Mirror], None]) -> None:
        # A forked process has no such thread, and its values do not belong to the run.
        if self._has_failed or self._is_finished or os.getpid() != self._process:
            return
        if self._waiting.qsize() < self._length:
            self._waiting.put(work)
        else:
            self._dropped += 1

    def _work(self) -> None:
        mirror: Mirror | None = None
        while (work := self._waiting.get()) is not None:
            if self._has_failed:
                continue  # drops the remaining calls
            try:
                mirror = mirror or self._make()
                work(mirror)
            except BaseException as error:  # the other library may raise anything
                self._has_failed = True
                self._warn(f"{type(error).__name__}: {error}")

    def _warn(self, reason: str) -> None:
        self._warn_once.warn(reason, f"the run continues without its mirror: {reason}")
