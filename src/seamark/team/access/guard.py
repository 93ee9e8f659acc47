"""TeamGuard: checks and answers what every request to a team server needs before it reaches a route.

Host and security headers are those of `serve.http.security.Guard`, which stands in front of this one. Here: who it is,
and that a page of another site changes nothing with the cookie of this one.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from seamark.plugin import RequestError, error_response
from seamark.serve.http.security import LOGGED_PATH_KEY, READ_METHODS, find_cookie
from seamark.team.access.identities import Identities, principal_from
from seamark.team.access.principal import SCOPE_KEY, Principal
from seamark.team.access.rate_limits import RateLimits
from seamark.team.database import DatabaseError
from seamark.team.secret_text import TOKEN_PREFIX

SESSION_COOKIE = "seamark-session"
# Over HTTPS the name says that only this host may have set it, and only over HTTPS.
SECURE_SESSION_COOKIE = f"__Host-{SESSION_COOKIE}"
# In the scope: whether the browser reached the server over HTTPS.
SECURE_KEY = "seamark.is_secure"
# Links of shares and codes of invitations.
SECRET_PATH = re.compile(r"^(/s/|/invite/|/team/api/invitations/)[^/]+")
# Browsers that have seen it use HTTPS only, for a year.
STRICT_TRANSPORT = "max-age=31536000"


class TeamGuard:
    """`is_secure`: all browsers come over HTTPS, though this process may not see it."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        identities: Identities,
        limits: RateLimits,
        database_failure: Callable[[Exception], Response],
        trusts_proxy: bool = False,
        is_secure: bool = False,
    ) -> None:
        self._app = app
        self._identities = identities
        self._limits = limits
        self._database_failure = database_failure
        self._trusts_proxy = trusts_proxy
        self._is_secure = is_secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        scope[LOGGED_PATH_KEY] = SECRET_PATH.sub(r"\1…", scope["path"])
        scope[SECURE_KEY] = self._is_secure or came_over_https(scope, headers, trusts_proxy=self._trusts_proxy)
        send = with_strict_transport(send) if scope[SECURE_KEY] else send
        try:
            scope[SCOPE_KEY] = await self._identify(scope, headers)
        except RequestError as error:
            await error_response(error)(scope, receive, send)
            return
        except DatabaseError as error:
            await self._database_failure(error)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    async def _identify(self, scope: Scope, headers: Headers) -> Principal:
        address = client_address(scope, headers, trusts_proxy=self._trusts_proxy)
        bearer, secret = given_secrets(headers, is_secure=scope[SECURE_KEY])
        found = self._identities.cached(secret) if secret else (None, None)
        if not found or found == (None, None):
            self._limits.check_address(address)
        if found is None:
            found = await run_in_threadpool(self._identities.find, secret)
        principal = principal_from(address, found)
        if principal.is_known:
            self._limits.check_account(principal)
        elif bearer:
            raise RequestError("this token is unknown, expired or revoked", code="unauthorized")
        if not bearer and principal.is_known and scope["method"] not in READ_METHODS:
            check_same_origin(headers)
        return principal


def given_secrets(headers: Headers, *, is_secure: bool) -> tuple[str, str]:
    """What was sent as a token, and what may be somebody's secret: that token, or the cookie of a session."""
    given = headers.get("authorization", "")
    bearer = given[7:].strip() if given[:7].lower() == "bearer " else ""
    secret = bearer or session_secret(headers, is_secure=is_secure)
    # A cookie in place of a token, or the reverse, is nobody's.
    return bearer, secret if secret.startswith(TOKEN_PREFIX) == bool(bearer) else ""


def session_secret(headers: Headers, *, is_secure: bool) -> str:
    """Over HTTPS only the cookie that no other host and no plain HTTP can have set."""
    return find_cookie(SECURE_SESSION_COOKIE if is_secure else SESSION_COOKIE, headers)


def is_secure(connection: HTTPConnection) -> bool:
    """Whether the browser reached the server over HTTPS."""
    return bool(connection.scope[SECURE_KEY])


def came_over_https(scope: Scope, headers: Headers, *, trusts_proxy: bool) -> bool:
    forwarded = headers.get("x-forwarded-proto", "") if trusts_proxy else ""
    return scope.get("scheme") == "https" or forwarded.split(",")[-1].strip().lower() == "https"


def with_strict_transport(send: Send) -> Send:
    async def send_strict(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).setdefault("strict-transport-security", STRICT_TRANSPORT)
        await send(message)

    return send_strict


def check_same_origin(headers: Headers) -> None:
    """Raises RequestError for a change that a browser sends for a page of another site.

    The serving Guard has compared Origin with Host. A browser always sends one of these two with a change.
    """
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise RequestError("pages of another site must not change anything here", code="forbidden")
    if "sec-fetch-site" not in headers and "origin" not in headers:
        raise RequestError("a change with a session cookie needs the header Origin", code="forbidden")


def client_address(scope: Scope, headers: Headers, *, trusts_proxy: bool) -> str:
    """Behind a proxy: the last address in X-Forwarded-For, which the proxy itself wrote."""
    if trusts_proxy and "x-forwarded-for" in headers:
        return headers["x-forwarded-for"].split(",")[-1].strip()
    client = scope.get("client")
    return str(client[0]) if client else ""
