"""What the page is told about dashboards, and the routes they bring along."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route, Router
from starlette.types import Receive, Scope, Send

from seamark.plugin import Context, Dashboard, Found, find_dashboards
from seamark.serve.answers import as_json
from seamark.store import LogRoot, Store

MODULE = "module.js"
HAS_DATA = "has_data"


class Dashboards:
    """All of them as one application, loaded with the first question to it.

    Between them they load protobuf, Pillow and whatever foreign ones want; a server that starts has better to do.
    """

    def __init__(self, store: Store, roots: Sequence[LogRoot]) -> None:
        self._context = Context(store, tuple(roots))
        self._loading = threading.Lock()
        self._loaded: tuple[list[dict[str, object]], Router] | None = None

    def routes(self) -> list[BaseRoute]:
        """/dashboards lists them; /dashboards/<name>/ holds a dashboard's own routes and its ES module."""
        return [Route("/dashboards", self._list), Mount("/dashboards", app=self._pass_on)]

    def _list(self, _: Request) -> Response:
        """The tabs: those of this server and those of installed packages."""
        return as_json(self._load()[0])

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        _, router = await run_in_threadpool(self._load) if self._loaded is None else self._loaded
        await router(scope, receive, send)

    def _load(self) -> tuple[list[dict[str, object]], Router]:
        with self._loading:
            if self._loaded is None:
                mounted = [mount(entry, self._context) for entry in find_dashboards()]
                router = Router(routes=[route for _, route in mounted if route is not None])
                self._loaded = [listing(entry) for entry, _ in mounted], router
            return self._loaded


def mount(found: Found, context: Context) -> tuple[Found, BaseRoute | None]:
    if found.dashboard is None:
        return found, None
    try:
        routes = list(own_routes(found.dashboard, context))
    except Exception as error:  # a foreign dashboard must not keep the server from starting
        reason = f"{found.source} could not make its routes: {type(error).__name__}: {error}"
        return Found(found.name, found.source, error=reason), None
    return found, Mount(f"/{found.name}", routes=routes) if routes else None


def own_routes(dashboard: Dashboard, context: Context) -> Iterator[BaseRoute]:
    if dashboard.module is not None:
        path = dashboard.module

        async def module(_: Request) -> Response:
            """A third party's view."""
            return FileResponse(path, media_type="text/javascript", headers={"cache-control": "no-cache"})

        yield Route(f"/{MODULE}", module)
    if dashboard.has_data is not None:
        tells = dashboard.has_data

        def has_data(_: Request) -> Response:
            """Whether there is anything to show."""
            return as_json({"has_data": bool(tells(context))})

        yield Route(f"/{HAS_DATA}", has_data)
    if dashboard.routes is not None:
        yield from dashboard.routes(context)


def listing(found: Found) -> dict[str, object]:
    dashboard = found.dashboard
    if dashboard is None:
        return {
            "name": found.name,
            "title": found.name,
            "order": 10**9,
            "kinds": [],
            "module": None,
            "error": found.error,
        }
    return {
        "name": dashboard.name,
        "title": dashboard.title,
        "order": dashboard.order,
        "kinds": list(dashboard.kinds),
        "module": f"api/dashboards/{dashboard.name}/{MODULE}" if dashboard.module else None,
        **({"has_data": f"api/dashboards/{dashboard.name}/{HAS_DATA}"} if dashboard.has_data else {}),
    }
