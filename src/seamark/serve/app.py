"""The web application: routes, the page, and the guard around both."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from seamark.serve.answers import BadRequestError, as_error
from seamark.serve.live import Live
from seamark.serve.page import Page
from seamark.serve.routes import api_routes
from seamark.serve.security import Guard, HostCheck, is_loopback_name
from seamark.serve.tensorboard import data_app
from seamark.store import LogRoot, Store


def create_app(
    store: Store,
    *,
    roots: Sequence[LogRoot] = (),
    is_allowed_host: HostCheck = is_loopback_name,
    static: Path | None = None,
) -> Starlette:
    """An application over a store that its caller has started and will close."""
    live = Live(store)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        live.start()
        yield
        live.close()

    app = Starlette(
        routes=[
            Mount("/api", routes=api_routes(store, roots, live)),
            Mount("/data", data_app(store, roots)),
            Route("/{path:path}", Page(static) if static else Page(), methods=["GET"]),
        ],
        middleware=[Middleware(Guard, is_allowed_host=is_allowed_host)],
        exception_handlers={BadRequestError: refuse, 404: no_such_page, 500: fail},
        lifespan=lifespan,
    )
    app.state.live = live
    return app


async def refuse(_: Request, error: Exception) -> Response:
    return as_error(str(error), status_code=400)


async def no_such_page(request: Request, _: Exception) -> Response:
    return as_error(f"there is nothing at '{request.url.path}'", status_code=404)


async def fail(_: Request, error: Exception) -> Response:
    # uvicorn prints the traceback where the server runs; the page gets the kind of error only.
    return as_error(f"the server failed ({type(error).__name__}); its terminal says more", status_code=500)
