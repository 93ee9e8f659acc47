"""Access checks and security headers: every request and every response passes through Guard."""

from __future__ import annotations

import hashlib
import hmac
import logging
import re
from collections.abc import Collection, Iterable
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from seamark.plugin import RequestError, error_response
from seamark.serve.http.hosts import HostCheck, parse_hostname

LOG = logging.getLogger(__name__)
# No inline script or style, nothing from other servers: markup in a tag or a run name stays text.
CONTENT_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        # The page sets the base of its relative URLs: the page of a run is some levels below.
        "base-uri 'self'",
        "form-action 'none'",
    ]
)
# Pages of this machine on any port, such as a notebook.
LOCAL_PAGES = "http://localhost:* http://127.0.0.1:* https://localhost:* https://127.0.0.1:*"
# https://host, https://*.host:8888, vscode-webview: and so on. No character that ends the policy or starts another.
ORIGIN_PATTERN = re.compile(r"[a-z][a-z0-9+.-]*:|https?://(\*\.)?[0-9A-Za-z._-]+(:(\d{1,5}|\*))?")
READ_METHODS = ("GET", "HEAD")
RESPONSE_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
# In the scope: what the log shows of a path that has a secret.
LOGGED_PATH_KEY = "seamark.logged_path"
TOKEN = "token"
COOKIE_SECS = 30 * 24 * 3600
# Beside the page, since the content policy allows no inline style; the page's own files need the token.
LOCKED_STYLE_FILE = "locked.css"
LOCKED_STYLE = """\
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 24px; box-sizing: border-box;
  font: 15px/1.55 system-ui, sans-serif; background: #f3f4f6; color: #1f2430; }
main { max-width: 460px; padding: 28px 32px; border: 1px solid #dfe2e8; border-radius: 8px; background: #fff; }
h1 { margin: 0 0 12px; font-size: 19px; line-height: 1.3; }
p { margin: 0 0 10px; } p:last-child { margin: 0; }
code { padding: 1px 5px; border-radius: 4px; background: #eef0f4; font: 13px ui-monospace, monospace; }
a { color: #0b6a85; }
@media (prefers-color-scheme: dark) {
  body { background: #14161b; color: #e6e8ec; } main { background: #1c1f26; border-color: #2f343e; }
  code { background: #2a2e37; } a { color: #5cc3dd; }
}
"""
LOCKED = (
    '<!doctype html><html lang="en"><title>Seamark</title><meta name="viewport" content="width=device-width">'
    f'<link rel="stylesheet" href="{LOCKED_STYLE_FILE}"><main><h1>This page needs its token</h1>'
    "<p>Open the URL that <code>seamark</code> printed in its terminal: it ends in <code>?token=…</code>."
    '<p>If you have already done so in this browser: <a href="">retry</a>.'
)
WELCOME = '<!doctype html><title>Seamark</title><a href="{address}">Continue to the runs</a>'


def frame_policy(origins: Iterable[str]) -> str:
    """The directive for pages that may show ours in a frame. "local" stands for every page of this machine.

    Raises ValueError for anything else that is not an origin.
    """
    sources = ["'self'"]
    for origin in origins:
        if origin != "local" and not ORIGIN_PATTERN.fullmatch(origin):
            raise ValueError(f"want 'local', or origins like https://host:8888, got '{origin}'")
        sources.append(LOCAL_PAGES if origin == "local" else origin)
    return f"frame-ancestors {' '.join(sources)}"


