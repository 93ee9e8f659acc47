"""What every request and every answer goes through: who may ask, and what a browser may do with the answer."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from seamark.serve.answers import as_error

# No inline script or style, nothing from elsewhere: a tag or a run name that holds markup stays text.
CONTENT_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
    ]
)
ANSWER_HEADERS = {
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
HOST_FORM = re.compile(r"(\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[0-9A-Za-z._-]+))(:\d{1,5})?")
SAFE_METHODS = frozenset({"GET", "HEAD"})

HostCheck = Callable[[str], bool]


def is_loopback_name(host: str) -> bool:
    """localhost or an address of this machine's loopback. Any other name may be a page that rebinds DNS to us."""
    name = hostname_of(host)
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def hostname_of(host: str) -> str:
    """The name in a Host header, without port and brackets; "" when it is not the form name, name:port or [v6]:port."""
    match = HOST_FORM.fullmatch(host)
    return (match["six"] or match["name"]).lower().rstrip(".") if match else ""


class Guard:
    """Refuses foreign Host and Origin headers, and adds the security headers to every answer."""

    def __init__(self, app: ASGIApp, *, is_allowed_host: HostCheck) -> None:
        self._app = app
        self._is_allowed_host = is_allowed_host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in ANSWER_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        reason = self._refusal(scope["method"], Headers(scope=scope))
        if reason:
            await as_error(reason, status_code=403)(scope, receive, send_guarded)
        else:
            await self._app(scope, receive, send_guarded)

    def _refusal(self, method: str, headers: Headers) -> str:
        host = headers.get("host", "")
        if not self._is_allowed_host(host):
            return f"this server answers on this machine's own names only, not as '{host}'; see --host"
        origin = headers.get("origin")
        if method not in SAFE_METHODS and origin is not None and urlsplit(origin).netloc != host:
            return f"requests from pages of another server are refused: '{origin}'"
        return ""
