"""What holds for the process before code of users is loaded: it ends with the server, and its memory is limited."""

from __future__ import annotations

import fcntl
import os
import resource
import signal
import threading


def end_with_server(lifeline: int) -> None:
    """The server holds the other end and never writes to it: a pipe that can be read has lost its server.

    The kernel's signal also ends code that never lets Python's threads run, and the children of the process. The thread
    is for systems that ignore the signal by default.
    """
    os.set_inheritable(lifeline, False)
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)

    def wait_for_end() -> None:
        os.read(lifeline, 1)
        os.killpg(os.getpgrp(), signal.SIGKILL)

    threading.Thread(target=wait_for_end, name="seamark-lifeline", daemon=True).start()


def limit_memory(memory_mb: int) -> None:
    """Of what the process writes to. The address space is not limited: libraries reserve far more than they use."""
    limit = memory_mb << 20
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
