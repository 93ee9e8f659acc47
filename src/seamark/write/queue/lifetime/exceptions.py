"""Uncaught exceptions, exit statuses and failed notebook cells."""

from __future__ import annotations

import sys
import threading
from types import TracebackType
from typing import Any, NoReturn

from seamark.write.queue.lifetime.listeners import notify_runs

_is_installed = False


def catch_exceptions() -> None:
    global _is_installed
    if not _is_installed:
        _is_installed = True
        _wrap_except_hooks()
        _wrap_sys_exit()
    _watch_notebook()


def _wrap_except_hooks() -> None:
    previous, previous_in_thread = sys.excepthook, threading.excepthook

    def on_exception(error_type: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        notify_runs("on_exception", error, trace)
        previous(error_type, error, trace)

    def on_thread_exception(arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None and not isinstance(arguments.exc_value, SystemExit):
            name = arguments.thread.name if arguments.thread else "?"
            notify_runs("on_thread_exception", name, arguments.exc_value)
        previous_in_thread(arguments)

    sys.excepthook, threading.excepthook = on_exception, on_thread_exception


def _wrap_sys_exit() -> None:
    """Replaces sys.exit: the interpreter calls no hook for SystemExit, and atexit functions do not see its status.

    A `raise SystemExit(3)` and a `from sys import exit` that ran before the first run are not seen.
    """
    previous = sys.exit

    def exit(status: Any = None, /) -> NoReturn:
        if threading.current_thread() is threading.main_thread():
            notify_runs("on_exit_status", status)
        previous(status)

    sys.exit = exit


def _watch_notebook() -> None:
    """In IPython an exception ends a cell, not the process."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    if shell is None or getattr(shell, "_seamark_hooked", False):
        return
    shell._seamark_hooked = True

    def after_cell(result: Any) -> None:
        error = getattr(result, "error_in_exec", None) or getattr(result, "error_before_exec", None)
        notify_runs("on_notebook_cell", error)

    shell.events.register("post_run_cell", after_cell)
