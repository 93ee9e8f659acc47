"""/api/dashboards: the list of dashboards, and the routes of each."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import UNSET, UnsetType
from starlette.concurrency import run_in_threadpool
from starlette.routing import BaseRoute, Mount, Router
from starlette.types import Receive, Scope, Send

from seamark.plugin import (
    Context,
    Dashboard,
    Endpoint,
    Found,
    ModelOptions,
    NoParameters,
    ParsedRequest,
    ResponseStruct,
    WorkerPools,
    as_routes,
    find_dashboards,
)
from seamark.serve.view_files import file_route, module_path
from seamark.store import LogRoot, RunStore

LOG = logging.getLogger(__name__)
HAS_DATA = "has_data"


class ListedDashboard(ResponseStruct, kw_only=True):
    name: str
    title: str
    order: int
    kinds: list[str]
    module: str | None
    has_data: str | UnsetType = UNSET
    error: str | UnsetType = UNSET


class HasDataResponse(ResponseStruct):
    has_data: bool


class DashboardRoutes:
    """The routes of one dashboard, made by the first request to it: they import protobuf, Pillow, pyarrow and more."""

    def __init__(self, dashboard: Dashboard, context: Context, pools: WorkerPools) -> None:
        self._dashboard, self._context, self._pools = dashboard, context, pools
        self._making = threading.Lock()
        self._made: tuple[list[Endpoint], Router] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        _, router = await run_in_threadpool(self._make) if self._made is None else self._made
        await router(scope, receive, send)

    def endpoints(self) -> list[Endpoint]:
        return self._make()[0]

    def _make(self) -> tuple[list[Endpoint], Router]:
        with self._making:
            if self._made is None:
                endpoints = list(own_routes(self._dashboard, self._context))
                routes: list[BaseRoute] = list(as_routes(endpoints, self._pools))
                if self._dashboard.module:
                    routes.append(file_route(self._dashboard.module))
                self._made = endpoints, Router(routes=routes)
            return self._made


class Loaded(NamedTuple):
    listed: list[ListedDashboard]
    modules: dict[str, Path]
    routes: dict[str, DashboardRoutes]
    router: Router


class Dashboards:
    """All dashboards as one application, found by the first request."""

    def __init__(
        self,
        store: RunStore,
        roots: Sequence[LogRoot],
        pools: WorkerPools | None = None,
        *,
        model_options: ModelOptions | None = None,
    ) -> None:
        self._context = Context(store, tuple(roots), model_options or ModelOptions())
        self._pools = pools or WorkerPools()
        self._loading = threading.Lock()
        self._loaded: Loaded | None = None

    def endpoint(self) -> Endpoint:
        """The list of dashboards."""

        def list_dashboards(_: ParsedRequest[NoParameters, None]) -> list[ListedDashboard]:
            return self._load().listed

        return Endpoint(
            path="/dashboards",
            summary="The tabs of the page.",
            handler=list_dashboards,
        )

    def mount(self) -> Mount:
        """The routes of each dashboard and the files of its view, at /dashboards/<name>/."""
        return Mount("/dashboards", app=self._forward)

    def endpoints(self, prefix: str) -> dict[str, list[Endpoint]]:
        """The endpoints of each dashboard, by the prefix of their paths."""
        return {f"{prefix}/{name}": routes.endpoints() for name, routes in self._load().routes.items()}

    def modules(self) -> dict[str, Path]:
        """The views of other packages' dashboards."""
        return self._load().modules

    async def _forward(self, scope: Scope, receive: Receive, send: Send) -> None:
        loaded = await run_in_threadpool(self._load) if self._loaded is None else self._loaded
        await loaded.router(scope, receive, send)

    def _load(self) -> Loaded:
        with self._loading:
            if self._loaded is None:
                self._loaded = load(self._context, self._pools)
            return self._loaded


def load(context: Context, pools: WorkerPools) -> Loaded:
    loaded = [declare(found, context, pools) for found in find_dashboards()]
    routes = {found.name: made for found, made in loaded if made is not None}
    modules = {found.name: found.dashboard.module for found, _ in loaded if found.dashboard and found.dashboard.module}
    router = Router(routes=[Mount(f"/{name}", app=app) for name, app in routes.items()])
    return Loaded([listing(found) for found, _ in loaded], modules, routes, router)


def declare(found: Found, context: Context, pools: WorkerPools) -> tuple[Found, DashboardRoutes | None]:
    """A dashboard with its routes. Those of other packages are made at once: if that fails, the list has the error."""
    if found.dashboard is None:
        return found, None
    routes = DashboardRoutes(found.dashboard, context, pools)
    if found.is_own:
        return found, routes
    try:
        for endpoint in routes.endpoints():
            endpoint.types  # noqa: B018 - evaluates the annotations
        return found, routes
    except Exception as error:  # a package may raise anything; the server works without it
        LOG.warning("the dashboard %r of %s could not make its routes", found.name, found.source, exc_info=True)
        reason = f"{found.source} could not make its routes: {type(error).__name__}: {error}"
        return Found(found.name, found.source, error=reason), None


def own_routes(dashboard: Dashboard, context: Context) -> Iterator[Endpoint]:
    if dashboard.has_data is not None:
        check = dashboard.has_data

        def has_data(_: ParsedRequest[NoParameters, None]) -> HasDataResponse:
            return HasDataResponse(has_data=bool(check(context)))

        yield Endpoint(
            path=f"/{HAS_DATA}",
            summary="Whether the dashboard has anything to show.",
            handler=has_data,
        )
    if dashboard.routes is not None:
        yield from dashboard.routes(context)


def listing(found: Found) -> ListedDashboard:
    dashboard = found.dashboard
    if dashboard is None:
        return ListedDashboard(
            name=found.name, title=found.name, order=found.order, kinds=[], module=None, error=found.error
        )
    prefix = f"api/dashboards/{dashboard.name}"
    return ListedDashboard(
        name=dashboard.name,
        title=dashboard.title,
        order=dashboard.order,
        kinds=list(dashboard.kinds),
        module=f"{prefix}/{module_path(dashboard.module)}" if dashboard.module else None,
        has_data=f"{prefix}/{HAS_DATA}" if dashboard.has_data else UNSET,
    )
