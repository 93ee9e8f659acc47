"""SIGTERM and SIGHUP: listeners are notified, then the program's own handler runs or the process ends.

SIGUSR1 and SIGUSR2 are left to the program: libraries install their handlers only where there is none, as Lightning
does to requeue a job of SLURM. SIGINT becomes a KeyboardInterrupt and is reported as an exception.
"""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType
from typing import Any

from seamark.write.queue.lifetime.listeners import notify_all

SIGNALS = (signal.SIGTERM, signal.SIGHUP)

_is_handling = False


class SignalHandler:
    """Ours. The program may wrap it, and be wrapped by another one; only the outermost tells the listeners."""

    def __init__(self, previous: Any) -> None:
        self.previous = previous

    @property
    def is_fatal(self) -> bool:
        """True if no handler of the program follows."""
        if isinstance(self.previous, SignalHandler):
            return self.previous.is_fatal
        return not callable(self.previous)

    def __call__(self, number: int, frame: FrameType | None) -> None:
        global _is_handling
        if _is_handling:
            self._call_previous(number, frame)
            return
        _is_handling = True
        try:
            notify_all("before_signal", signal.Signals(number).name, is_fatal=self.is_fatal)
            self._call_previous(number, frame)
        finally:
            _is_handling = False
        notify_all("process_survived")

    def _call_previous(self, number: int, frame: FrameType | None) -> None:
        if callable(self.previous):
            self.previous(number, frame)
            return
        # The parent must see a process that was ended by this signal.
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)


def catch_signals() -> None:
    """Installs handlers, also over one that the program has installed since. Only the main thread can."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in SIGNALS:
        previous = signal.getsignal(number)
        if isinstance(previous, SignalHandler):
            continue
        # Left alone: ignored signals (nohup), handlers outside Python, and handlers of SIGHUP, which mostly reload.
        if previous is signal.SIG_DFL or (callable(previous) and number == signal.SIGTERM):
            signal.signal(number, SignalHandler(previous))
