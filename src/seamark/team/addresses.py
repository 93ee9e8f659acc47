"""Addresses that leave the server: links for people, and where OIDC providers send browsers back to."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from seamark.team.access.guard import is_secure
from seamark.team.settings import TeamSettings


def public_address(settings: TeamSettings, connection: HTTPConnection, path: str) -> str:
    """An absolute address for a path that starts with a slash."""
    if settings.public_url:
        return settings.public_url.rstrip("/") + path
    scheme = "https" if is_secure(connection) else "http"
    return f"{scheme}://{connection.headers.get('host', '')}{path}"
