"""The web application of a team server: which objects it consists of, and how they are wired."""

from __future__ import annotations

import contextlib
import functools
import logging
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from seamark.plugin import Endpoint, RequestError, WorkerPools, as_routes, error_response
from seamark.serve.api.openapi import openapi_endpoint
from seamark.serve.app import http_error, request_error
from seamark.serve.http.compress import Compress
from seamark.serve.http.hosts import HostCheck
from seamark.serve.http.security import Guard
from seamark.serve.page import STATIC
from seamark.team.access.guard import TeamGuard
from seamark.team.database import DatabaseError
from seamark.team.operations.metrics import Measure
from seamark.team.pages import ProjectPages, TeamPage
from seamark.team.routes.audit import audit_endpoints
from seamark.team.routes.comments import comment_endpoints
from seamark.team.routes.health import health_routes
from seamark.team.routes.invitations import invitation_endpoints
from seamark.team.routes.me import me_endpoints
from seamark.team.routes.members import member_endpoints
from seamark.team.routes.notifications import notification_endpoints
from seamark.team.routes.oidc import oidc_endpoints
from seamark.team.routes.projects import project_endpoints
from seamark.team.routes.reports import report_endpoints
from seamark.team.routes.session import session_endpoints
from seamark.team.routes.shares import share_endpoints
from seamark.team.routes.smtp import smtp_endpoints
from seamark.team.routes.storage import storage_endpoints
from seamark.team.routes.tokens import token_endpoints
from seamark.team.routes.trash import trash_endpoints
from seamark.team.routes.uploads import upload_endpoints
from seamark.team.routes.users import user_endpoints
from seamark.team.sharing.pages import share_routes
from seamark.team.tasks import BackgroundTasks
from seamark.team.team import Team

LOG = logging.getLogger(__name__)
API = "/team/api"


def create_team_app(
    team: Team,
    *,
    is_allowed_host: HostCheck,
    trusted_names: Sequence[str] = (),
    static: Path = STATIC,
) -> Starlette:
    """An application over an opened team, which the caller closes."""
    pools = WorkerPools()

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await run_in_threadpool(team.ingest.start)
        await run_in_threadpool(team.projects.stores.start)
        tasks = BackgroundTasks(team)
        tasks.start()
        yield
        await tasks.stop()
        await team.projects.close()
        await run_in_threadpool(team.ingest.close)
        await run_in_threadpool(team.projects.stores.close)
        pools.close()

    failure = functools.partial(database_failure, team)

    async def database_error(_: Request, error: Exception) -> Response:
        return failure(error)

    endpoints = team_endpoints(team)
    endpoints.append(openapi_endpoint(lambda: {API: endpoints}))
    return Starlette(
        routes=[
            Mount(API, routes=as_routes(endpoints, pools)),
            *health_routes(team),
            Mount("/p/{organisation}/{project}", ProjectPages(team)),
            *share_routes(team, team.shares),
            Route("/{path:path}", TeamPage(static), methods=["GET"]),
        ],
        middleware=[
            Middleware(Measure, metrics=team.metrics),
            Middleware(Guard, is_allowed_host=is_allowed_host, trusted_names=trusted_names),
            Middleware(
                TeamGuard,
                identities=team.identities,
                limits=team.limits,
                database_failure=failure,
                trusts_proxy=team.trusts_proxy,
                is_secure=team.is_secure,
            ),
            Middleware(Compress),
        ],
        exception_handlers={
            RequestError: request_error,
            HTTPException: http_error,
            DatabaseError: database_error,
        },
        lifespan=lifespan,
    )


def team_endpoints(team: Team) -> list[Endpoint]:
    return [
        *session_endpoints(team),
        *me_endpoints(team),
        *token_endpoints(team),
        *project_endpoints(team),
        *upload_endpoints(team),
        *share_endpoints(team),
        *trash_endpoints(team),
        *storage_endpoints(team),
        *comment_endpoints(team),
        *report_endpoints(team),
        *notification_endpoints(team),
        *smtp_endpoints(team),
        *member_endpoints(team),
        *invitation_endpoints(team),
        *user_endpoints(team),
        *audit_endpoints(team),
        *oidc_endpoints(team),
    ]


def database_failure(team: Team, error: Exception) -> Response:
    """Without the reason, which may name hosts and paths: the log has it."""
    team.metrics.add("database_errors")
    LOG.error("%s", error)
    sentence = "the database of the server cannot be used at the moment; retry later"
    return error_response(RequestError(sentence, code="unavailable"))
