"""HTTP requests to a model's server: JSON both ways, with bounds on time and size. Redirects are not followed."""

from __future__ import annotations

import base64
import http.client
import json
import select
import socket
import time
from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from seamark.examples.predict.cancel import check_cancelled

MAX_RESPONSE_BYTES = 64 << 20
CHUNK_BYTES = 1 << 16
POLL_SECS = 0.05
QUOTED_CHARS = 200


class HttpError(Exception):
    """A request that failed. The message completes "the endpoint …" and names no credentials."""


class JsonClient:
    """For one thread at a time. Keeps the connection."""

    def __init__(self, address: str, timeout_secs: float) -> None:
        self._parts = urlsplit(address)
        self._timeout_secs = timeout_secs
        self._connection: http.client.HTTPConnection | None = None

    @property
    def address(self) -> str:
        """Without a password."""
        return self._parts._replace(netloc=self._parts.netloc.rpartition("@")[2]).geturl()

    def request(self, method: Literal["GET", "POST"], path: str, content: Any = None) -> Any:
        """Raises HttpError."""
        body = json.dumps(content, separators=(",", ":")).encode() if method == "POST" else None
        deadline = time.monotonic() + self._timeout_secs
        is_kept = self._connection is not None
        try:
            response = self._send(method, path, body, deadline)
        except (ConnectionResetError, BrokenPipeError, http.client.RemoteDisconnected) as error:
            self.close()
            if not is_kept:
                raise HttpError(f"closed the connection ({type(error).__name__})") from None
            return self.request(method, path, content)  # the server closed the kept connection meanwhile
        except TimeoutError:
            self.close()
            raise HttpError(f"has not answered within {self._timeout_secs:g} s") from None
        except ConnectionRefusedError:
            self.close()
            raise HttpError("refused the connection; is it running?") from None
        except (OSError, http.client.HTTPException, UnicodeError) as error:
            self.close()
            raise HttpError(f"could not be asked: {error}") from None
        except BaseException:
            self.close()
            raise
        return self._content(response, deadline)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _send(self, method: str, path: str, body: bytes | None, deadline: float) -> http.client.HTTPResponse:
        connection = self._connected()
        connection.request(method, path, body, self._headers())
        assert isinstance(connection.sock, socket.socket)
        poll = select.poll()
        poll.register(connection.sock, select.POLLIN)
        while not poll.poll(1000 * POLL_SECS):
            check_cancelled()
            if time.monotonic() > deadline:
                raise TimeoutError
        return connection.getresponse()

    def _connected(self) -> http.client.HTTPConnection:
        if self._connection is None:
            kind = http.client.HTTPSConnection if self._parts.scheme == "https" else http.client.HTTPConnection
            assert self._parts.hostname is not None
            self._connection = kind(self._parts.hostname, self._parts.port, timeout=self._timeout_secs)
            self._connection.connect()
        return self._connection

    def _headers(self) -> Mapping[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "seamark"}
        if self._parts.username is not None:
            pair = f"{unquote(self._parts.username)}:{unquote(self._parts.password or '')}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        return headers

    def _content(self, response: http.client.HTTPResponse, deadline: float) -> Any:
        try:
            body = self._read(response, deadline)
        except HttpError:
            self.close()
            raise
        except (TimeoutError, OSError, http.client.HTTPException) as error:
            self.close()
            raise HttpError(f"stopped in the middle of its answer ({type(error).__name__})") from None
        if response.will_close:
            self.close()
        if 300 <= response.status < 400:
            target = (response.getheader("Location") or "nowhere")[:QUOTED_CHARS]
            raise HttpError(f"redirects to '{target}'; that is not followed, name the address itself")
        text = body.decode(errors="replace")
        try:
            content = json.loads(text)
        except (ValueError, RecursionError):
            content = None
        if response.status != 200:
            reason = content.get("error", text) if isinstance(content, dict) else text
            raise HttpError(f"answered {response.status}: {quoted(reason)}")
        if content is None:
            kind = (response.getheader("Content-Type") or "no type").partition(";")[0]
            raise HttpError(f"answered {kind}, want JSON: {quoted(text)}")
        return content

    def _read(self, response: http.client.HTTPResponse, deadline: float) -> bytearray:
        body = bytearray()
        while chunk := response.read1(CHUNK_BYTES):
            body += chunk
            check_cancelled()
            if len(body) > MAX_RESPONSE_BYTES:
                raise HttpError(f"sent more than {MAX_RESPONSE_BYTES >> 20} MB, which is too much for so many rows")
            if time.monotonic() > deadline:
                raise HttpError(f"has not answered within {self._timeout_secs:g} s")
        if response.length:
            raise HttpError("stopped in the middle of its answer")
        response.close()
        return body


def quoted(text: Any) -> str:
    plain = " ".join(str(text).split())
    return f"'{plain[:QUOTED_CHARS]}…'" if len(plain) > QUOTED_CHARS else f"'{plain}'"
