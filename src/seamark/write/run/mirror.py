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
from importlib import import_module
from typing import Any, Protocol

QUEUE_LENGTH = 10_000
FINISH_SECS = 30.0


class Mirror(Protocol):
    """What a run tells its mirror."""

    def log(self, values: Mapping[str, Any], step: int | None) -> None:
        """Values of one step, as given to `run.log`; a mirror takes the numbers among them."""

    def config(self, config: Mapping[str, Any]) -> None:
        """Parameters; called again when they change."""

    def finish(self, status: str) -> None:
        """The run has ended: "finished", "crashed" or "killed". Nothing is told after that."""


def mirror_named(name: str, *, run_name: str = "", project: str = "") -> Mirror:
    """The mirror that `mirror="aim"` means; "aim:PATH" names the repository. ValueError for another name."""
    kind, where = kind_and_place(name)
    return BackgroundMirror(lambda: AimMirror(where, run_name=run_name, project=project), name=kind)


def kind_and_place(name: str) -> tuple[str, str]:
    kind, _, where = name.partition(":")
    if kind != "aim":
        raise ValueError(f"unknown mirror: got {name!r}, want 'aim' or 'aim:PATH'")
    return kind, where


class AimMirror:
    """An Aim run with the same scalars and parameters. Made in the mirror's thread: Aim takes its time to load."""

    def __init__(self, repo: str, *, run_name: str, project: str) -> None:
        try:
            aim = import_module("aim")
        except ImportError as error:
            raise ImportError("mirror='aim' needs its package: pip install aim") from error
        if repo and not os.path.isdir(os.path.join(repo, ".aim")):  # noqa: PTH112, PTH118
            aim.Repo.from_path(repo, init=True)
        # The run has its own system metrics and its own console.
        options = {"system_tracking_interval": None, "capture_terminal_logs": False, "log_system_params": False}
        self._run = aim.Run(repo=repo or None, experiment=project or None, **options)
        if run_name:
            self._run.name = run_name

    def log(self, values: Mapping[str, Any], step: int | None) -> None:
        for name, value in values.items():
            self._run.track(value, name=name, step=step)

    def config(self, config: Mapping[str, Any]) -> None:
        self._run["hparams"] = dict(config)

    def finish(self, status: str) -> None:
        self._run["status"] = status
        self._run.close()


class BackgroundMirror:
    """Passes everything on in a thread, to a mirror that is made there."""

    def __init__(self, make: Callable[[], Mirror], *, name: str, length: int = QUEUE_LENGTH) -> None:
        self._make = make
        self._name = name
        self._waiting: queue.Queue[Callable[[Mirror], None] | None] = queue.Queue(length)
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
        try:
            self._waiting.put(lambda mirror: mirror.finish(status), timeout=FINISH_SECS)
            self._waiting.put(None, timeout=FINISH_SECS)
        except queue.Full:
            pass
        self._thread.join(FINISH_SECS)
        if self._thread.is_alive() and not self._has_failed:
            self._warn(f"it has not taken everything within {FINISH_SECS:.0f} s")
        if self._dropped:
            self._warn(f"{self._dropped:,} calls were dropped because it was slower than the run")

    def _put(self, work: Callable[[Mirror], None]) -> None:
        # The thread did not come along into a forked process, whose values are not the run's anyway.
        if self._has_failed or self._is_finished or os.getpid() != self._process:
            return
        try:
            self._waiting.put_nowait(work)
        except queue.Full:
            self._dropped += 1

    def _work(self) -> None:
        mirror: Mirror | None = None
        while (work := self._waiting.get()) is not None:
            if self._has_failed:
                continue  # empties the queue for whoever waits to put an end into it
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
