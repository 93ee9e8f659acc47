"""Members, invitations, one's own account, and users of the server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from seamark.team.settings import TeamSettings
from tools.in_process_team import ORIGIN, PASSWORD, InProcessTeam, Person, in_process_team

API = "/team/api"
VISION = f"{API}/projects/lab/vision"


@pytest.fixture
def team(tmp_path: Path, settings: TeamSettings) -> Iterator[InProcessTeam]:
    """On SQLite and on PostgreSQL."""
    with in_process_team(tmp_path / "team", settings) as found:
        yield found


def roles(team: InProcessTeam) -> dict[str, str]:
    members = team.person("server").get(f"{VISION}/members").json()["members"]
    return {member["email"].split("@")[0]: member["role"] for member in members}


def cookie_of(team: InProcessTeam, response) -> Person:
    return Person(team.client, {"cookie": response.headers["set-cookie"].split(";")[0], "origin": ORIGIN})


def test_an_admin_changes_roles_and_removes_members(team: InProcessTeam) -> None:
    admin = team.person("admin")
    assert roles(team) == {"server": "admin", "admin": "admin", "writer": "writer", "viewer": "viewer"}
    for name, role in (("writer", "viewer"), ("outsider", "writer"), ("viewer", None)):
        assert admin.post(f"{VISION}/members", {"user_id": team.users[name].id, "role": role}).status_code == 200
    assert roles(team) == {"server": "admin", "admin": "admin", "writer": "viewer", "outsider": "writer"}
    assert team.person("viewer").get(VISION).status_code == 404
    assert team.person("writer").post(f"{VISION}/members", {"user_id": "x", "role": None}).status_code == 403
    assert admin.post(f"{VISION}/members", {"user_id": "nobody", "role": "viewer"}).status_code == 404


def test_the_last_admin_stays(team: InProcessTeam) -> None:
    admin = team.person("admin")
    assert admin.post(f"{VISION}/members", {"user_id": team.users["server"].id, "role": None}).status_code == 200
    response = admin.post(f"{VISION}/members", {"user_id": team.users["admin"].id, "role": "viewer"})
    assert response.status_code == 409 and roles(team)["admin"] == "admin"


def test_members_of_a_public_project_are_not_public(team: InProcessTeam) -> None:
    assert team.visitor().get(VISION).status_code == 401
    assert team.person("admin").patch(VISION, {"is_public": True}).json()["is_public"]
    assert team.visitor().get(VISION).json()["role"] == "viewer"
    assert team.visitor().get(f"{VISION}/members").status_code == 401
    assert team.person("outsider").get(f"{VISION}/members").status_code == 403
    assert team.person("viewer").get(f"{VISION}/members").json()["invitations"] == []


def test_an_invitation_makes_a_new_account_once(team: InProcessTeam) -> None:
    invited = team.person("admin").post(f"{VISION}/invitations", {"role": "writer", "expires_days": 1}).json()
    assert invited["link"].startswith(f"{ORIGIN}/invite/")
    code = invited["link"].rsplit("/", 1)[1]
    visitor = team.visitor()
    expected = {"organisation": "lab", "project": "vision", "role": "writer"}
    assert visitor.get(f"{API}/invitations/{code}").json() == expected
    assert len(team.person("admin").get(f"{VISION}/members").json()["invitations"]) == 1
    account = {"email": "new@example.org", "name": "New", "password": PASSWORD}
    assert visitor.post(f"{API}/invitations/{code}/accept", {}).status_code == 401
    taken = visitor.post(f"{API}/invitations/{code}/accept", {**account, "email": "viewer@example.org"})
    assert taken.status_code == 409
    accepted = visitor.post(f"{API}/invitations/{code}/accept", account)
    assert accepted.json() == expected
    assert cookie_of(team, accepted).get(VISION).json()["role"] == "writer"
    assert visitor.post(f"{API}/invitations/{code}/accept", {**account, "email": "b@example.org"}).status_code == 404
    assert team.person("admin").get(f"{VISION}/members").json()["invitations"] == []


def test_who_is_signed_in_joins_with_the_own_account_and_keeps_a_higher_role(team: InProcessTeam) -> None:
    for name, expected in (("outsider", "viewer"), ("writer", "writer")):
        link = team.person("admin").post(f"{VISION}/invitations", {"role": "viewer"}).json()["link"]
        path = link.removeprefix(ORIGIN).replace("/invite/", f"{API}/invitations/")
        assert team.person(name).post(f"{path}/accept", {}).json()["role"] == expected
    assert roles(team)["outsider"] == "viewer"


def test_a_revoked_or_expired_invitation_is_worth_nothing(tmp_path: Path) -> None:
    now = [time.time()]
    with in_process_team(tmp_path / "team", clock=lambda: now[0]) as team:
        admin = team.person("admin")
        made = [admin.post(f"{VISION}/invitations", {"role": "admin", "expires_days": 1}).json() for _ in range(2)]
        assert admin.post(f"{VISION}/invitations/revoke", {"id": made[0]["id"]}).status_code == 200
        now[0] += 2 * 86400
        for each in made:
            path = each["link"].removeprefix(ORIGIN).replace("/invite/", f"{API}/invitations/")
            assert team.visitor().get(path).status_code == 404
            assert team.person("outsider").post(f"{path}/accept", {}).status_code == 404


def test_a_new_password_ends_the_other_sessions(team: InProcessTeam) -> None:
    def sign_in(password: str):
        return team.visitor().post(f"{API}/session", {"email": "writer@example.org", "password": password})

    other, writer = cookie_of(team, sign_in(PASSWORD)), team.person("writer")
    assert writer.post(f"{API}/me/password", {"old": "not it", "new": "another password"}).status_code == 403
    assert writer.post(f"{API}/me/password", {"old": PASSWORD, "new": "short"}).status_code == 400
    assert writer.post(f"{API}/me/password", {"old": PASSWORD, "new": "another password"}).json() == {"ended": 1}
    assert other.get(f"{API}/session").json()["user"] is None
    assert writer.get(f"{API}/session").json()["user"] is not None
    assert sign_in(PASSWORD).status_code == 401 and sign_in("another password").status_code == 200


def test_one_sees_and_ends_the_own_sessions(team: InProcessTeam) -> None:
    signed_in = [
        cookie_of(team, team.visitor().post(f"{API}/session", {"email": "writer@example.org", "password": PASSWORD}))
        for _ in range(2)
    ]
    writer = team.person("writer")
    listed = writer.get(f"{API}/me/sessions").json()["sessions"]
    assert len(listed) == 3 and sum(session["is_current"] for session in listed) == 1
    other = next(session["id"] for session in listed if not session["is_current"])
    assert team.person("viewer").post(f"{API}/me/sessions/end", {"id": other}).json() == {"ended": 0}
    assert writer.post(f"{API}/me/sessions/end", {"id": other}).json() == {"ended": 1}
    assert writer.post(f"{API}/me/sessions/end", {"all": True}).json() == {"ended": 1}
    assert [each.get(f"{API}/session").json()["user"] for each in signed_in] == [None, None]
    assert writer.post(f"{API}/me/sessions/end", {}).status_code == 400


def test_one_changes_the_own_name(team: InProcessTeam) -> None:
    writer = team.person("writer")
    assert writer.patch(f"{API}/me", {"name": "  Grace   Hopper "}).json()["name"] == "Grace Hopper"
    assert writer.get(f"{API}/session").json()["user"]["name"] == "Grace Hopper"
    assert writer.patch(f"{API}/me", {"name": "\u0000"}).status_code == 400


def test_a_server_admin_disables_users_and_sets_passwords(team: InProcessTeam) -> None:
    server, writer = team.person("server"), team.users["writer"]
    assert len(server.get(f"{API}/users").json()["users"]) == 5
    reset = server.patch(f"{API}/users/{writer.id}", {"reset_password": True}).json()
    assert team.person("writer").get(f"{API}/session").json()["user"] is None
    body = {"email": writer.email, "password": reset["password"]}
    assert team.visitor().post(f"{API}/session", body).status_code == 200
    assert server.patch(f"{API}/users/{writer.id}", {"disabled": True}).json()["user"]["is_disabled"]
    assert team.visitor().post(f"{API}/session", body).status_code == 401
    assert not server.patch(f"{API}/users/{writer.id}", {"disabled": False}).json()["user"]["is_disabled"]
    assert team.visitor().post(f"{API}/session", body).status_code == 200
    assert server.patch(f"{API}/users/nobody", {"disabled": True}).status_code == 404


@pytest.mark.parametrize("change", [{"disabled": True}, {"is_server_admin": False}])
def test_the_last_server_admin_stays(team: InProcessTeam, change: dict[str, bool]) -> None:
    server = team.person("server")
    assert server.patch(f"{API}/users/{team.users['server'].id}", change).status_code == 409
    assert server.get(f"{API}/users").status_code == 200
