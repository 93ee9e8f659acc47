"""What the page is told about dashboards, and the routes they bring along."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from seamark.plugin import Context, Dashboard, Found, find_dashboards
from seamark.serve.answers import as_json
from seamark.store import LogRoot, Store

MODULE = "module.js"


def dashboard_routes(store: Store, roots: Sequence[LogRoot]) -> list[BaseRoute]:
    """/dashboards lists them; /dashboards/<name>/ holds a dashboard's own routes and its ES module."""
    context = Context(store, tuple(roots))
    mounted = [mount(entry, context) for entry in find_dashboards()]
    listed = [listing(entry) for entry, _ in mounted]

    def dashboards(_: Request) -> Response:
        """The tabs: those of this server and those of installed packages."""
        return as_json(listed)

    return [Route("/dashboards", dashboards), *(route for _, route in mounted if route is not None)]


def mount(found: Found, context: Context) -> tuple[Found, BaseRoute | None]:
    if found.dashboard is None:
        return found, None
    try:
        routes = list(own_routes(found.dashboard, context))
    except Exception as error:  # a foreign dashboard must not keep the server from starting
        reason = f"{found.source} could not make its routes: {type(error).__name__}: {error}"
        return Found(found.name, found.source, error=reason), None
    return found, Mount(f"/dashboards/{found.name}", routes=routes) if routes else None


def own_routes(dashboard: Dashboard, context: Context) -> Iterator[BaseRoute]:
    if dashboard.module is not None:
        path = dashboard.module

        async def module(_: Request) -> Response:
            """A third party's view."""
            return FileResponse(path, media_type="text/javascript", headers={"cache-control": "no-cache"})

        yield Route(f"/{MODULE}", module)
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
    }
