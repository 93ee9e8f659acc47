"""The objects that are notified of exits and signals: runs first, then the recorders that their events go through."""

from __future__ import annotations

import logging
import weakref
from types import TracebackType
from typing import Any

logger = logging.getLogger(__name__)


class ProcessListener:
    """Every method does nothing by default. An exception in one of them is logged and harms no other listener."""

    def before_exit(self) -> None:
        """The interpreter exits, or a worker process of multiprocessing."""

    def before_signal(self, name: str, *, is_fatal: bool) -> None:
        """A signal arrived. `is_fatal` is False if the program has a handler of its own, which runs afterwards."""

    def before_exec(self) -> None:
        """Another program is about to replace this one (os.exec…)."""

    def process_survived(self) -> None:
        """The program's signal handler returned, or os.exec… failed."""

    def before_fork(self) -> None:
        """The process is about to be forked. A lock that another thread holds stays locked in the child."""

    def after_fork_in_child(self) -> None:
        """This is a forked child; the parent goes on with the listener's work."""

    def on_exception(self, error: BaseException, trace: TracebackType | None) -> None:
        """An exception ends the main thread."""

    def on_thread_exception(self, thread: str, error: BaseException) -> None:
        """An exception ended another thread."""

    def on_exit_status(self, status: object) -> None:
        """The main thread called sys.exit(status)."""

    def on_notebook_cell(self, error: BaseException | None) -> None:
        """A cell of a notebook ended, with an exception or without."""


_runs: weakref.WeakSet[ProcessListener] = weakref.WeakSet()
_recorders: weakref.WeakSet[ProcessListener] = weakref.WeakSet()


def add_run(run: ProcessListener) -> None:
    _runs.add(run)


def add_recorder(recorder: ProcessListener) -> None:
    _recorders.add(recorder)


def notify_all(event: str, *args: Any, **options: Any) -> None:
    notify_runs(event, *args, **options)
    notify_recorders(event, *args, **options)


def notify_runs(event: str, *args: Any, **options: Any) -> None:
    _notify(list(_runs), event, args, options)


def notify_recorders(event: str, *args: Any, **options: Any) -> None:
    _notify(list(_recorders), event, args, options)


def _notify(listeners: list[ProcessListener], event: str, args: tuple[Any, ...], options: dict[str, Any]) -> None:
    for listener in listeners:
        try:
            getattr(listener, event)(*args, **options)
        except Exception:
            logger.exception("seamark: %s failed for %r", event, listener)
