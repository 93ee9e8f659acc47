"""The web application: which objects it consists of, and how they are wired."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from seamark import compare
from seamark.plugin import Endpoint, ModelOptions, RequestError, WorkerPools, as_routes, error_response
from seamark.plugin.response import http_error_response
from seamark.plugin.service_routes import routes_of
from seamark.serve.api.compare import Comparisons
from seamark.serve.api.events import event_endpoints
from seamark.serve.api.export import export_endpoints
from seamark.serve.api.histograms import histogram_endpoints
from seamark.serve.api.lists import list_changes, list_endpoints
from seamark.serve.api.markdown import markdown_endpoints
from seamark.serve.api.openapi import openapi_endpoint
from seamark.serve.api.payloads import payload_endpoints
from seamark.serve.api.removal import removal_endpoints
from seamark.serve.api.run import run_endpoints
from seamark.serve.api.series import series_endpoints
from seamark.serve.api.state import state_endpoints
from seamark.serve.api.table import table_endpoints
from seamark.serve.api.trials import trial_endpoints
from seamark.serve.dashboards import Dashboards
from seamark.serve.http.compress import Compress
from seamark.serve.http.hosts import HostCheck, is_loopback_name
from seamark.serve.http.security import Guard
from seamark.serve.live.live import Live
from seamark.serve.module_watch import watch_modules
from seamark.serve.page import STATIC, Page
from seamark.serve.run_tables import RunTables
from seamark.serve.state.state import State
from seamark.serve.tensorboard import LazyApp, RouteGroups
from seamark.store import LogRoot, RunStore

if TYPE_CHECKING:
    from seamark.compare import MergedRuns

API = "/api"
DATA = "/data"  # TensorBoard's routes


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How clients reach the application, and what it may do."""

    is_allowed_host: HostCheck = is_loopback_name
    trusted_names: tuple[str, ...] = ()  # of a proxy in front of the server
    framed_by: tuple[str, ...] = ()  # origins whose pages may show ours in a frame
    token: str | None = None
    path_prefix: str = ""  # "" or "/some/path"
    window_title: str = ""
    team_root: str = ""  # the address of the team server's own pages, if it serves this one
    allow_delete: bool = False  # whether runs may be moved to the trash or deleted
    model_options: ModelOptions = field(default_factory=ModelOptions)
    reload_dashboards: bool = False  # whether pages load a changed view of another package again
    samples_per_plugin: Mapping[str, int] = field(default_factory=dict)
    static: Path = STATIC


def create_app(
    store: RunStore, *, roots: Sequence[LogRoot] = (), state: State | None = None, settings: Settings | None = None
) -> Starlette:
    """An application over a store that the caller starts and closes. Without a `state`, nothing is saved."""
    settings = settings or Settings()
    state = state or State(None, roots)
    pools = WorkerPools()
    merged = compare.MergedRuns(store)
    live = Live(store, list_changes(store, state, merged))
    state.on_change(live.announce_state)
    tables = RunTables(store, state)
    live.on_page(tables.build_in_background)

    dashboards = Dashboards(store, roots, pools, model_options=settings.model_options)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        live.start()
        watching = [watch_modules(dashboards.modules, live.announce_modules)] if settings.reload_dashboards else []
        tasks = [asyncio.create_task(work) for work in watching]
        yield
        for task in tasks:
            task.cancel()
        live.close()
        await run_in_threadpool(live.join)
        await run_in_threadpool(tables.close)
        pools.close()
        state.close()

    endpoints = [*api_endpoints(store, roots, state, live, merged, tables, pools, settings), dashboards.endpoint()]
    tensorboard = RouteGroups(
        store, roots, samples_per_plugin=settings.samples_per_plugin, window_title=settings.window_title
    )

    def described() -> dict[str, Sequence[Endpoint]]:
        return {API: endpoints, **dashboards.endpoints(f"{API}/dashboards"), DATA: tensorboard.endpoints()}

    endpoints.append(openapi_endpoint(described))
    page = Page(settings.static, title=settings.window_title, team_root=settings.team_root)
    routes: list[BaseRoute] = [
        Mount(API, routes=[*as_routes(endpoints, pools), dashboards.mount()]),
        Mount(DATA, LazyApp(tensorboard, pools)),
        Route("/{path:path}", page, methods=["GET"]),
    ]
    # As in TensorBoard: a log directory is one experiment, and links may give it any name.
    experiment = Mount("/experiment/{experiment}", routes=routes)
    app = Starlette(
        routes=below(settings.path_prefix, [experiment, *routes]),
        middleware=[
            Middleware(
                Guard,
                is_allowed_host=settings.is_allowed_host,
                trusted_names=settings.trusted_names,
                token=settings.token,
                cookie_path=f"{settings.path_prefix}/",
                framed_by=settings.framed_by,
            ),
            Middleware(Compress),
        ],
        exception_handlers={RequestError: request_error, HTTPException: http_error},
        lifespan=lifespan,
    )
    app.state.live = live
    app.state.endpoints = described
    return app


def api_endpoints(
    store: RunStore,
    roots: Sequence[LogRoot],
    state: State,
    live: Live,
    merged: MergedRuns,
    tables: RunTables,
    pools: WorkerPools,
    settings: Settings,
) -> list[Endpoint]:
    return [
        *list_endpoints(store, roots, state, live, merged),
        *series_endpoints(store, live, pools),
        *export_endpoints(store),
        *payload_endpoints(store),
        *histogram_endpoints(store),
        *state_endpoints(state),
        *table_endpoints(tables),
        *trial_endpoints(tables),
        *removal_endpoints(store, roots, tables, is_allowed=settings.allow_delete),
        *run_endpoints(store, tables),
        *routes_of(Comparisons(tables)),
        *markdown_endpoints(),
        *event_endpoints(live),
    ]


def below(prefix: str, routes: list[BaseRoute]) -> list[BaseRoute]:
    """All routes below a prefix, and redirects to it."""
    if not prefix:
        return routes

    async def enter(_: Request) -> Response:
        # The page's own URLs are relative, so that its address has to end in a slash.
        return RedirectResponse(f"{prefix}/")

    return [Route("/", enter), Route(prefix, enter), Mount(prefix, routes=routes)]


async def request_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestError)
    return error_response(error)


async def http_error(request: Request, error: Exception) -> Response:
    """What Starlette raises for an unknown path or method, in the form of our own errors."""
    assert isinstance(error, HTTPException)
    path = request.url.path
    match error.status_code:
        case 404:
            sentence = f"there is nothing at '{path}'"
        case 405:
            sentence = f"'{path}' does not take the method {request.method}"
        case _:
            sentence = str(error.detail)
    return http_error_response(error.status_code, sentence, headers=error.headers)
