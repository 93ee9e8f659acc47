"""Listening and ending: a free port, uvicorn on it, and a Ctrl-C that ends at once."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import FrameType

import uvicorn

from seamark.serve import DEFAULT_PORT, ENDING_SECS
from seamark.serve.app import Settings, create_app
from seamark.serve.connections import IdleConnections, max_connections, tell_shortage_once
from seamark.serve.live import Live
from seamark.serve.port_holder import port_holder
from seamark.serve.security import host_check, is_loopback_name
from seamark.serve.state import State
from seamark.store import LogRoot, Store

# As far as the next free port is looked for when none was asked for.
PORTS_TRIED = 100
EVERY_INTERFACE = ("0.0.0.0", "::")


class PortTakenError(Exception):
    """No socket could be opened; the message is for the user."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where to listen. `port` None is the default one, or the next that is free."""

    host: str = "localhost"
    port: int | None = None
    token: str | None = None
    allowed_hosts: tuple[str, ...] = ()

    @property
    def is_local(self) -> bool:
        return is_loopback_name(bracketed(self.host))


def serve_store(
    store: Store,
    *,
    roots: Sequence[LogRoot],
    state: State,
    place: Place,
    settings: Settings,
    announce: Callable[[str], None],
) -> None:
    """Serves a started store until Ctrl-C. `announce` gets the address once it can be opened."""
    listening = listen(place.host, place.port)
    check = host_check(place.host, has_token=place.token is not None, allowed=place.allowed_hosts)
    guarded = replace(settings, is_allowed_host=check, trusted_names=place.allowed_hosts, token=place.token)
    app = create_app(store, roots=roots, state=state, settings=guarded)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=ENDING_SECS,
        # Whether a client is local is judged by the connection; what a proxy says is looked at where it matters.
        proxy_headers=False,
    )
    server = EndingServer(config, live=app.state.live)
    announce(address_of(listening, place, settings.path_prefix))
    try:
        asyncio.run(server.serve(sockets=[listening]))
    except KeyboardInterrupt:
        pass
    finally:
        # Once more: a Ctrl-C before uvicorn listens for it leaves the application as it is.
        app.state.live.close()
        app.state.live.join()
        listening.close()


class EndingServer(uvicorn.Server):
    """uvicorn waits for open answers before it ends; the live ones never end by themselves, so they are told to.

    It also waits for ever for the rest of a request, so connections without one are closed.
    """

    def __init__(self, config: uvicorn.Config, *, live: Live) -> None:
        super().__init__(config)
        self._live = live
        self._idle = IdleConnections(max_connections=max_connections())

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        tell_shortage_once(asyncio.get_running_loop())
        await super().startup(sockets)

    async def on_tick(self, counter: int) -> bool:
        self._idle.close_idle(self.server_state.connections, time.monotonic())
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._live.close()
        super().handle_exit(sig, frame)


def listen(host: str, port: int | None) -> socket.socket:
    if port is not None and not 0 <= port <= 65535:
        raise PortTakenError(f"a port is a number from 0 to 65535, got {port}")
    candidates = range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED) if port is None else [port]
    for candidate in candidates:
        try:
            return open_socket(host, candidate)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                continue
            raise PortTakenError(f"cannot listen on {host} port {candidate}: {error.strerror or error}") from None
    if port is None:
        raise PortTakenError(
            f"ports {DEFAULT_PORT} to {DEFAULT_PORT + PORTS_TRIED - 1} are all taken; choose another with --port"
        )
    holder = port_holder(port)
    raise PortTakenError(
        f"port {port} is taken{f' by {holder}' if holder else ''}; "
        "choose another with --port, or leave --port out to get the next free one"
    )


def open_socket(host: str, port: int) -> socket.socket:
    if host == "::" and not socket.has_dualstack_ipv6():
        host = "0.0.0.0"
    family, kind, protocol, _, address = socket.getaddrinfo(bind_name(host), port, type=socket.SOCK_STREAM)[0]
    opened = socket.socket(family, kind, protocol)
    try:
        if os.name != "nt":  # on Windows it would let two servers share a port
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:  # with "::" also for those who come by IPv4
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0 if host == "::" else 1)
        opened.bind(address)
        opened.listen(2048)
    except BaseException:
        opened.close()
        raise
    return opened


def bind_name(host: str) -> str:
    # localhost may mean ::1 first, which not every client tries.
    return "127.0.0.1" if host == "localhost" else host.strip("[]")


def bracketed(host: str) -> str:
    name = host.strip("[]")
    return f"[{name}]" if ":" in name else name


def address_of(listening: socket.socket, place: Place, path_prefix: str = "") -> str:
    """What to open in a browser, with the token if there is one."""
    port = listening.getsockname()[1]
    name = socket.gethostname() if place.host in EVERY_INTERFACE else bracketed(place.host)
    query = f"?token={place.token}" if place.token is not None else ""
    return f"http://{name}:{port}{path_prefix}/{query}"
