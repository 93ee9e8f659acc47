"""Idle connections: closes those that never send a complete request, so that they do not use up file descriptors.

The body of a request has a timeout of its own (plugin/request.py), which is too long for a crowded server.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import math
import resource
from collections.abc import Collection
from typing import Any

LOG = logging.getLogger(__name__)
# The headers of a request arrive at once, or within seconds over a slow connection.
HEADER_TIMEOUT_SECS = 10.0
# The timeout when there are too many connections.
SHORT_TIMEOUT_SECS = 1.0


# One of uvicorn's protocols. Used are `cycle`, the newest request, None before the first, and `transport`.
# A cycle has `more_body`, `response_started` and `response_complete`.
Connection = Any


class IdleConnections:
    """Tracks since when each connection has no request. Call `close_idle` regularly.

    Above `max_connections` the timeout is short. Half as many more are accepted, but only in place of an idle one: a
    handler that finds no descriptor fails.
    """

    def __init__(self, *, max_connections: int) -> None:
        self._max_connections = max_connections
        self._max_accepted = max_connections + max_connections // 2
        self._idle_since: dict[Connection, float] = {}

    def make_room(self, connections: Collection[Connection], newest: Connection) -> None:
        """Call after every new connection. Drops the one that is idle longest, or else the new one."""
        if len(connections) <= self._max_accepted:
            return
        still_open = [one for one in connections if not one.transport.is_closing()]
        if len(still_open) > self._max_accepted:
            waiting = [one for one in still_open if one is not newest and (is_idle(one) or waits_for_body(one))]
            dropped = min(waiting, key=lambda one: self._idle_since.get(one, math.inf), default=newest)
            self._idle_since.pop(dropped, None)
            # At once: `close` sends first what is left of a response.
            dropped.transport.abort()

    def close_idle(self, connections: Collection[Connection], now: float) -> None:
        is_crowded = len(connections) > self._max_connections
        idle = [one for one in connections if is_idle(one) or (is_crowded and waits_for_body(one))]
        self._idle_since = {connection: self._idle_since.get(connection, now) for connection in idle}
        timeout_secs = SHORT_TIMEOUT_SECS if is_crowded else HEADER_TIMEOUT_SECS
        for connection, since in self._idle_since.items():
            if now - since >= timeout_secs:
                connection.transport.close()


def accepting_protocol(protocol: Any, idle: IdleConnections) -> Any:
    """The same protocol of uvicorn, which makes room for each new connection."""

    class AcceptingProtocol(protocol):  # type: ignore[misc]
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            idle.make_room(self.connections, self)

    return AcceptingProtocol


def is_idle(connection: Connection) -> bool:
    """Whether it waits for a request. uvicorn itself closes one that waits for a second request, after 5 seconds."""
    return connection.cycle is None or bool(getattr(connection.cycle, "response_complete", False))


def waits_for_body(connection: Connection) -> bool:
    cycle = connection.cycle
    return bool(getattr(cycle, "more_body", False)) and not getattr(cycle, "response_started", False)


def max_connections() -> int:
    """Half of the files that this process may open; the others are for event files and the index."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return (soft if soft != resource.RLIM_INFINITY else 65536) // 2


def warn_once_without_descriptors(loop: asyncio.AbstractEventLoop) -> None:
    """Logs once that no connection can be accepted: the event loop retries at once and would repeat the message."""
    has_warned = False

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal has_warned
        if getattr(context.get("exception"), "errno", None) not in (errno.EMFILE, errno.ENFILE):
            loop.default_exception_handler(context)
        elif not has_warned:
            has_warned = True
            LOG.warning("no file descriptors are left for further connections; raise the limit (ulimit -n)")

    loop.set_exception_handler(handle)
