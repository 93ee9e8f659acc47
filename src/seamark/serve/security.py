"""What every request and every answer goes through: who may ask, and what a browser may do with the answer."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
import socket
from collections.abc import Callable, Collection, Iterable
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from seamark.serve.answers import as_error

# No inline script or style, nothing from elsewhere: a tag or a run name that holds markup stays text.
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
        # The page says itself from where its relative addresses count: those of a run lie some folders below.
        "base-uri 'self'",
        "form-action 'none'",
    ]
)
# Pages of this machine, on whatever port: a notebook beside us.
LOCAL_PAGES = "http://localhost:* http://127.0.0.1:* https://localhost:* https://127.0.0.1:*"
# https://host, https://*.host:8888, vscode-webview: … and nothing that could end the policy or begin another.
FRAMING_FORM = re.compile(r"[a-z][a-z0-9+.-]*:|https?://(\*\.)?[0-9A-Za-z._-]+(:(\d{1,5}|\*))?")
ANY_HOST = "*"
# Names below these are never sold: only who runs the network gives them an address, as a cluster does for its services.
PRIVATE_SUFFIXES = (".local", ".internal", ".home.arpa", ".svc")
READS = ("GET", "HEAD")
ANSWER_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
HOST_FORM = re.compile(r"(\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[0-9A-Za-z._-]+))(:\d{1,5})?")
TOKEN = "token"
COOKIE_SECS = 30 * 24 * 3600
LOCKED = (
    "<!doctype html><title>Seamark</title><h1>This page needs its token</h1>"
    "<p>Open the address that <code>seamark</code> printed in its terminal: it ends in <code>?token=…</code>."
    '<p>If you did that before in this browser: <a href="">try again</a>.'
)
ENTERED = '<!doctype html><title>Seamark</title><a href="{address}">Go on to the runs</a>'

HostCheck = Callable[[str], bool]


def framing(origins: Iterable[str]) -> str:
    """Which pages may show ours in a frame: our own, and these; "local" is short for every page of this machine.

    Raises ValueError for what is no origin.
    """
    sources = ["'self'"]
    for origin in origins:
        if origin != "local" and not FRAMING_FORM.fullmatch(origin):
            raise ValueError(f"want 'local', or origins like https://host:8888, got '{origin}'")
        sources.append(LOCAL_PAGES if origin == "local" else origin)
    return f"frame-ancestors {' '.join(sources)}"


def is_loopback_name(host: str) -> bool:
    """localhost or an address of this machine's loopback. Any other name may be a page that rebinds DNS to us."""
    name = hostname_of(host)
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def is_address(host: str) -> bool:
    """A number: no page can rebind that."""
    try:
        ipaddress.ip_address(hostname_of(host))
    except ValueError:
        return False
    return True


def is_private_name(host: str) -> bool:
    """One word, or below a private suffix: no page on the internet has such a name, so none can rebind it to us."""
    name = hostname_of(host)
    return name != "" and ("." not in name or name.endswith(PRIVATE_SUFFIXES))


def host_check(host: str, *, has_token: bool, allowed: Iterable[str] = ()) -> HostCheck:
    """By which names a server that listens on `host` may be asked.

    On the loopback by its own names. On the network without a token by addresses and by private names; with a token by
    any name, since a page that rebinds a name to us has no cookie for it. "*" allows any name, for servers
    that browsers reach only through a proxy.
    """
    names = {name.lower().rstrip(".") for name in allowed}
    name = f"[{host.strip('[]')}]" if ":" in host else host
    if ANY_HOST in names:
        return lambda asked: hostname_of(asked) != ""
    if is_loopback_name(name):
        return lambda asked: is_loopback_name(asked) or hostname_of(asked) in names
    if has_token:
        return lambda asked: hostname_of(asked) != ""
    # Not getfqdn(): that may wait for a name server.
    names |= {host.lower(), socket.gethostname().lower()}
    return lambda asked: is_address(asked) or is_private_name(asked) or hostname_of(asked) in names


def hostname_of(host: str) -> str:
    """The name in a Host header, without port and brackets; "" when it is not the form name, name:port or [v6]:port."""
    match = HOST_FORM.fullmatch(host)
    return (match["six"] or match["name"]).lower().rstrip(".") if match else ""


