"""What is outside of the API: the page of a project, and the team's own pages (sign in, projects, settings)."""

from __future__ import annotations

import asyncio
import html
import re
from pathlib import Path
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from seamark.plugin import RequestError, error_response
from seamark.plugin.endpoint import READ_ONLY_KEY
from seamark.serve.api.events import AUDIENCE_KEY
from seamark.serve.page import BASE, STATIC, Page
from seamark.team.access.guard import given_secrets, is_secure
from seamark.team.access.identities import principal_from
from seamark.team.access.principal import Role, has_role, principal_of
from seamark.team.access.rules import project_for, requested_project
from seamark.team.database import DatabaseError
from seamark.team.projects.opened import View
from seamark.team.projects.project import Project
from seamark.team.serve_until import serve_until
from seamark.team.team import Team, record_opening

# The first parts of the addresses of the team's own pages.
PAGES = ("sign-in", "setup", "invite", "settings", "projects")
# How long an event stream may go on after its project is closed to whoever reads it.
ACCESS_CHECK_SECS = 10.0
# What only the page of a project requests.
PRELOADS = re.compile(r'<link rel="(?:module)?preload"[^>]*>\s*')


class ProjectPages:
    """ASGI application for /p/<organisation>/<project>: the application of the project, for its members."""

    def __init__(self, team: Team) -> None:
        self._team = team

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        try:
            project, role = await run_in_threadpool(self._find, request)
        except RequestError as error:
            if error.code == "unauthorized" and wants_page(request):
                where = quote(request.url.path + (f"?{request.url.query}" if request.url.query else ""), safe="")
                await RedirectResponse(f"/sign-in?next={where}", 303)(scope, receive, send)
            else:
                await page_error(request, error)(scope, receive, send)
            return
        if not has_role(role, "writer"):
            scope[READ_ONLY_KEY] = f"you may look at '{project.path}', but not change it; ask for the role writer"
        user = principal_of(request).user
        scope[AUDIENCE_KEY] = user.id if user is not None else ""
        async with self._team.projects.use(View(project.id)) as opened:
            if is_stream(request):
                ended = self._until_access_ends(request)
                await serve_until(ended, "you may no longer look at this", opened.app, scope, receive, send)
            else:
                await opened.app(scope, receive, send)

    def _find(self, request: Request) -> tuple[Project, Role]:
        found = self._team.read(lambda transaction: requested_project(transaction, request, "viewer"))
        record_opening(self._team, principal_of(request), "project.open", found[0])
        if request.method == "PATCH" and has_role(found[1], "writer"):  # of names, notes, pins or layouts
            record_opening(self._team, principal_of(request), "project.edit", found[0])
        return found

    async def _until_access_ends(self, request: Request) -> None:
        """For who signed out or was removed, disabled or signed out by others, while a page stayed open."""
        is_allowed = True
        while is_allowed:
            await asyncio.sleep(ACCESS_CHECK_SECS)
            is_allowed = await run_in_threadpool(self._may_look, request)

    def _may_look(self, request: Request) -> bool:
        address = principal_of(request).address
        names = request.path_params["organisation"], request.path_params["project"]
        _, secret = given_secrets(request.headers, is_secure=is_secure(request))
        try:
            principal = principal_from(address, self._team.identities.find(secret) if secret else (None, None))
            self._team.read(lambda transaction: project_for(transaction, principal, *names, "viewer"))
        except RequestError:
            return False
        except DatabaseError:
            return True  # as soon as it answers again
        return True


class TeamPage(Page):
    """The same document at every address of the team's own pages; it reads which one from its address."""

    def __init__(self, static: Path) -> None:
        super().__init__(static, team_root="/")

    def _document(self) -> str:
        return PRELOADS.sub("", super()._document())

    def _is_page(self, path: str) -> bool:
        return path == "" or path.split("/")[0] in PAGES

    def respond_error(self, error: RequestError) -> Response:
        """The page, which shows the sentence."""
        mark = f'<meta name="seamark-error" content="{html.escape(str(error))}" />'
        page = self._document().replace(BASE, '<base href="/"', 1)
        page = page.replace("</head>", f'{mark}<meta name="seamark-team" content="/" /></head>', 1)
        return HTMLResponse(page, error.status, headers={"cache-control": "no-store"})


def page_error(request: Request, error: RequestError) -> Response:
    """For a browser that opens a page a page, for everybody else JSON."""
    if not wants_page(request) or not (STATIC / "index.html").is_file():
        return error_response(error)
    return TeamPage(STATIC).respond_error(error)


def is_stream(request: Request) -> bool:
    return request.url.path.endswith("/api/events")


def wants_page(request: Request) -> bool:
    return request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")
