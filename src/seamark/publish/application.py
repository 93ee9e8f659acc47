"""Asks the web application of a server in this process: what it answers is what a published site stores."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.types import Message

T = TypeVar("T")
HOST = b"localhost"


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    media_type: str
    body: bytes

    @property
    def is_ok(self) -> bool:
        return self.status == 200

    def json(self) -> Any:
        return json.loads(self.body)


class Application:
    """A context: the application runs, without a port, until it ends.

    Its event loop has a thread of its own, so that it also works where another loop is running.
    """

    def __init__(self, app: Starlette) -> None:
        self._app = app
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="seamark-publish", daemon=True)
        self._running = AsyncExitStack()

    def __enter__(self) -> Application:
        self._thread.start()
        self._run(self._enter())
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._run(self._running.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def get(self, address: str) -> Answer:
        return self._run(self._call("GET", address, b""))

    def post(self, address: str, body: object) -> Answer:
        return self._run(self._call("POST", address, json.dumps(body).encode()))

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _enter(self) -> None:
        await self._running.enter_async_context(self._app.router.lifespan_context(self._app))

    async def _call(self, method: str, address: str, body: bytes) -> Answer:
        path, _, query = address.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": f"/{path}",
            "raw_path": f"/{path}".encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [
                (b"host", HOST),
                (b"content-type", b"application/json"),
                (b"content-length", str(len(body)).encode()),
            ],
            "client": ("127.0.0.1", 0),
            "server": (HOST.decode(), 80),
        }
        messages: list[Message] = []
        is_sent = False

        async def receive() -> Message:
            nonlocal is_sent
            if is_sent:
                await asyncio.Event().wait()  # the client never disconnects
            is_sent = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            messages.append(message)

        await self._app(scope, receive, send)
        start = messages[0]
        headers = {name.decode().lower(): value.decode("latin-1") for name, value in start["headers"]}
        content = b"".join(message.get("body", b"") for message in messages[1:])
        return Answer(start["status"], headers.get("content-type", "application/octet-stream"), content)
