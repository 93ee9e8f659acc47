"""Every route × every principal, generated from the routes, against the table in access_rules.py."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from seamark.team.access.principal import Role, has_role
from seamark.team.access.rate_limits import RateLimits, TokenBuckets
from seamark.team.accounts.sessions import start_session
from seamark.team.accounts.users import create_user
from seamark.team.secret_text import hash_secret
from tests.team import IS_LONG
from tests.team.access_rules import (
    PROJECT_CHANGES,
    PROJECT_COMPUTES,
    PROJECT_NEVER,
    STREAMS,
    TEAM_RULES,
    Access,
    Rule,
)
from tools.in_process_team import InProcessTeam, Person, in_process_team

HIDDEN = "or you are not a member"
# A body that is parsed before the server refuses it.
BODIES = {route: {"runs": ["none"]} for route in PROJECT_NEVER}
NO_LIMIT = TokenBuckets(per_sec=1e9, burst=1e9)
# A fast machine sends more than the 100 requests in a second that visitors of one address may.
UNLIMITED = RateLimits(sign_ins=NO_LIMIT, visitors=NO_LIMIT, accounts=NO_LIMIT)


class Who(NamedTuple):
    """`role` in lab/vision."""

    name: str
    role: Role | None = None
    is_session: bool = False
    is_server_admin: bool = False
    is_known: bool = True
    is_valid: bool = True  # the credentials


EVERYBODY = [
    Who("anonymous", is_known=False),
    Who("forged cookie", is_known=False),
    Who("outsider", is_session=True),
    Who("viewer", "viewer", is_session=True),
    Who("writer", "writer", is_session=True),
    Who("admin", "admin", is_session=True),
    Who("server", "admin", is_session=True, is_server_admin=True),
    *(Who(f"token of admin, {scope}", scope) for scope in ("viewer", "writer", "admin")),
    Who("token of viewer, admin", "viewer"),
    Who("token of outsider, admin"),
    Who("token of server, admin", "admin", is_server_admin=True),
    *(Who(f"service token, {scope}", scope) for scope in ("viewer", "writer", "admin")),
    Who("service token of the other project, admin"),
    Who("token of server for the other project, admin", is_server_admin=True),
    Who("expired token", is_valid=False),
    Who("revoked token", is_valid=False),
    Who("token of a disabled user", is_valid=False),
    Who("made-up token", is_valid=False),
]


WRITER, ADMIN = (next(who for who in EVERYBODY if who.name == name) for name in ("writer", "admin"))
# Those who differ most.
FEW = {"anonymous", "outsider", "viewer", "writer", "token of viewer, admin", "expired token"}
TRIED = [who for who in EVERYBODY if IS_LONG or who.name in FEW]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessTeam]:
    with in_process_team(tmp_path_factory.mktemp("matrix") / "team", limits=UNLIMITED) as team:
        yield team


def person(team: InProcessTeam, who: Who) -> Person:
    """With a session or token of its own, so that signing out or revoking one does not matter to the next request."""
    if who.name == "anonymous":
        return team.visitor()
    if who.name == "forged cookie":
        return Person(team.client, {"cookie": "seamark-session=made-up", "origin": "http://localhost"})
    if who.is_session:
        known, user = team.person(who.name), team.users[who.name]
        secret = team.team.write(
            lambda transaction: start_session(transaction, user.id, address="", now=team.team.clock())
        )
        return Person(team.client, {**known.headers, "cookie": f"seamark-session={secret}"}, user)
    return team.holder(token_of(team, who.name))


def token_of(team: InProcessTeam, name: str) -> str:
    if name == "made-up token":
        return "smk_made-up"
    if name == "expired token":
        return team.token("admin", "admin", expires_at=time.time() - 1)
    if name == "token of a disabled user":
        return disabled_token(team)
    if name == "revoked token":
        token = team.token("admin", "admin")
        team.team.write(
            lambda transaction: transaction.execute(
                "UPDATE tokens SET revoked_at = 1 WHERE hash = ?", hash_secret(token)
            )
        )
        return token
    owner, scope = name.removeprefix("token of ").removeprefix("service token").rsplit(", ", 1)
    if name.startswith("service token of the other"):
        return team.token(None, scope, team.other)
    if name.startswith("service token"):
        return team.token(None, scope, team.project)
    return team.token(owner.split()[0], scope, team.other if "other project" in owner else None)


def disabled_token(team: InProcessTeam) -> str:
    """Of a user who was disabled after it was made."""
    email = f"gone{time.time_ns()}@example.org"
    user = team.team.write(
        lambda transaction: create_user(transaction, email=email, name="Gone", password_hash=None, is_server_admin=True)
    )
    team.users["gone"] = user
    token = team.token("gone", "admin")
    team.team.write(lambda transaction: transaction.execute("UPDATE users SET disabled_at = 1 WHERE id = ?", user.id))
    return token


def expected(access: Access, who: Who) -> int | None:
    """The status of a refusal; None: allowed."""
    if not who.is_valid:
        return 401
    match access:
        case "anyone":
            return None
        case "nobody":
            return 403
        case "session" | "server":
            if not who.is_known:
                return 401
            is_allowed = who.is_session and (access == "session" or who.is_server_admin)
            return None if is_allowed else 403
    if who.role is None:
        return 404 if who.is_known else 401
    if access in ("person", "speaker", "author"):
        is_silent = access == "speaker" and who.name == "token of admin, viewer"
        if who.name.startswith("service token") or is_silent:
            return 403
        return expected("writer" if access == "author" else "member", who)
    wanted: Role = "admin" if access == "admin_session" else "viewer" if access in ("member", "known") else access
    if not has_role(who.role, wanted) or (access == "admin_session" and not who.is_session):
        return 403
    return None


def problem(response: Any, wanted: int | None) -> str:
    """What is wrong with an answer; "" if nothing is."""
    status = response.status_code
    is_hidden = status == 404 and HIDDEN in response.text
    if wanted is None:
        is_right = status not in (401, 403, 429) and not is_hidden and status < 500
    else:
        is_right = status == wanted and (status != 404 or is_hidden)
    return "" if is_right else f"want {wanted or 'an answer'}, got {status} {response.text[:120]}"


def filled(path: str) -> str:
    names = {"organisation": "lab", "project": "vision", "code": "none", "id": "none"}
    return path.format(**names)


def test_every_route_of_the_team_has_a_rule(shared: InProcessTeam) -> None:
    found = {
        (method.upper(), path)
        for path, methods in shared.visitor().get("/team/api/openapi.json").json()["paths"].items()
        for method in methods
    }
    stated = {(method, path.split("?")[0]) for method, path in TEAM_RULES}
    assert found - stated == set(), "state in access_rules.py who may call these"
    assert {rule for rule in stated if "/team/api" in rule[1]} - found == set()


@pytest.mark.parametrize("who", TRIED, ids=lambda who: who.name)
def test_the_routes_of_the_team(shared: InProcessTeam, who: Who) -> None:
    problems = []
    for (method, path), rule in TEAM_RULES.items():
        response = call(shared, who, method, filled(path), rule)
        found = problem(response, expected(rule.access, who))
        problems += [f"{method} {path}: {found}"] if found else []
        undelete(shared)
    assert problems == []


def call(team: InProcessTeam, who: Who, method: str, path: str, rule: Rule) -> Any:
    return person(team, who).request(method, path, json=rule.body)


def undelete(team: InProcessTeam) -> None:
    team.team.write(
        lambda transaction: transaction.execute(
            "UPDATE projects SET deleted_at = NULL, name = 'vision' WHERE id = ?", team.project.id
        )
    )


def project_routes(team: InProcessTeam) -> list[tuple[str, str]]:
    paths = person(team, WRITER).get("/p/lab/vision/api/openapi.json").json()["paths"]
    described = [(method.upper(), path) for path, methods in paths.items() for method in methods]
    return [*described, *(("GET", path) for path in ("/", "/run/a", "/experiment/x/data/runs"))]


def test_every_change_of_a_project_has_a_rule(shared: InProcessTeam) -> None:
    posts = {(method, path) for method, path in project_routes(shared) if method != "GET"}
    stated = PROJECT_CHANGES | {("POST", path) for path in PROJECT_COMPUTES}
    assert posts - stated == set(), "state in access_rules.py whether these change what others see"
    assert stated - posts == set()


@pytest.mark.parametrize("who", TRIED, ids=lambda who: who.name)
def test_the_routes_of_a_project(shared: InProcessTeam, who: Who) -> None:
    somebody, problems = person(shared, who), []
    for method, path in project_routes(shared):
        wanted = expected("writer" if (method, path) in PROJECT_CHANGES else "viewer", who)
        wanted = 403 if (method, path) in PROJECT_NEVER and wanted is None else wanted
        if path in STREAMS and wanted is None:
            continue
        body = {"json": BODIES.get((method, path), {})} if method != "GET" else {}
        found = problem(somebody.request(method, f"/p/lab/vision{path}", **body), wanted)
        problems += [f"{method} {path}: {found}"] if found else []
    assert problems == []


def test_a_public_project_is_for_everybody_to_look_at_only(shared: InProcessTeam) -> None:
    assert person(shared, ADMIN).patch("/team/api/projects/lab/vision", {"is_public": True}).status_code == 200
    try:
        for who in TRIED:
            if who.role is not None or not who.is_valid:
                continue
            somebody = person(shared, who)
            for method, path in project_routes(shared):
                is_change = (method, path) in PROJECT_CHANGES
                if path in STREAMS and not is_change:
                    continue
                body = {"json": {}} if method != "GET" else {}
                response = somebody.request(method, f"/p/lab/vision{path}", **body)
                assert problem(response, 403 if is_change else None) == "", (who.name, method, path)
            for (method, path), rule in TEAM_RULES.items():
                if rule.access in ("writer", "admin", "admin_session", "member", "person", "speaker", "author"):
                    status = somebody.request(method, filled(path), json=rule.body).status_code
                    assert status in (401, 403), (who.name, method, path)
                elif rule.access == "known":
                    status = somebody.request(method, filled(path), json=rule.body).status_code
                    assert (status == 401) != who.is_known, (who.name, method, path)
    finally:
        person(shared, ADMIN).patch("/team/api/projects/lab/vision", {"is_public": False})
