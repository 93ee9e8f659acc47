"""An application whose routes are made when the first request comes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send


class Deferred:
    def __init__(self, make_routes: Callable[[], list[Route]]) -> None:
        self._make_routes = make_routes
        self._lock = asyncio.Lock()
        self._app: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._lock:
            if self._app is None:
                self._app = Router(await run_in_threadpool(self._make_routes), redirect_slashes=False)
        await self._app(without_last_slash(scope), receive, send)


def without_last_slash(scope: Scope) -> Scope:
    """TensorBoard answers /data/runs/ like /data/runs, without a redirect."""
    path = scope.get("path", "")
    return {**scope, "path": path[:-1]} if path.endswith("/") else scope
