"""A keep-alive HTTP client that reads whole bodies and waits for a server to come up."""

from __future__ import annotations

import http.client
import socket


def free_port() -> int:
    """A TCP port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Client:
    """One connection to 127.0.0.1; `None` stands for every answer that is not 200 (not up yet, not loaded yet)."""

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
