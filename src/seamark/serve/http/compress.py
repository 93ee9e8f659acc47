"""Compresses responses to other machines. On this machine compressing takes longer than sending."""

from __future__ import annotations

import ipaddress
import zlib
from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from seamark.plugin.columns import MEDIA_TYPE

TYPES = frozenset(
    {
        MEDIA_TYPE, "application/json", "application/javascript", "image/svg+xml",
        "text/html", "text/css", "text/csv", "text/javascript", "text/plain",
    }
)  # fmt: skip
MIN_BYTES = 1024
Compressor = Callable[[bytes], bytes]


def gzip(data: bytes) -> bytes:
    # Level 1: higher levels take many times as long, and columns of numbers become hardly smaller.
    compressor = zlib.compressobj(1, zlib.DEFLATED, 31)
    return compressor.compress(data) + compressor.flush()


def compressors() -> dict[str, Compressor]:
    """By the names of content encodings, the best first. zstd is part of Python from 3.14 on."""
    found: dict[str, Compressor] = {}
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]

        found["zstd"] = lambda data: zstd.compress(data, level=1)
    except ImportError:
        pass
    found["gzip"] = gzip
    return found


COMPRESSORS = compressors()


class Compress:
    """Middleware that compresses bodies with a known length. Events and files are streamed and stay as they are."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        encoding = choose_encoding(scope) if scope["type"] == "http" else ""
        if encoding:
            await self._app(scope, receive, CompressedSend(send, encoding))
        else:
            await self._app(scope, receive, send)


class CompressedSend:
    """Holds the start of a response back until its body is complete."""

    def __init__(self, send: Send, encoding: str) -> None:
        self._send = send
        self._encoding = encoding
        self._head: Message | None = None
        self._parts: list[bytes] = []

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and is_compressible(message):
            self._head = message
        elif message["type"] != "http.response.body" or self._head is None:
            await self._send(message)
        else:
            self._parts.append(message.get("body", b""))
            if not message.get("more_body", False):
                await self._send_compressed(self._head, b"".join(self._parts))

    async def _send_compressed(self, head: Message, body: bytes) -> None:
        compressed = await run_in_threadpool(COMPRESSORS[self._encoding], body) if body else body
        headers = MutableHeaders(scope=head)
        if body:  # a response to HEAD has none
            headers["content-length"] = str(len(compressed))
            headers["content-encoding"] = self._encoding
        headers.add_vary_header("accept-encoding")
        if headers.get("etag", "W/").startswith('"'):
            headers["etag"] = f"W/{headers['etag']}"
        await self._send(head)
        await self._send({"type": "http.response.body", "body": compressed})


def is_compressible(head: Message) -> bool:
    headers = Headers(raw=head["headers"])
    length = headers.get("content-length", "")
    return (
        head["status"] == 200
        and headers.get("content-type", "").split(";")[0] in TYPES
        and "content-encoding" not in headers
        and length.isdigit()
        and int(length) >= MIN_BYTES
    )


def choose_encoding(scope: Scope) -> str:
    if is_local(scope):
        return ""
    accepted = Headers(scope=scope).get("accept-encoding", "")
    names = {part.split(";")[0].strip() for part in accepted.split(",") if not part.replace(" ", "").endswith(";q=0")}
    return next((name for name in COMPRESSORS if name in names), "")


def is_local(scope: Scope) -> bool:
    """Whether the client is on this machine and not a proxy for another one."""
    client: Any = scope.get("client")
    headers = Headers(scope=scope)
    if client is None or "x-forwarded-for" in headers or "forwarded" in headers:
        return False
    try:
        address = ipaddress.ip_address(client[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)
