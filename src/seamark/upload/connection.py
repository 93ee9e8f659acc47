"""Connection: requests to a team server over one HTTP connection that is kept open."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import ssl
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar
from urllib.parse import quote, urlencode, urlsplit

import msgspec

from seamark.upload.destination import Destination
from seamark.upload.errors import UploadError
from seamark.upload.wire import MEDIA_TYPE, LengthsRequest, LengthsResponse, UploadRequest, UploadResponse
from seamark.version import __version__

CONNECT_SECS = 10.0
ANSWER_SECS = 60.0
BLOCK_BYTES = 1 << 18
# A status that another request may not have: the server is busy, restarts, or counts requests.
TEMPORARY_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504, 507})
S = TypeVar("S", bound=msgspec.Struct)


class Connection:
    """One thread uses it at a time. Every method raises UploadError."""

    def __init__(self, destination: Destination, *, answer_secs: float = ANSWER_SECS) -> None:
        self._destination = destination
        self._answer_secs = answer_secs
        self._address = urlsplit(destination.server)
        self._open: http.client.HTTPConnection | None = None

    def upload(self, request: UploadRequest) -> UploadResponse:
        return self._packed("upload", request, UploadResponse)

    def lengths(self, request: LengthsRequest) -> LengthsResponse:
        return self._packed("upload/lengths", request, LengthsResponse)

    def get_json(self, route: str, **parameters: str) -> Any:
        return self._parsed(self._exchange("GET", self._path(route, parameters))[1])

    def post_json(self, route: str, content: Mapping[str, Any]) -> Any:
        headers = {"Content-Type": "application/json"}
        return self._parsed(self._exchange("POST", self._path(route, {}), json.dumps(content).encode(), headers)[1])

    @contextlib.contextmanager
    def file(self, run: str, file: str, start: int, stop: int) -> Iterator[Iterator[bytes]]:
        """The bytes of a range of a file, in blocks. The connection must not be used meanwhile."""
        path = self._path("file", {"run": run, "file": file})
        response = self._send("GET", path, None, {"Range": f"bytes={start}-{stop - 1}"})
        try:
            self._check(response, lambda: response.read())
            yield self._blocks(response)
        finally:
            if not response.isclosed():
                self.close()

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    def _parsed(self, body: bytes) -> Any:
        try:
            return json.loads(body)
        except ValueError:
            raise self._unexpected() from None

    def _packed(self, route: str, request: msgspec.Struct, response: type[S]) -> S:
        headers = {"Content-Type": MEDIA_TYPE}
        _, body = self._exchange("POST", self._path(route, {}), msgspec.msgpack.encode(request), headers)
        try:
            return msgspec.msgpack.decode(body, type=response)
        except msgspec.MsgspecError:
            raise self._unexpected() from None

    def _exchange(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[http.client.HTTPResponse, bytes]:
        response = self._send(method, path, body, headers or {})
        try:
            content = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise self._failed(error) from None
        self._check(response, lambda: content)
        return response, content

    def _send(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> http.client.HTTPResponse:
        is_reused = self._open is not None
        try:
            return self._try_send(method, path, body, headers)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            # The server closes idle connections. Every request may be sent twice.
            if not is_reused or isinstance(error, TimeoutError):
                raise self._failed(error) from None
        try:
            return self._try_send(method, path, body, headers)
        except (OSError, http.client.HTTPException) as error:
            raise self._failed(error) from None

    def _try_send(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> http.client.HTTPResponse:
        if self._open is None:
            self._open = self._connect()
        common = {"Authorization": f"Bearer {self._destination.token}", "User-Agent": f"seamark/{__version__}"}
        self._open.request(method, path, body, {**common, **headers})
        return self._open.getresponse()

    def _connect(self) -> http.client.HTTPConnection:
        host = self._address.hostname or ""
        connection: http.client.HTTPConnection
        if self._address.scheme == "https":
            context = ssl.create_default_context()
            connection = http.client.HTTPSConnection(host, self._address.port, timeout=CONNECT_SECS, context=context)
        else:
            connection = http.client.HTTPConnection(host, self._address.port, timeout=CONNECT_SECS)
        connection.connect()
        connection.sock.settimeout(self._answer_secs)
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def _path(self, route: str, parameters: Mapping[str, str]) -> str:
        project = "/".join(quote(part, safe="") for part in self._destination.project.split("/"))
        query = f"?{urlencode(parameters)}" if parameters else ""
        return f"{self._address.path.rstrip('/')}/team/api/projects/{project}/{route}{query}"

    def _check(self, response: http.client.HTTPResponse, read: Any) -> None:
        if response.status < 300:
            return
        content: dict[str, Any] = {}
        with contextlib.suppress(ValueError, OSError, http.client.HTTPException):
            found = json.loads(read())
            content = found if isinstance(found, dict) else {}
        self.close()  # the server may not have read the request
        sentence = content.get("error") or f"the server answered with status {response.status}"
        raise UploadError(
            f"{sentence} ({self._destination.server})",
            is_temporary=response.status in TEMPORARY_STATUSES,
            retry_after_secs=retry_after_secs(response.headers.get("Retry-After"), content),
            status=response.status,
        )

    def _blocks(self, response: http.client.HTTPResponse) -> Iterator[bytes]:
        try:
            while block := response.read(BLOCK_BYTES):
                yield block
        except (OSError, http.client.HTTPException) as error:
            raise self._failed(error) from None

    def _failed(self, error: Exception) -> UploadError:
        self.close()
        if isinstance(error, ssl.SSLCertVerificationError):
            sentence = (
                f"the certificate of the server is not trusted ({error.verify_message.rstrip('.')}); set SSL_CERT_FILE "
                f"to the certificate of its authority, as a PEM file: {self._destination.server}"
            )
            return UploadError(sentence, is_temporary=False)
        reason = str(error) or type(error).__name__
        return UploadError(f"the server cannot be reached ({reason}): {self._destination.server}", is_temporary=True)

    def _unexpected(self) -> UploadError:
        self.close()
        sentence = f"this is not a team server, or one of another version: {self._destination.server}"
        return UploadError(sentence, is_temporary=False)


def retry_after_secs(header: str | None, content: Mapping[str, Any]) -> float:
    for given in (header, content.get("retry_after_secs")):
        try:
            return min(600.0, max(0.0, float(given)))  # type: ignore[arg-type]
        except (TypeError, ValueError):
            continue
    return 0.0
