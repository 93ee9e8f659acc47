"""Starts and stops the server: finds a free port, runs uvicorn on it, and stops at once on Ctrl-C."""

from __future__ import annotations

import asyncio
import errno
import signal
import socket
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import FrameType

import uvicorn

from seamark.serve import DEFAULT_PORT, ENDING_SECS
from seamark.serve.app import Settings, create_app
from seamark.serve.http.connections import (
    IdleConnections,
    accepting_protocol,
    max_connections,
    warn_once_without_descriptors,
)
from seamark.serve.http.hosts import host_check, is_loopback_name
from seamark.serve.http.port_holder import port_holder
from seamark.serve.live.live import Live
from seamark.serve.state.state import State
from seamark.store import LogRoot, RunStore

# How many ports are tried if none was given.
PORTS_TRIED = 100
BACKLOG = 2048
# Fewer than the descriptors that IdleConnections leaves free: it is told of a connection some turns of the loop later.
ACCEPTED_AT_ONCE = 8
ALL_INTERFACES = ("0.0.0.0", "::")


class PortError(Exception):
    """The server cannot listen; the message is for the user."""


@dataclass(frozen=True, kw_only=True)
class ListenOptions:
    """Where to listen. `port` None means the default port, or the next free one."""

    host: str = "localhost"
    port: int | None = None
    token: str | None = None
    allowed_hosts: tuple[str, ...] = ()

    @property
    def is_local(self) -> bool:
        return is_loopback_name(bracketed(self.host))


def serve_store(
    store: RunStore,
    *,
    roots: Sequence[LogRoot],
    state: State,
    options: ListenOptions,
    settings: Settings,
    announce: Callable[[str], None],
) -> None:
    """Serves a started store until Ctrl-C. Calls `announce` with the URL once the server listens."""
    listener = listen(options.host, options.port)
    check = host_check(options.host, has_token=options.token is not None, allowed=options.allowed_hosts)
    settings = replace(settings, is_allowed_host=check, trusted_names=options.allowed_hosts, token=options.token)
    app = create_app(store, roots=roots, state=state, settings=settings)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        backlog=ACCEPTED_AT_ONCE,
        timeout_graceful_shutdown=ENDING_SECS,
        # The address of the connection decides whether a client is local. Compress reads the headers of a proxy itself.
        proxy_headers=False,
    )
    server = Server(config, live=app.state.live)
    if threading.current_thread() is threading.main_thread():
        # Else the signal, which uvicorn raises again, would end the process before it removes its temporary files.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    announce(make_url(listener, options, settings.path_prefix))
    try:
        asyncio.run(server.serve(sockets=[listener]))
    except KeyboardInterrupt:
        pass
    finally:
        # Again, since a Ctrl-C before uvicorn handles it ends without the application's shutdown.
        app.state.live.close()
        app.state.live.join()
        listener.close()


class Server(uvicorn.Server):
    """uvicorn waits for open responses before it ends. Event streams never end by themselves: this closes them.

    uvicorn also waits without limit for the rest of a request: this closes idle connections.
    """

    def __init__(self, config: uvicorn.Config, *, live: Live) -> None:
        super().__init__(config)
        self._live = live
        self._idle = IdleConnections(max_connections=max_connections())
        config.load()
        config.http_protocol_class = accepting_protocol(config.http_protocol_class, self._idle)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        warn_once_without_descriptors(asyncio.get_running_loop())
        await super().startup(sockets)
        for one in sockets or []:
            one.listen(BACKLOG)  # asyncio has set it to `backlog`, which also says how many it accepts at once

    async def on_tick(self, counter: int) -> bool:
        self._idle.close_idle(self.server_state.connections, time.monotonic())
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._live.close()
        super().handle_exit(sig, frame)


def listen(host: str, port: int | None) -> socket.socket:
    if port is not None and not 0 <= port <= 65535:
        raise PortError(f"a port must be a number from 0 to 65535, got {port}")
    candidates = range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED) if port is None else [port]
    for candidate in candidates:
        try:
            return open_socket(host, candidate)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                continue
            raise PortError(f"cannot listen on {host} port {candidate}: {error.strerror or error}") from None
    if port is None:
        raise PortError(
            f"ports {DEFAULT_PORT} to {DEFAULT_PORT + PORTS_TRIED - 1} are all taken; choose another with --port"
        )
    holder = port_holder(port)
    raise PortError(
        f"port {port} is taken{f' by {holder}' if holder else ''}; "
        "choose another with --port, or leave --port out to get the next free one"
    )


def open_socket(host: str, port: int) -> socket.socket:
    if host == "::" and not socket.has_dualstack_ipv6():
        host = "0.0.0.0"
    family, socket_type, protocol, _, address = socket.getaddrinfo(bind_name(host), port, type=socket.SOCK_STREAM)[0]
    opened = socket.socket(family, socket_type, protocol)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:  # "::" also accepts IPv4
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0 if host == "::" else 1)
        opened.bind(address)
        opened.listen(BACKLOG)
    except BaseException:
        opened.close()
        raise
    return opened


def bind_name(host: str) -> str:
    # localhost may resolve to ::1 first, which not every client tries.
    return "127.0.0.1" if host == "localhost" else host.strip("[]")


def bracketed(host: str) -> str:
    name = host.strip("[]")
    return f"[{name}]" if ":" in name else name


def make_url(listener: socket.socket, options: ListenOptions, path_prefix: str = "") -> str:
    """The URL to open in a browser, with the token if there is one."""
    port = listener.getsockname()[1]
    name = socket.gethostname() if options.host in ALL_INTERFACES else bracketed(options.host)
    query = f"?token={options.token}" if options.token is not None else ""
    return f"http://{name}:{port}{path_prefix}/{query}"
