"""Listening and ending: a free port, uvicorn on it, and a Ctrl-C that ends at once."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from collections.abc import Callable, Sequence
from types import FrameType

import uvicorn

from seamark.serve.app import create_app
from seamark.serve.live import Live
from seamark.serve.security import HostCheck, hostname_of, is_loopback_name
from seamark.store import LogRoot, Store

DEFAULT_PORT = 6006
# As far as the next free port is looked for when none was asked for.
PORTS_TRIED = 100
ENDING_SECS = 1


class PortTakenError(Exception):
    """No socket could be opened; the message is for the user."""


def serve_store(
    store: Store, *, roots: Sequence[LogRoot], host: str, port: int | None, announce: Callable[[str], None]
) -> None:
    """Starts the store, serves it until Ctrl-C, closes it. `announce` gets the address once it can be opened."""
    listening = listen(host, port)
    app = create_app(store, roots=roots, is_allowed_host=host_check(host))
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=ENDING_SECS
    )
    server = EndingServer(config, live=app.state.live)
    store.start()
    announce(address_of(listening, host))
    try:
        asyncio.run(server.serve(sockets=[listening]))
    except KeyboardInterrupt:
        pass
    finally:
        store.close(patience_secs=ENDING_SECS)
        listening.close()


class EndingServer(uvicorn.Server):
    """uvicorn waits for open answers before it ends; the live ones never end by themselves, so they are told to."""

    def __init__(self, config: uvicorn.Config, *, live: Live) -> None:
        super().__init__(config)
        self._live = live

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
    raise PortTakenError(
        f"port {port} is taken; choose another with --port, or leave --port out to get the next free one"
    )


def open_socket(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(bind_name(host), port, type=socket.SOCK_STREAM)[0]
    opened = socket.socket(family, kind, protocol)
    try:
        if os.name != "nt":  # on Windows it would let two servers share a port
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
        opened.listen(2048)
    except BaseException:
        opened.close()
        raise
    return opened


def bind_name(host: str) -> str:
    # localhost may mean ::1 first, which not every client tries.
    return "127.0.0.1" if host == "localhost" else host.strip("[]")


def host_check(host: str) -> HostCheck:
    """On the loopback only its own names are answered; a server opened to the network is asked by any name."""
    if is_loopback_name(host) or (":" in host and is_loopback_name(f"[{host.strip('[]')}]")):
        return is_loopback_name
    return lambda asked: hostname_of(asked) != ""


def address_of(listening: socket.socket, host: str) -> str:
    port = listening.getsockname()[1]
    name = host.strip("[]")
    if name in ("0.0.0.0", "::"):
        name = socket.gethostname()
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/"
