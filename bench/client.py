"""A keep-alive HTTP client that reads whole bodies and waits for a server to come up."""

from __future__ import annotations

import http.client
import socket


def free_port() -> int:
    """Finds a free TCP port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Client:
    """A connection to 127.0.0.1. Returns None for every status except 200, as while the server starts and loads."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def get(self, path: str) -> bytes | None:
        return self._ask("GET", path)

    def post(self, path: str, body: bytes, content_type: str) -> bytes | None:
        return self._ask("POST", path, body, {"Content-Type": content_type})

    def close(self) -> None:
        self._connection.close()

    def _ask(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> bytes | None:
        try:
            self._connection.request(method, path, body=body, headers=headers or {})
            response = self._connection.getresponse()
            content = response.read()
        except (ConnectionError, http.client.HTTPException):
            # A refused or dropped connection: the next request opens a new one.
            self._connection.close()
            return None
        return content if response.status == 200 else None
