"""A TCP proxy on this machine that can be cut and mended, to test what programs do when a network fails."""

from __future__ import annotations

import contextlib
import socket
import threading

_PAUSE_SECS = 0.05


class TcpProxy:
    """Forwards connections to `port`. Cut silently, it accepts and answers nothing; else it resets connections."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._is_open = threading.Event()
        self._is_open.set()
        self._is_silent = False
        self._is_closed = False
        self._sockets: set[socket.socket] = set()
        threading.Thread(target=self._accept, name="tcp-proxy", daemon=True).start()

    def cut(self, *, is_silent: bool) -> None:
        self._is_silent = is_silent
        self._is_open.clear()
        if not is_silent:
            self._end_connections()

    def mend(self) -> None:
        """Connections from before stay dead, as their packets are lost."""
        self._end_connections()
        self._is_open.set()

    def close(self) -> None:
        self._is_closed = True
        self._listener.close()
        self._end_connections()
        self._is_open.set()

    def _end_connections(self) -> None:
        for one in list(self._sockets):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._sockets.clear()

    def _accept(self) -> None:
        while not self._is_closed:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if not self._is_open.is_set() and not self._is_silent:
                client.close()
                continue
            self._sockets.add(client)
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        self._is_open.wait()
        try:
            server = socket.create_connection(("127.0.0.1", self._target))
        except OSError:
            client.close()
            return
        self._sockets.add(server)
        threading.Thread(target=self._pump, args=(client, server), daemon=True).start()
        self._pump(server, client)

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                while not self._is_open.wait(_PAUSE_SECS):
                    if source.fileno() < 0:
                        return
                target.sendall(data)
        for one in (source, target):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
            self._sockets.discard(one)
