"""The web application: routes, the page, and the guard around both."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from seamark.serve import schemas
from seamark.serve.answers import BadRequestError, as_error
from seamark.serve.compare_routes import compare_endpoints
from seamark.serve.compress import Compress
from seamark.serve.dashboards import Dashboards
from seamark.serve.endpoint import Endpoint, as_routes
from seamark.serve.export_routes import export_endpoints
from seamark.serve.histogram_routes import histogram_endpoints
from seamark.serve.live import Live
from seamark.serve.markdown_routes import markdown_endpoints
from seamark.serve.media_routes import media_endpoints
from seamark.serve.openapi import described
from seamark.serve.page import STATIC, Page
from seamark.serve.removal_routes import removal_endpoints
from seamark.serve.routes import event_endpoint, list_endpoints, series_endpoints
from seamark.serve.run_routes import run_endpoints
from seamark.serve.security import Guard, HostCheck, is_loopback_name
from seamark.serve.state import State
from seamark.serve.state_routes import state_endpoints
from seamark.serve.table_routes import table_endpoints
from seamark.serve.tables import Tables
from seamark.serve.tensorboard import data_app
from seamark.store import LogRoot, Store


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How the application is to be reached, and what it is called."""

    is_allowed_host: HostCheck = is_loopback_name
    trusted_names: tuple[str, ...] = ()  # of a proxy in front of us
    framed_by: tuple[str, ...] = ()  # origins whose pages may show ours in a frame
    token: str | None = None
    path_prefix: str = ""  # "" or "/some/path"
    window_title: str = ""
    allow_delete: bool = False  # whether runs may be moved to the trash or deleted
    samples_per_plugin: Mapping[str, int] = field(default_factory=dict)
    static: Path = STATIC


def create_app(
    store: Store, *, roots: Sequence[LogRoot] = (), state: State | None = None, settings: Settings | None = None
) -> Starlette:
    """An application over a store that its caller has started and will close. Without a `state` none is kept."""
    settings = settings or Settings()
    state = state or State(None, roots)
    live = Live(store)
    state.on_change(live.announce_state)
    tables = Tables(store, state)
    live.on_page(tables.build_ahead)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        live.start()
        yield
        live.close()
        await run_in_threadpool(live.join)
        await run_in_threadpool(tables.close)
        state.close()

    endpoints = api_endpoints(store, roots, state, live, tables, settings)
    routes: list[BaseRoute] = [
        Mount("/api", routes=[*as_routes(endpoints), *Dashboards(store, roots).routes()]),
        Mount(
            "/data",
            data_app(store, roots, samples_per_plugin=settings.samples_per_plugin, window_title=settings.window_title),
        ),
        Route("/{path:path}", Page(settings.static, title=settings.window_title), methods=["GET"]),
    ]
    # As TensorBoard has it: a log directory is one experiment, whatever a link calls it.
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
        exception_handlers={BadRequestError: refuse, 404: no_such_page},
        lifespan=lifespan,
    )
    app.state.live = live
    return app


def api_endpoints(
    store: Store, roots: Sequence[LogRoot], state: State, live: Live, tables: Tables, settings: Settings
) -> list[Endpoint]:
    return described(
        [
            *list_endpoints(store, roots, state, live),
            *series_endpoints(store, live),
            *export_endpoints(store),
            *media_endpoints(store),
            *histogram_endpoints(store),
            *state_endpoints(state),
            *table_endpoints(tables),
            *removal_endpoints(store, roots, tables, is_allowed=settings.allow_delete),
            *run_endpoints(store, tables),
            *compare_endpoints(tables),
            *markdown_endpoints(),
            event_endpoint(live),
        ],
        elsewhere=[
            # Answered by serve/dashboards.py.
            Endpoint(path="/dashboards", schema=schemas.DASHBOARDS, summary="The tabs of the page."),
        ],
    )


def below(prefix: str, routes: list[BaseRoute]) -> list[BaseRoute]:
    """Everything under a prefix; the addresses before it lead there."""
    if not prefix:
        return routes

    async def enter(_: Request) -> Response:
        # The page's own addresses are relative: it has to end in a slash.
        return RedirectResponse(f"{prefix}/")

    return [Route("/", enter), Route(prefix, enter), Mount(prefix, routes=routes)]


async def refuse(_: Request, error: Exception) -> Response:
    return as_error(str(error), status_code=getattr(error, "status_code", 400))


async def no_such_page(request: Request, _: Exception) -> Response:
    return as_error(f"there is nothing at '{request.url.path}'", status_code=404)
