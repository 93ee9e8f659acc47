"""What is at /s/<key>/: the page of a share, and the form for its password."""

from __future__ import annotations

import asyncio
from urllib.parse import parse_qs, quote

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import Receive, Scope, Send

from seamark.plugin import RequestError, RequestStruct, error_response, json_response, parse_body, read_body
from seamark.plugin.endpoint import READ_ONLY_KEY
from seamark.serve.http.security import find_cookie
from seamark.team.access.guard import is_secure
from seamark.team.access.principal import SCOPE_KEY, Principal, Share, principal_of
from seamark.team.pages import page_error
from seamark.team.projects.project import project_with_id
from seamark.team.serve_until import serve_until
from seamark.team.sharing.opened_shares import OpenedShares
from seamark.team.sharing.shares import ShareRow, find_opened
from seamark.team.sharing.unlock_page import HEADERS, unlock_page
from seamark.team.sharing.unlocked import COOKIE_SECS, check_password, cookie_name, cookie_value, has_cookie
from seamark.team.team import Team, record_opening

LOOK_ONLY = "a shared link is for looking only"
MAX_FORM_BYTES = 16 << 10


class UnlockBody(RequestStruct):
    password: str


def share_routes(team: Team, shares: OpenedShares) -> list[BaseRoute]:
    pages = SharePages(team, shares)
    return [
        Route("/s/{key}", pages.enter, methods=["GET"]),
        Route("/s/{key}/unlock", pages.unlock, methods=["POST"]),
        Mount("/s/{key}", pages),
    ]


class SharePages:
    """ASGI application for /s/<key>/."""

    def __init__(self, team: Team, shares: OpenedShares) -> None:
        self._team = team
        self._shares = shares

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        key = request.path_params["key"]
        try:
            share, is_locked = await run_in_threadpool(self._find, request, key)
        except RequestError as error:
            await page_error(request, error)(scope, receive, send)
            return
        if is_locked:
            await locked(request, key)(scope, receive, send)
            return
        if is_start_of_page(request):
            await run_in_threadpool(self._record_visit, principal_of(request), share)
        end = self._shares.end_of(share)
        async with self._shares.use(share) as opened:
            scope[READ_ONLY_KEY] = LOOK_ONLY
            scope[SCOPE_KEY] = as_share(principal_of(request), share)
            secs = None if share.expires_at is None else share.expires_at - self._team.clock()
            ended = asyncio.wait_for(end.wait(), secs)
            await serve_until(ended, "this link has expired or was revoked", opened.app, scope, receive, send)

    async def enter(self, request: Request) -> Response:
        """The link as it is sent: leads to the saved view that is shared."""
        key = request.path_params["key"]
        try:
            share, is_locked = await run_in_threadpool(self._find, request, key)
        except RequestError as error:
            return page_error(request, error)
        # A view may name runs and tags: who has not entered the password must not see it.
        return RedirectResponse(address(key) if is_locked else view_address(key, share), 303)

    async def unlock(self, request: Request) -> Response:
        """Of a form, or of a program that sends JSON."""
        key = request.path_params["key"]
        is_form = request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
        try:
            body = await read_body(request, max_bytes=MAX_FORM_BYTES)
            password = form_password(body) if is_form else parse_body(UnlockBody, body).password
            share = await run_in_threadpool(self._check_password, request, key, password)
        except RequestError as error:
            if is_form and error.code in ("unauthorized", "too_many_requests"):
                return unlock_page(address(key, "unlock"), problem=str(error), status=error.status)
            retry = error.details.get("retry_after_secs")
            return error_response(error, headers={"retry-after": str(retry)} if retry else None)
        response = RedirectResponse(view_address(key, share), 303) if is_form else json_response({"view": share.view})
        response.set_cookie(
            cookie_name(share),
            cookie_value(share, key),
            max_age=COOKIE_SECS,
            path=address(key),
            secure=is_secure(request),
            httponly=True,
            samesite="lax",  # the link is opened from a mail or a chat
        )
        return response

    def _find(self, request: Request, key: str) -> tuple[ShareRow, bool]:
        share, needs_password = self._team.read(
            lambda transaction: find_opened(transaction, principal_of(request), key, self._team.clock())
        )
        given = find_cookie(cookie_name(share), request.headers)
        return share, needs_password and not has_cookie(share, key, given)

    def _check_password(self, request: Request, key: str, password: str) -> ShareRow:
        share, _ = self._find(request, key)
        team = self._team
        check_password(
            team.database, team.passwords, share, password, address=principal_of(request).address, now=team.clock()
        )
        return share

    def _record_visit(self, principal: Principal, share: ShareRow) -> None:
        project = self._team.read(lambda transaction: project_with_id(transaction, share.project_id))
        if project is not None:
            record_opening(self._team, as_share(principal, share), "share.open", project, share.id)


def as_share(principal: Principal, share: ShareRow) -> Principal:
    return msgspec.structs.replace(principal, share=Share(share.id, share.project_id, share.runs))


def locked(request: Request, key: str) -> Response:
    if "text/html" in request.headers.get("accept", ""):
        return unlock_page(address(key, "unlock"))
    return error_response(
        RequestError("this link has a password; send it to unlock first", code="unauthorized"),
        headers={"cache-control": HEADERS["cache-control"]},
    )


def address(key: str, below: str = "") -> str:
    return f"/s/{quote(key, safe='')}/{below}"


def view_address(key: str, share: ShareRow) -> str:
    view = quote(share.view, safe="/?:@!$&'()*+,;=-._~%")
    return address(key) + (f"#{view}" if view else "")


def form_password(body: bytes) -> str:
    try:
        return parse_qs(body.decode(), keep_blank_values=True, max_num_fields=10).get("password", [""])[0]
    except ValueError:
        raise RequestError("the form cannot be read", code="invalid_body") from None


def is_start_of_page(request: Request) -> bool:
    return request.method == "GET" and "text/html" in request.headers.get("accept", "")
