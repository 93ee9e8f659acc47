"""FaultProxy: an HTTP proxy in front of an object store, for tests. It counts requests, answers with errors, and stops
and comes back as a lost network does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

# Each hop has its own.
HOP_HEADERS = ("connection", "transfer-encoding", "keep-alive")
SLOW_DOWN = b"<?xml version='1.0'?><Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>"


class Seen(NamedTuple):
    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]

    @property
    def is_listing(self) -> bool:
        return "list-type" in self.query


class Answer(NamedTuple):
    status: int
    body: bytes = b""


class FaultProxy:
    """`fault` is asked before each request: an answer is given in place of the server's, None lets it through."""

    def __init__(self, target: str) -> None:
        self._target = urlsplit(target)
        self.seen: list[Seen] = []
        self.fault: Callable[[Seen], Answer | None] = lambda seen: None
        self._server: _Server | None = None
        self._port = 0
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Starts again on the same port after `stop`."""
        self._server = _Server(("127.0.0.1", self._port), _Handler)
        self._server.proxy = self
        self._port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self) -> None:
        """Nothing listens any more, and open connections end."""
        if self._server is not None:
            self._server.is_stopped = True
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def listings(self) -> int:
        return sum(1 for seen in self.seen if seen.is_listing)

    def gets(self) -> int:
        return sum(1 for seen in self.seen if seen.method == "GET" and not seen.is_listing)

    def answer(self, seen: Seen, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        self.seen.append(seen)
        fault = self.fault(seen)
        if fault is not None:
            return fault.status, [], fault.body
        connection = HTTPConnection(self._target.hostname or "", self._target.port, timeout=60)
        try:
            # The host stays as the client wrote it: the signature has it in it.
            connection.request(seen.method, seen.path, body=body, headers=seen.headers)
            response = connection.getresponse()
            kept = [(name, value) for name, value in response.getheaders() if name.lower() not in HOP_HEADERS]
            return response.status, kept, response.read()
        except OSError:
            return 502, [], b""
        finally:
            connection.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    is_stopped = False
    proxy: FaultProxy


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def _pass_on(self) -> None:
        if self.server.is_stopped:
            self.close_connection = True
            return
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_HEADERS}
        query = parse_qs(urlsplit(self.path).query, keep_blank_values=True)
        status, answered, content = self.server.proxy.answer(Seen(self.command, self.path, query, headers), body)
        self.send_response_only(status)
        for name, value in answered:
            if name.lower() != "content-length" or self.command == "HEAD":
                self.send_header(name, value)
        if self.command != "HEAD":
            self.send_header("content-length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_PUT = do_HEAD = do_POST = do_DELETE = _pass_on  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:
        """Prints nothing."""


@contextmanager
def fault_proxy(target: str) -> Iterator[FaultProxy]:
    proxy = FaultProxy(target)
    try:
        yield proxy
    finally:
        proxy.stop()
