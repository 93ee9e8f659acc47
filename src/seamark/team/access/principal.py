"""Principal: who sends a request. The guard finds it once; routes and projects ask it."""

from __future__ import annotations

from typing import Literal

import msgspec
from starlette.requests import HTTPConnection

Role = Literal["viewer", "writer", "admin"]
ROLES: tuple[Role, ...] = ("viewer", "writer", "admin")
SCOPE_KEY = "seamark.principal"


class User(msgspec.Struct, frozen=True):
    id: str
    email: str
    name: str
    is_server_admin: bool


class Token(msgspec.Struct, frozen=True):
    """`project_id` None: every project of its user. A service token has no user."""

    id: str
    name: str
    scope: Role
    project_id: str | None


class Share(msgspec.Struct, frozen=True):
    """An opened link: these runs of one project, to look at. `runs` None: all of them."""

    id: str
    project_id: str
    runs: tuple[str, ...] | None


class Principal(msgspec.Struct, frozen=True, kw_only=True):
    """`user`, `token` and `share` are all None for a visitor who has not signed in, and for the command line."""

    address: str
    user: User | None = None
    token: Token | None = None
    share: Share | None = None
    is_operator: bool = False  # somebody at the command line of the machine

    @property
    def is_known(self) -> bool:
        return self.user is not None or self.token is not None

    @property
    def via(self) -> str:
        """How they are known, for the audit log."""
        if self.is_operator:
            return "command line"
        if self.token is not None:
            return f"token {self.token.name}"
        if self.share is not None:
            return f"share {self.share.id}"
        return "session" if self.user is not None else "anonymous"


def principal_of(connection: HTTPConnection) -> Principal:
    found: Principal = connection.scope[SCOPE_KEY]
    return found


def lower_role(first: Role, second: Role) -> Role:
    return ROLES[min(ROLES.index(first), ROLES.index(second))]


def has_role(role: Role | None, wanted: Role) -> bool:
    return role is not None and ROLES.index(role) >= ROLES.index(wanted)
