"""Mirrors: another tracker that gets what a run logs, too. Nothing that goes wrong there reaches the run.

A mirror works in a thread of its own behind a bounded queue: the training program never waits for it. What does not fit
is dropped and counted; an error ends the mirror with one warning, and the run goes on without it.
"""

from __future__ import annotations

import os
import queue
import threading
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from seamark.format.run_record import KILLED

QUEUE_LENGTH = 10_000
FINISH_SECS = 30.0
# Whoever ends a process by a signal waits some seconds, and then kills it.
KILLED_SECS = 5.0


class Mirror(Protocol):
    """What a run tells its mirror."""

    def log(self, values: Mapping[str, Any], step: int | None) -> None:
        """Values of one step, as given to `run.log`; a mirror takes the numbers among them."""

    def config(self, config: Mapping[str, Any]) -> None:
        """Parameters; called again when they change."""

    def finish(self, status: str) -> None:
        """The run has ended: "finished", "crashed" or "killed". Nothing is told after that."""


def mirror_named(name: str, *, run_name: str = "", project: str = "", folder: Path | None = None) -> Mirror:
    """The mirror that `mirror="aim"` means; "aim:PATH" names the repository. ValueError for another name."""
    kind, where = kind_and_place(name)
    if where and "://" not in where:  # which is a server of Aim's
        where = str(Path(where).absolute())  # the program may change its working directory before the thread is there

    def make() -> Mirror:
        from seamark.write.run.aim_mirror import AimMirror

        return AimMirror(where, run_name=run_name, project=project, folder=folder)

    return BackgroundMirror(make, name=kind)


def kind_and_place(name: str) -> tuple[str, str]:
    kind, _, where = name.partition(":")
    if kind != "aim":
        raise ValueError(f"unknown mirror: got {name!r}, want 'aim' or 'aim:PATH'")
    return kind, where


class BackgroundMirror:
    """Passes everything on in a thread, to a mirror that is made there."""

    def __init__(self, make: Callable[[], Mirror], *, name: str, length: int = QUEUE_LENGTH) -> None:
        self._make = make
        self._name = name
        # One that a signal handler may use, whatever it has interrupted; it has no bound of its own.
        self._waiting: queue.SimpleQueue[Callable[[Mirror], None] | None] = queue.SimpleQueue()
        self._length = length
        self._dropped = 0
        self._has_failed = False
        self._is_finished = False
        self._process = os.getpid()
        self._thread = threading.Thread(target=self._work, name=f"seamark-mirror-{name}", daemon=True)
        self._thread.start()

    def log(self, values: Mapping[str, Any], step: int | None) -> None:
        # Taken now: the caller may change its arrays in the next step.
        taken = {name: number for name, value in values.items() if (number := number_of(value)) is not None}
        if taken:
            self._put(lambda mirror: mirror.log(taken, step))

    def config(self, config: Mapping[str, Any]) -> None:
        taken = {str(name): plain(value) for name, value in config.items()}
        self._put(lambda mirror: mirror.config(taken))

    def finish(self, status: str) -> None:
        """Waits for what is on its way, but not for ever."""
        if self._is_finished or os.getpid() != self._process:
            return
        self._is_finished = True
        self._waiting.put(lambda mirror: mirror.finish(status))
        self._waiting.put(None)
        timeout_secs = KILLED_SECS if status == KILLED else FINISH_SECS
        self._thread.join(timeout_secs)
        if self._thread.is_alive() and not self._has_failed:
            self._warn(f"it has not taken everything within {timeout_secs:.0f} s")
        if self._dropped:
            self._warn(f"{self._dropped:,} calls were dropped because it was slower than the run")

    def _put(self, work: Callable[[Mirror], None]) -> None:
        # The thread did not come along into a forked process, whose values are not the run's anyway.
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
                continue  # lets go of what waits
            try:
                mirror = mirror or self._make()
                work(mirror)
            except BaseException as error:  # another library's, of whatever kind
                self._has_failed = True
                self._warn(f"{type(error).__name__}: {error}")

    def _warn(self, reason: str) -> None:
        # Where warnings are errors, this one still harms nobody.
        with suppress(RuntimeWarning):
            warnings.warn(f"the mirror '{self._name}' is off, the run goes on: {reason}", RuntimeWarning, stacklevel=3)


def number_of(value: Any) -> float | int | None:
    """A Python number from a number, or from an array of one element; None for everything else."""
    if isinstance(value, bool | int | float):
        return value
    try:
        item = value.item()  # NumPy, torch, JAX, TensorFlow: of one element only
    except Exception:
        return None
    return item if isinstance(item, bool | int | float) else None


def plain(value: Any) -> Any:
    """As far as it goes with numbers, text, lists and dictionaries; everything else as text."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    number = number_of(value)
    return number if number is not None else str(value)
