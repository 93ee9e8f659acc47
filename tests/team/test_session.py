"""Signing in and out, the first admin, and what slows down those who guess."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from seamark.team.access.guard import SECURE_SESSION_COOKIE, SESSION_COOKIE
from seamark.team.accounts.failures import FREE_ACCOUNT_FAILURES, FREE_ADDRESS_FAILURES
from seamark.team.accounts.setup_code import new_setup_code
from tools.in_process_team import ORIGIN, PASSWORD, InProcessTeam, Person, in_process_team, opened_team, team_app

SESSION = "/team/api/session"
NOON = 1e9


def sign_in(person: Person, name: str, password: str = PASSWORD):
    return person.post(SESSION, {"email": f"{name}@example.org", "password": password})


def test_a_session_begins_with_the_password_and_ends_with_signing_out(team: InProcessTeam) -> None:
    visitor = team.visitor()
    assert visitor.get(SESSION).json()["user"] is None
    response = sign_in(visitor, "writer")
    assert response.status_code == 200
    assert response.json()["user"]["email"] == "writer@example.org"
    cookie = response.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie and "Secure" not in cookie
    signed_in = Person(team.client, {"cookie": cookie.split(";")[0], "origin": ORIGIN})
    assert signed_in.get(SESSION).json()["user"]["name"] == "Writer"
    ended = signed_in.post(f"{SESSION}/end")
    assert ended.status_code == 200 and 'seamark-session=""' in ended.headers["set-cookie"]
    assert signed_in.get(SESSION).json()["user"] is None


def test_the_cookie_over_https_is_secure_and_the_plain_one_is_ignored(tmp_path: Path) -> None:
    with in_process_team(tmp_path / "team", is_secure=True) as team:
        response = sign_in(team.visitor(), "writer")
        cookie = response.headers["set-cookie"]
        assert cookie.startswith(f"{SECURE_SESSION_COOKIE}=") and "Secure" in cookie and "Path=/" in cookie
        assert "strict-transport-security" in response.headers
        secret = cookie.split("=")[1].split(";")[0]
        for name, is_known in ((SECURE_SESSION_COOKIE, True), (SESSION_COOKIE, False)):
            person = Person(team.client, {"cookie": f"{name}={secret}"})
            assert (person.get(SESSION).json()["user"] is not None) == is_known


@pytest.mark.parametrize("trusts_proxy", [True, False])
def test_only_a_trusted_proxy_says_that_it_is_https_and_who_asks(tmp_path: Path, trusts_proxy: bool) -> None:
    with in_process_team(tmp_path / "team", trusts_proxy=trusts_proxy) as team:
        proxied = {"x-forwarded-proto": "https", "x-forwarded-for": "198.51.100.7, 203.0.113.9"}
        response = team.visitor().post(SESSION, {"email": "writer@example.org", "password": PASSWORD}, headers=proxied)
        assert ("Secure" in response.headers["set-cookie"]) == trusts_proxy
        (address,) = team.team.read(
            lambda transaction: transaction.row("SELECT address FROM audit WHERE action = 'session.start'")
        )
        assert (address == "203.0.113.9") == trusts_proxy


def test_an_unknown_email_and_a_wrong_password_get_the_same_answer(team: InProcessTeam) -> None:
    wrong, unknown = (sign_in(team.visitor(), name, "not the password") for name in ("writer", "nobody"))
    assert (wrong.status_code, wrong.json()) == (unknown.status_code, unknown.json())
    assert wrong.status_code == 401


@pytest.mark.parametrize("name", ["writer", "nobody"])
def test_guessing_locks_the_account_for_longer_and_longer(tmp_path: Path, name: str) -> None:
    now = [time.time()]
    with in_process_team(tmp_path / "team", clock=lambda: now[0]) as team:
        visitor = team.visitor()
        for _ in range(FREE_ACCOUNT_FAILURES):
            assert sign_in(visitor, name, "a wrong guess").status_code == 401
        waits = []
        for _ in range(4):
            locked = sign_in(visitor, name)  # even the right password
            assert locked.status_code == 429
            waits.append(int(locked.headers["retry-after"]))
            now[0] += waits[-1] + 0.5
            assert sign_in(visitor, name, "a wrong guess").status_code == 401
        assert waits == sorted(set(waits))
        assert sign_in(visitor, "viewer").status_code == 200  # others of the same address go on


def test_the_right_password_after_the_wait_clears_the_failures(tmp_path: Path) -> None:
    now = [time.time()]
    with in_process_team(tmp_path / "team", clock=lambda: now[0]) as team:
        for _ in range(FREE_ACCOUNT_FAILURES):
            sign_in(team.visitor(), "writer", "a wrong guess")
        now[0] += 60
        assert sign_in(team.visitor(), "writer").status_code == 200
        assert sign_in(team.visitor(), "writer", "a wrong guess").status_code == 401
        assert sign_in(team.visitor(), "writer").status_code == 200


def test_an_address_that_guesses_at_many_accounts_is_locked(tmp_path: Path) -> None:
    with in_process_team(tmp_path / "team", clock=lambda: NOON) as team:
        statuses = [
            sign_in(team.visitor(), f"nobody{n}", "a guess").status_code for n in range(FREE_ADDRESS_FAILURES + 1)
        ]
        assert statuses == [401] * FREE_ADDRESS_FAILURES + [429]


def test_a_disabled_user_cannot_sign_in_and_has_no_session(team: InProcessTeam) -> None:
    writer = team.person("writer")
    team.team.write(
        lambda transaction: transaction.execute(
            "UPDATE users SET disabled_at = 1 WHERE id = ?", team.users["writer"].id
        )
    )
    assert writer.get(SESSION).json()["user"] is None
    assert sign_in(team.visitor(), "writer").status_code == 401


def test_the_first_admin_signs_up_once_with_the_code(tmp_path: Path) -> None:
    with opened_team(tmp_path / "team") as team, TestClient(team_app(team), base_url=ORIGIN) as client:
        visitor = Person(client, {"origin": ORIGIN})
        assert visitor.get(SESSION).json()["needs_setup"]
        first = team.write(new_setup_code)
        code = team.write(new_setup_code)
        wanted = {"code": code, "email": "Ada@Example.org ", "name": "Ada", "password": PASSWORD}
        assert (
            visitor.post("/team/api/setup", {**wanted, "code": first}).status_code == 403
        )  # replaced at the next start
        assert visitor.post("/team/api/setup", {**wanted, "password": "short"}).status_code == 400
        done = visitor.post("/team/api/setup", wanted)
        assert done.status_code == 200
        assert done.json()["user"]["email"] == "ada@example.org" and done.json()["user"]["is_server_admin"]
        assert not visitor.get(SESSION).json()["needs_setup"]
        assert visitor.post("/team/api/setup", {**wanted, "email": "eve@example.org"}).status_code == 403
        assert team.write(new_setup_code) is None


@pytest.mark.parametrize("body", [{}, {"email": 1, "password": "x"}, {"email": "no address", "password": "x"}])
def test_a_bad_sign_in_gets_a_sentence(team: InProcessTeam, body: dict[str, object]) -> None:
    response = team.visitor().post(SESSION, body)
    assert response.status_code == 400 and response.json()["error"]


def test_a_huge_body_is_rejected_before_it_is_read(team: InProcessTeam) -> None:
    response = team.visitor().request("POST", SESSION, content=b"x" * 1_000_000)
    assert response.status_code == 413
