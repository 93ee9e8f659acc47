"""How a process ends, and what its runs have to know of it: exceptions, exit codes, signals, forks, notebooks' cells.

Installed with the first run of a process. Whoever was there before is called as before.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import weakref
from contextlib import suppress
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

from seamark.write import lifetime
from seamark.write.run import failures

if TYPE_CHECKING:
    from seamark.write.run.run import Run


_runs: weakref.WeakSet[Run] = weakref.WeakSet()
_previous_handlers: dict[int, Any] = {}
_is_hooked = False


def watch_over(run: Run) -> None:
    """Call it after the run's writer was made: what is hooked in last is asked first."""
    _runs.add(run)
    _hook_signals()
    _hook_notebook()
    _hook_worker()
    _hook()


def _live() -> list[Run]:
    pid = os.getpid()
    return [run for run in list(_runs) if run.is_live and run.pid == pid]


def _hook() -> None:
    global _is_hooked
    if _is_hooked:
        return
    _is_hooked = True
    atexit.register(_at_exit)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_after_fork_in_child)
    _hook_exceptions()
    _hook_exit()
    lifetime.before_exec(_before_exec, _after_failed_exec)


def _at_exit() -> None:
    for run in _live():
        with suppress(Exception):
            run.end()


def _before_exec() -> None:
    for run in _live():
        run.note_replaced()


def _after_failed_exec() -> None:
    for run in _live():
        run.note_survived()


def _hook_worker() -> None:
    """A process of multiprocessing leaves without atexit, but runs finalizers. It forgets those made at the fork."""
    process, util = (sys.modules.get(f"multiprocessing.{name}") for name in ("process", "util"))
    if process is not None and util is not None and process.parent_process() is not None:
        util.Finalize(None, _at_exit_of_worker, exitpriority=10)


def _at_exit_of_worker() -> None:
    error = sys.exc_info()[1]  # on its way out: multiprocessing asks no hook
    if error is not None:
        for run in _live():
            run.note_failure(error)
    _at_exit()


def _after_fork_in_child() -> None:
    for run in list(_runs):
        run.after_fork_in_child()


def _hook_exceptions() -> None:
    before, before_in_thread = sys.excepthook, threading.excepthook

    def on_exception(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        for run in _live():
            with suppress(Exception):
                run.note_failure(error, trace)
        before(kind, error, trace)

    def on_thread_exception(arguments: threading.ExceptHookArgs) -> None:
        # The program goes on without the thread, and so does the run; but somebody should know.
        if arguments.exc_value is not None and not isinstance(arguments.exc_value, SystemExit):
            name = arguments.thread.name if arguments.thread else "?"
            for run in _live():
                with suppress(Exception):
                    run.note_thread_failure(name, arguments.exc_value)
        before_in_thread(arguments)

    sys.excepthook, threading.excepthook = on_exception, on_thread_exception


def _hook_exit() -> None:
    """sys.exit(3) ends in SystemExit, of which no hook is told; so the call itself is heard."""
    before = sys.exit

    def heard_exit(status: Any = None, /) -> NoReturn:
        if threading.current_thread() is threading.main_thread():
            for run in _live():
                run.note_exit(failures.exit_code(status), status if isinstance(status, str) else "")
        before(status)

    sys.exit = heard_exit


def _hook_signals() -> None:
    if threading.current_thread() is not threading.main_thread():
        return  # only the main thread may
    # SIGINT becomes a KeyboardInterrupt, which comes in as an exception.
    for number in lifetime.SIGNALS:
        current = signal.getsignal(number)
        # Ignored (nohup), or somebody else's outside Python: left alone.
        if current is _on_signal or current is signal.SIG_IGN or current is None:
            continue
        if number != signal.SIGTERM and current not in (signal.SIG_DFL, lifetime.on_signal):
            continue
        _previous_handlers[number] = current
        signal.signal(number, _on_signal)


def _on_signal(number: int, frame: FrameType | None) -> None:
    before = _previous_handlers.get(number, signal.SIG_DFL)
    for run in _live():
        with suppress(Exception):
            # A handler of the program's own may decide to go on; one of the system ends the process.
            run.note_signal(signal.Signals(number).name)
    is_end = not callable(before) or lifetime.ends_process(before, number)
    for run in _live() if is_end else ():
        with suppress(Exception):
            run.note_gone()
    if callable(before):
        before(number, frame)
        # It came back: the program means to end by itself, or not at all.
        for run in _live():
            with suppress(Exception):
                run.note_survived()
        return
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _hook_notebook() -> None:
    """In IPython an exception ends a cell, not the process: the run counts as crashed until a cell succeeds."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    if shell is None or getattr(shell, "_seamark_hooked", False):
        return
    shell._seamark_hooked = True

    def after_cell(result: Any) -> None:
        error = getattr(result, "error_in_exec", None) or getattr(result, "error_before_exec", None)
        for run in _live():
            with suppress(Exception):
                run.note_cell(error)

    shell.events.register("post_run_cell", after_cell)