class Guard:
    """Rejects unknown Host headers, changes by pages of other servers and, with a `token`, requests without it.

    The token comes from the URL once; after a redirect a cookie has it and the URL no longer shows it.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        is_allowed_host: HostCheck,
        trusted_names: Collection[str] = (),
        token: str | None = None,
        cookie_path: str = "/",
        framed_by: Iterable[str] = (),
    ) -> None:
        self._app = app
        self._trusted_names = {name.lower() for name in trusted_names}
        self._is_allowed_host = is_allowed_host
        self._token = token
        self._cookie_path = cookie_path
        self._response_headers = {
            "content-security-policy": f"{CONTENT_POLICY}; {frame_policy(framed_by)}",
            **RESPONSE_HEADERS,
        }
        # All ports of a machine share cookies: each server needs its own name.
        self._cookie = f"seamark-{hashlib.sha256((token or '').encode()).hexdigest()[:12]}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        is_started = False

        async def send_guarded(message: Message) -> None:
            nonlocal is_started
            if message["type"] == "http.response.start":
                is_started = True
                headers = MutableHeaders(scope=message)
                for name, value in self._response_headers.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        reason = self._rejection(scope["method"], headers)
        rejection = forbidden(reason) if reason else self._without_token(scope, headers)
        try:
            await (rejection or self._app)(scope, receive, send_guarded)
        except Exception as error:
            # Once the response has begun only the server can end the connection; it logs the error, too.
            if is_started:
                raise
            LOG.exception("%s %s failed", scope["method"], scope.get(LOGGED_PATH_KEY, scope["path"]))
            await internal_error(error)(scope, receive, send_guarded)

    def _rejection(self, method: str, headers: Headers) -> str:
        if len(headers.getlist("host")) > 1:
            return "a request must have one Host header, this one has several"
        host = headers.get("host", "")
        if not self._is_allowed_host(host):
            return f"Host '{host}' is not allowed; add it with --allow_host"
        origin = headers.get("origin")
        # A page of another server may send GET, but without CORS headers its browser does not let it read the response.
        if method not in READ_METHODS and origin is not None and not self._is_ours(origin_host(origin), host):
            return f"pages of another server must not change anything here: '{origin}'"
        return ""

    def _is_ours(self, origin: str, host: str) -> bool:
        # A proxy may use another name for us than browsers use for the proxy.
        return origin == host or parse_hostname(origin) in self._trusted_names

    def _without_token(self, scope: Scope, headers: Headers) -> Response | None:
        """The response to a request without the token; None if the request may pass."""
        if self._token is None:
            return None
        pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = [value for name, value in pairs if name == TOKEN]
        rest = urlencode([pair for pair in pairs if pair[0] != TOKEN])
        # The application never sees the token and cannot leak it.
        scope["query_string"] = rest.encode("ascii")
        wants_page = "text/html" in headers.get("accept", "") and scope["method"] in ("GET", "HEAD")
        if any(self._is_token(value) for value in given):
            return self._set_cookie(scope["path"], rest, headers) if wants_page else None
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        if self._is_token(bearer) or self._is_token(find_cookie(self._cookie, headers)):
            return None
        if scope["path"].endswith(f"/{LOCKED_STYLE_FILE}"):
            return Response(LOCKED_STYLE, media_type="text/css")
        if wants_page:
            return HTMLResponse(LOCKED, 401, headers={"cache-control": "no-store"})
        sentence = "this server requires the token that it printed when it started"
        return error_response(RequestError(sentence, code="unauthorized"))

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), (self._token or "").encode())

    def _set_cookie(self, path: str, query: str, headers: Headers) -> Response:
        # Two slashes at the start would name another server. Quoted, since browsers drop tabs and line ends, which may
        # leave two slashes.
        address = "/" + quote(path.lstrip("/\\")) + (f"?{query}" if query else "")
        no_store = {"cache-control": "no-store"}
        response: Response
        if headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
            response = RedirectResponse(address, 303, headers=no_store)
        else:
            # After a link on another site a browser omits the strict cookie from a redirect, but not from a refresh.
            link = address.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
            response = HTMLResponse(WELCOME.format(address=link), headers={**no_store, "refresh": f"0;url={address}"})
        response.set_cookie(
            self._cookie,
            self._token or "",
            max_age=COOKIE_SECS,
            path=self._cookie_path,
            httponly=True,
            samesite="strict",
        )
        return response


def origin_host(origin: str) -> str:
    """The host and port of an origin; "" if it has none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def find_cookie(name: str, headers: Headers) -> str:
    """Not by the standard library, whose parser stops at the first malformed cookie of another program."""
    for header in headers.getlist("cookie"):
        for pair in header.split(";"):
            key, _, value = pair.strip().partition("=")
            if key == name:
                return value.strip('"')
    return ""


def forbidden(reason: str) -> Response:
    return error_response(RequestError(reason, code="forbidden"))


def internal_error(error: Exception) -> Response:
    """Without the traceback, which only the log has."""
    sentence = f"the server failed ({type(error).__name__}); its log has the details"
    return error_response(RequestError(sentence, code="internal"))
