"""When a process forks or ends: every recorder that is alive is told, so that nothing is written twice or lost."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import weakref
from types import FrameType
from typing import TYPE_CHECKING, Any

from seamark.write import memory

if TYPE_CHECKING:
    from seamark.write.recorder import Recorder

# An orchestrator that sends SIGTERM kills some seconds later.
SIGTERM_TIMEOUT_SECS = 5.0

_recorders: weakref.WeakSet[Recorder] = weakref.WeakSet()
_previous_handler: Any = None
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
    _catch_sigterm()


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


def _catch_sigterm() -> None:
    global _previous_handler
    if threading.current_thread() is not threading.main_thread():
        return  # only the main thread may
    previous = signal.getsignal(signal.SIGTERM)
    if previous is signal.SIG_IGN or previous is None:
        return  # somebody decided otherwise, perhaps outside Python
    _previous_handler = previous
    signal.signal(signal.SIGTERM, _on_sigterm)


def ends_process(handler: Any) -> bool:
    """True of our handler where nobody was there before it: it does not come back."""
    return handler is _on_sigterm and not callable(_previous_handler)


def _on_sigterm(number: int, frame: FrameType | None) -> None:
    for recorder in list(_recorders):
        recorder.flush(SIGTERM_TIMEOUT_SECS)
    if callable(_previous_handler):
        _previous_handler(number, frame)
        return
    # As if we had never been there: the parent sees a process ended by SIGTERM.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGTERM)
