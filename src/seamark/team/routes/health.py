"""Routes for those who run the server: whether it is alive and ready, and its metrics."""

from __future__ import annotations

import logging
import os

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from seamark.plugin import NO_STORE, RequestError, error_response
from seamark.serve.http.hosts import is_loopback_name
from seamark.serve.server import bracketed
from seamark.team.access.principal import principal_of
from seamark.team.access.rules import sign_in_first
from seamark.team.database import DatabaseError
from seamark.team.operations.metrics import MEDIA_TYPE
from seamark.team.routes.team_routes import TeamRoutes
from seamark.team.team import Team

LOG = logging.getLogger(__name__)
# What a proxy adds; a request with one of these comes from somebody else than the machine itself.
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "x-forwarded-host")


def health_routes(team: Team) -> list[Route]:
    routes = HealthRoutes(team)
    return [
        Route("/healthz", routes.alive, methods=["GET"]),
        Route("/readyz", routes.ready, methods=["GET"]),
        Route("/metrics", routes.metrics, methods=["GET"]),
    ]


class HealthRoutes(TeamRoutes):
    async def alive(self, _: Request) -> Response:
        return PlainTextResponse("ok\n", headers=dict(NO_STORE))

    async def ready(self, _: Request) -> Response:
        """Without the reason, which is for the log: anybody may ask."""
        try:
            await run_in_threadpool(self._check)
        except (DatabaseError, OSError) as error:
            LOG.warning("the server is not ready: %s", error)
            return PlainTextResponse("not ready; the log of the server says why\n", 503, headers=dict(NO_STORE))
        return PlainTextResponse("ready\n", headers=dict(NO_STORE))

    async def metrics(self, request: Request) -> Response:
        try:
            check_may_see_metrics(request)
        except RequestError as error:
            return error_response(error)
        text = self._team.metrics.text(opened_projects=len(self._team.projects))
        return Response(text, media_type=MEDIA_TYPE, headers=dict(NO_STORE))

    def _check(self) -> None:
        self._team.read(lambda transaction: transaction.row("SELECT COUNT(*) FROM migrations"))
        if not os.access(self._team.folder.path, os.W_OK):
            raise OSError(f"the folder cannot be written: '{self._team.folder.path}'")


def check_may_see_metrics(request: Request) -> None:
    """For the machine itself, and for admins of the server, also with a token of scope admin. Raises RequestError."""
    principal = principal_of(request)
    is_admin = principal.user is not None and principal.user.is_server_admin
    if is_admin and (principal.token is None or principal.token.scope == "admin"):
        return
    client = request.client.host if request.client else ""
    is_forwarded = any(name in request.headers for name in FORWARDED)
    if client and is_loopback_name(bracketed(client)) and not is_forwarded:
        return
    if not principal.is_known:
        raise sign_in_first()
    raise RequestError("metrics are for this machine, and for admins of the server", code="forbidden")
