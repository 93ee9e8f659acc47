"""Closes connections that hold a descriptor and ask for nothing: half a request costs a client nothing to send."""

from __future__ import annotations

import asyncio
import errno
import logging
import resource
from collections.abc import Collection
from typing import Any

# A request's headers arrive in one piece, or over a slow line in some seconds.
HEADER_TIMEOUT_SECS = 10.0
# When connections run out, those that have asked for nothing for so long go first.
SHORT_TIMEOUT_SECS = 1.0


# One of uvicorn's protocols; used of it are `cycle`, the newest request, None before the first, and `transport`.
Connection = Any


class IdleConnections:
    """Looked through from time to time; remembers since when each connection is without a request."""

    def __init__(self, *, max_connections: int) -> None:
        self._max_connections = max_connections
        self._idle_since: dict[Connection, float] = {}

    def close_idle(self, connections: Collection[Connection], now: float) -> None:
        idle = [one for one in connections if is_idle(one)]
        self._idle_since = {one: self._idle_since.get(one, now) for one in idle}
        is_crowded = len(connections) > self._max_connections
        timeout_secs = SHORT_TIMEOUT_SECS if is_crowded else HEADER_TIMEOUT_SECS
        for connection, since in self._idle_since.items():
            if now - since >= timeout_secs:
                connection.transport.close()


def is_idle(connection: Connection) -> bool:
    """Whether it waits for a request. uvicorn closes one that waits for a second request by itself, in 5 seconds."""
    return connection.cycle is None or bool(getattr(connection.cycle, "response_complete", False))


def max_connections() -> int:
    """Half of the files that this process may open: the others are for event files and the index."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return (soft if soft != resource.RLIM_INFINITY else 65536) // 2


def tell_shortage_once(loop: asyncio.AbstractEventLoop) -> None:
    """A loop that cannot accept tries again at once, and would fill the log with the same line."""
    is_told = False

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal is_told
        if getattr(context.get("exception"), "errno", None) not in (errno.EMFILE, errno.ENFILE):
            loop.default_exception_handler(context)
        elif not is_told:
            is_told = True
            logging.getLogger("uvicorn.error").warning(
                "no file descriptors are left for further connections; raise the limit (ulimit -n)"
            )

    loop.set_exception_handler(handle)
