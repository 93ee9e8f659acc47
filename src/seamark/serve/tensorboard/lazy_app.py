"""An application that makes each group of its routes with the first request to it."""

from __future__ import annotations

import asyncio

from starlette.concurrency import run_in_threadpool
from starlette.routing import Router
from starlette.types import ASGIApp, Receive, Scope, Send

from seamark.plugin import WorkerPools, as_routes
from seamark.serve.tensorboard.route_groups import RouteGroups


class LazyApp:
    def __init__(self, groups: RouteGroups, pools: WorkerPools | None = None) -> None:
        self._groups = groups
        self._pools = pools or WorkerPools()
        self._lock = asyncio.Lock()
        self._routers: dict[str, ASGIApp] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope = without_last_slash(scope)
        path = scope.get("path", "").removeprefix(scope.get("root_path", ""))
        router = await self._router(self._groups.group_of(path))
        await router(scope, receive, send)

    async def _router(self, group: str) -> ASGIApp:
        if group not in self._routers:
            async with self._lock:
                if group not in self._routers:
                    endpoints = await run_in_threadpool(self._groups.make, group)
                    self._routers[group] = Router(as_routes(endpoints, self._pools), redirect_slashes=False)
        return self._routers[group]


def without_last_slash(scope: Scope) -> Scope:
    """TensorBoard answers /data/runs/ like /data/runs, without a redirect."""
    path = scope.get("path", "")
    return {**scope, "path": path[:-1]} if path.endswith("/") else scope