class Guard:
    """Refuses foreign Host headers, changes by pages of other servers and, with a `token`, everybody without it.

    The token is taken from the address once; after that a cookie holds it, and it is gone from the address.
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
        self._answer_headers = {"content-security-policy": f"{CONTENT_POLICY}; {framing(framed_by)}", **ANSWER_HEADERS}
        # Cookies are shared by all ports of a machine: each server needs a name of its own.
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
                for name, value in self._answer_headers.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        reason = self._refusal(scope["method"], headers)
        answer = as_error(reason, status_code=403) if reason else self._locked(scope, headers)
        try:
            await (answer or self._app)(scope, receive, send_guarded)
        except Exception as error:
            # Answered here, so that a failure has the same headers as any other answer; raised, so that it is logged.
            if not is_started:
                await failure(error)(scope, receive, send_guarded)
            raise

    def _refusal(self, method: str, headers: Headers) -> str:
        if len(headers.getlist("host")) > 1:
            return "a request has one Host header, this one has several"
        host = headers.get("host", "")
        if not self._is_allowed_host(host):
            return f"Host '{host}' is not allowed; add it with --allow_host"
        origin = headers.get("origin")
        # A page of another server may ask, but its browser keeps the answer from it: no header here allows it to read.
        if method not in READS and origin is not None and not self._is_ours(host_in(origin), host):
            return f"requests from pages of another server are refused: '{origin}'"
        return ""

    def _is_ours(self, origin: str, host: str) -> bool:
        # A proxy may ask us by another name than browsers ask the proxy.
        return origin == host or hostname_of(origin) in self._trusted_names

    def _locked(self, scope: Scope, headers: Headers) -> Response | None:
        """What somebody without the token is told; None when the request may pass."""
        if self._token is None:
            return None
        pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = [value for name, value in pairs if name == TOKEN]
        rest = urlencode([pair for pair in pairs if pair[0] != TOKEN])
        # The app never sees the token, and so cannot give it away.
        scope["query_string"] = rest.encode("ascii")
        wants_page = "text/html" in headers.get("accept", "") and scope["method"] in ("GET", "HEAD")
        if any(self._is_token(value) for value in given):
            return self._enter(scope["path"], rest, headers) if wants_page else None
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        if self._is_token(bearer) or self._is_token(cookie_named(self._cookie, headers)):
            return None
        if wants_page:
            return HTMLResponse(LOCKED, 401, headers={"cache-control": "no-store"})
        return as_error("this server needs the token that it printed when it started", status_code=401)

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), (self._token or "").encode())

    def _enter(self, path: str, query: str, headers: Headers) -> Response:
        # Two slashes at the start would lead to another server.
        # Quoted: a header holds no other letters, and browsers drop tabs and line ends, which may leave two slashes.
        address = "/" + quote(path.lstrip("/\\")) + (f"?{query}" if query else "")
        told = {"cache-control": "no-store"}
        answer: Response
        if headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
            answer = RedirectResponse(address, 303, headers=told)
        else:
            # From a link on another site a redirect would go without the strict cookie; a page that leads on does not.
            link = address.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
            answer = HTMLResponse(ENTERED.format(address=link), headers={**told, "refresh": f"0;url={address}"})
        answer.set_cookie(
            self._cookie,
            self._token or "",
            max_age=COOKIE_SECS,
            path=self._cookie_path,
            httponly=True,
            samesite="strict",
        )
        return answer


def host_in(origin: str) -> str:
    """The host and port of an origin; "" of what is none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def cookie_named(name: str, headers: Headers) -> str:
    """Split by hand: the standard library gives up at the first cookie of another program that it finds odd."""
    for header in headers.getlist("cookie"):
        for pair in header.split(";"):
            key, _, value = pair.strip().partition("=")
            if key == name:
                return value.strip('"')
    return ""


def failure(error: Exception) -> Response:
    # uvicorn prints the traceback in the server's terminal; the page gets the sort of error only.
    return as_error(f"the server failed ({type(error).__name__}); its terminal says more", status_code=500)
