"""When a process forks, ends or becomes another program: every live recorder is flushed, nothing is written twice.

SIGUSR1 and SIGUSR2 are left to the program: libraries install their handlers only where there is none, as Lightning
does to requeue a job of SLURM.
"""

from __future__ import annotations

import atexit
import functools
import os
import signal
import sys
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING, Any

from seamark.write import memory

if TYPE_CHECKING:
    from seamark.write.recorder import Recorder

# An orchestrator that sends SIGTERM kills some seconds later.
SIGNAL_TIMEOUT_SECS = 5.0
SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

_recorders: weakref.WeakSet[Recorder] = weakref.WeakSet()
_previous_handlers: dict[int, Any] = {}
_is_hooked = False
_finalized_process = 0


def register(recorder: Recorder) -> None:
    _recorders.add(recorder)
    _hook()


def _hook() -> None:
    """Once per process, and not on import: a program that never logs keeps its signal handlers."""
    global _is_hooked
    if _is_hooked:
        return
    _is_hooked = True
    atexit.register(_close_all)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_after_fork_in_child)
    _catch_signals()
    before_exec(lambda: _flush_all(SIGNAL_TIMEOUT_SECS), lambda: None)


def before_first_write() -> None:
    """A child of multiprocessing leaves without running atexit, but not without its finalizers."""
    global _finalized_process
    process, util = sys.modules.get("multiprocessing.process"), sys.modules.get("multiprocessing.util")
    if process is None or util is None or process.parent_process() is None:
        return
    if _finalized_process != os.getpid():
        _finalized_process = os.getpid()
        util.Finalize(None, _close_all, exitpriority=0)


def _close_all() -> None:
    for recorder in list(_recorders):
        recorder.close()


def _after_fork_in_child() -> None:
    memory.pool.forget()
    for recorder in list(_recorders):
        recorder.after_fork_in_child()


def _flush_all(timeout_secs: float) -> None:
    for recorder in list(_recorders):
        recorder.flush(timeout_secs)


def _catch_signals() -> None:
    if threading.current_thread() is not threading.main_thread():
        return  # only the main thread may
    for number in SIGNALS:
        previous = signal.getsignal(number)
        if previous is on_signal:
            continue
        # Ignored (nohup), or handled outside Python: left alone. Who handles SIGHUP mostly reloads something.
        if previous is signal.SIG_DFL or (callable(previous) and number == signal.SIGTERM):
            _previous_handlers[number] = previous
            signal.signal(number, on_signal)


def ends_process(handler: Any, number: int) -> bool:
    """True of our handler where nobody was there before it: it does not return."""
    return handler is on_signal and not callable(_previous_handlers.get(number))


def on_signal(number: int, frame: FrameType | None) -> None:
    _flush_all(SIGNAL_TIMEOUT_SECS)
    previous = _previous_handlers.get(number)
    if callable(previous):
        previous(number, frame)
        return
    # As if we had never been there: the parent sees a process ended by this signal.
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def before_exec(prepare: Callable[[], None], undo: Callable[[], None]) -> None:
    """Calls `prepare` before another program replaces this one, and `undo` when that fails. All of os.exec* end in
    these two functions."""
    for name in ("execv", "execve"):
        original = getattr(os, name, None)
        if original is not None:
            setattr(os, name, _prepared(original, prepare, undo))


def _prepared(
    original: Callable[..., Any], prepare: Callable[[], None], undo: Callable[[], None]
) -> Callable[..., Any]:
    @functools.wraps(original)
    def call(*arguments: Any, **keywords: Any) -> Any:
        with suppress(Exception):
            prepare()
        try:
            return original(*arguments, **keywords)
        except BaseException:
            with suppress(Exception):
                undo()
            raise

    return call
