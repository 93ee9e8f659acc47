"""A team server inside the test process, with people, tokens and two projects.

`Person` sends requests as one of them. Everything is made through the functions that the routes use.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import argon2
import httpx2
import uvicorn
from starlette.applications import Starlette
from starlette.testclient import TestClient

from seamark.serve.server import ListenOptions, listen, make_url
from seamark.team.access.guard import SESSION_COOKIE
from seamark.team.access.principal import Role, User
from seamark.team.accounts.passwords import Passwords
from seamark.team.accounts.sessions import start_session
from seamark.team.accounts.users import create_user
from seamark.team.app import create_team_app
from seamark.team.database import Transaction
from seamark.team.projects.project import Project, create_project
from seamark.team.secret_text import TOKEN_PREFIX, hash_secret, new_id, new_secret
from seamark.team.serving import open_team
from seamark.team.settings import TeamFolder, TeamSettings
from seamark.team.team import Team

HOST = "localhost"
ORIGIN = f"http://{HOST}"
ORGANISATION, PROJECT, OTHER_PROJECT = "lab", "vision", "speech"
PASSWORD = "a password for tests"
# "server" administers the server, the next three are members of lab/vision, "outsider" only of lab-two/speech.
ROLES: Mapping[str, Role] = {"admin": "admin", "writer": "writer", "viewer": "viewer"}
PEOPLE = ("server", *ROLES, "outsider")
JOIN_SECS = 30
# The real costs would take most of the time of the tests.
CHEAP = argon2.PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)


@dataclass(frozen=True)
class Person:
    """Somebody with a session, with a token, or (without headers) a visitor."""

    client: httpx2.Client
    headers: Mapping[str, str] = field(default_factory=dict)
    user: User | None = None

    def request(self, method: str, address: str, **options: Any) -> Any:
        headers = {**self.headers, **options.pop("headers", {})}
        response = self.client.request(method, address, headers=headers, follow_redirects=False, **options)
        self.client.cookies.clear()  # or the next person would send them, too
        return response

    def get(self, address: str, **options: Any) -> Any:
        return self.request("GET", address, **options)

    def post(self, address: str, json: Any = None, **options: Any) -> Any:
        return self.request("POST", address, json=json, **options)

    def patch(self, address: str, json: Any = None, **options: Any) -> Any:
        return self.request("PATCH", address, json=json, **options)

    def put(self, address: str, json: Any = None, **options: Any) -> Any:
        return self.request("PUT", address, json=json, **options)


class InProcessTeam:
    """`project` is lab/vision, `other` is lab-two/speech."""

    def __init__(self, team: Team, client: httpx2.Client, *, is_new: bool = True, address: str = ORIGIN) -> None:
        self.team = team
        self.address = address
        self.client = client
        self.users: dict[str, User] = {}
        self._secrets: dict[str, str] = {}
        if is_new:
            team.write(self._create)

    def person(self, name: str) -> Person:
        """One of PEOPLE, signed in with a browser."""
        headers = {
            "cookie": f"{SESSION_COOKIE}={self._secrets[name]}",
            "origin": self.address,
            "sec-fetch-site": "same-origin",
        }
        return Person(self.client, headers, self.users[name])

    def visitor(self) -> Person:
        return Person(self.client, {"origin": self.address})

    def browser_cookie(self, name: str) -> dict[str, str]:
        """One of PEOPLE, for `context.add_cookies` of Playwright."""
        return {"name": SESSION_COOKIE, "value": self._secrets[name], "url": self.address}

    def holder(self, token: str) -> Person:
        """Whoever sends this token."""
        return Person(self.client, {"authorization": f"Bearer {token}"})

    def token(
        self, name: str | None, scope: Role, project: Project | None = None, *, expires_at: float | None = None
    ) -> str:
        """A personal token of one of PEOPLE, or with None a service token of a project."""
        secret = new_secret(TOKEN_PREFIX)
        maker = self.users[name or "admin"]
        row = (new_id(), hash_secret(secret), f"{name or 'service'} {scope}", maker.id if name else None)
        self.team.write(
            lambda transaction: transaction.execute(
                "INSERT INTO tokens (id, hash, name, user_id, project_id, scope, created_at, created_by, expires_at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                *row,
                project.id if project else None,
                scope,
                self.team.clock(),
                maker.id,
                expires_at,
            )
        )
        return secret

    def _create(self, transaction: Transaction) -> None:
        password_hash = self.team.passwords.hash(PASSWORD)
        for name in PEOPLE:
            user = create_user(
                transaction,
                email=f"{name}@example.org",
                name=name.title(),
                password_hash=password_hash,
                is_server_admin=name == "server",
            )
            self.users[name] = user
            self._secrets[name] = start_session(transaction, user.id, address="", now=self.team.clock())
        self.project = create_project(transaction, ORGANISATION, PROJECT, creator=self.users["server"].id)
        self.other = create_project(transaction, "lab-two", OTHER_PROJECT, creator=self.users["outsider"].id)
        for name, role in ROLES.items():
            transaction.execute("INSERT INTO members VALUES (?, ?, ?)", self.project.id, self.users[name].id, role)


@contextmanager
def opened_team(folder: Path, settings: TeamSettings | None = None, **changes: Any) -> Iterator[Team]:
    """A new team server in a folder; `changes` replace fields of Team."""
    TeamFolder(folder).create(settings or TeamSettings())
    team = replace(open_team(folder, passwords=Passwords(CHEAP)), **changes)
    try:
        yield team
    finally:
        team.database.close()


@contextmanager
def in_process_team(folder: Path, settings: TeamSettings | None = None, **changes: Any) -> Iterator[InProcessTeam]:
    with opened_team(folder, settings, **changes) as team, TestClient(team_app(team), base_url=ORIGIN) as client:
        yield InProcessTeam(team, client)


def team_app(team: Team) -> Starlette:
    return create_team_app(team, is_allowed_host=lambda header: header.split(":")[0] == HOST)


@contextmanager
def served_team(team: Team) -> Iterator[str]:
    """Serves a team on a port of its own, for browsers and uploads; yields the address."""
    options = ListenOptions(port=0)
    listening = listen(options.host, options.port)
    config = uvicorn.Config(team_app(team), log_level="warning", access_log=False, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])), daemon=True)
    thread.start()
    try:
        yield make_url(listening, options).rstrip("/")
    finally:
        team.projects.end_streams()
        server.should_exit = True
        thread.join(JOIN_SECS)
        listening.close()
        assert not thread.is_alive(), f"the server did not end within {JOIN_SECS} s"


@contextmanager
def served_in_process_team(
    folder: Path, settings: TeamSettings | None = None, **changes: Any
) -> Iterator[InProcessTeam]:
    """The same on a port of its own: `address` is where browsers find it."""
    with (
        opened_team(folder, settings, **changes) as team,
        served_team(team) as address,
        httpx2.Client(base_url=address, timeout=60) as client,
    ):
        yield InProcessTeam(team, client, address=address)
