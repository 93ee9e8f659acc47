"""Personal tokens and service tokens: scope, project, expiry, revocation."""

from __future__ import annotations

import time

import pytest

from seamark.team.secret_text import TOKEN_PREFIX
from tools.in_process_team import InProcessTeam

API = "/team/api"
VISION = f"{API}/projects/lab/vision"


def test_a_personal_token_is_shown_once_and_ends_when_revoked(team: InProcessTeam) -> None:
    writer = team.person("writer")
    created = writer.post(f"{API}/me/tokens", {"name": "laptop", "scope": "writer", "expires_days": 30}).json()
    assert created["token"].startswith(TOKEN_PREFIX)
    (listed,) = writer.get(f"{API}/me/tokens").json()["tokens"]
    assert listed["name"] == "laptop" and created["token"] not in str(listed)
    assert listed["expires_at"] == pytest.approx(time.time() + 30 * 86400, abs=60)
    holder = team.holder(created["token"])
    assert holder.get(VISION).json()["role"] == "writer"
    assert writer.get(f"{API}/me/tokens").json()["tokens"][0]["used_at"] is not None
    stored = team.team.read(lambda transaction: transaction.rows("SELECT * FROM tokens"))
    assert created["token"] not in str(stored)
    assert writer.post(f"{API}/me/tokens/revoke", {"id": created["id"]}).json() == {"name": "laptop"}
    assert holder.get(VISION).status_code == 401
    assert writer.post(f"{API}/me/tokens/revoke", {"id": created["id"]}).status_code == 404


@pytest.mark.parametrize(("person", "scope", "role"), [("admin", "viewer", "viewer"), ("viewer", "admin", "viewer")])
def test_a_token_grants_the_lower_of_its_scope_and_the_role(
    team: InProcessTeam, person: str, scope: str, role: str
) -> None:
    assert team.holder(team.token(person, scope)).get(VISION).json()["role"] == role


def test_a_token_for_one_project_opens_no_other(team: InProcessTeam) -> None:
    outsider = team.person("outsider")
    wanted = {"name": "speech", "scope": "admin", "project": "lab-two/speech"}
    holder = team.holder(outsider.post(f"{API}/me/tokens", wanted).json()["token"])
    assert [found["name"] for found in holder.get(f"{API}/projects").json()["projects"]] == ["speech"]
    assert outsider.post(f"{API}/me/tokens", {**wanted, "project": "lab/vision"}).status_code == 404


def test_an_expired_token_is_refused(team: InProcessTeam) -> None:
    assert team.holder(team.token("admin", "admin", expires_at=time.time() - 1)).get(VISION).status_code == 401


def test_a_service_token_works_in_its_project_only_and_outlives_sessions(team: InProcessTeam) -> None:
    admin = team.person("admin")
    created = admin.post(f"{VISION}/tokens", {"name": "cluster", "scope": "writer"}).json()
    holder = team.holder(created["token"])
    assert holder.get(VISION).json()["role"] == "writer"
    assert holder.get(f"{API}/projects/lab-two/speech").status_code == 404
    assert [found["name"] for found in admin.get(f"{VISION}/tokens").json()["tokens"]] == ["cluster"]
    assert team.person("outsider").post(f"{API}/me/tokens/revoke", {"id": created["id"]}).status_code == 404
    assert admin.post(f"{VISION}/tokens/revoke", {"id": created["id"]}).status_code == 200
    assert holder.get(VISION).status_code == 401


def test_no_token_makes_tokens_members_or_invitations(team: InProcessTeam) -> None:
    token, user = {"name": "more", "scope": "admin"}, team.users["outsider"].id
    for secret in (team.token("admin", "admin"), team.token(None, "admin", team.project)):
        holder = team.holder(secret)
        for path, body in (
            (f"{API}/me/tokens", token),
            (f"{VISION}/tokens", token),
            (f"{VISION}/members", {"user_id": user, "role": "admin"}),
            (f"{VISION}/invitations", {"role": "admin"}),
            (f"{VISION}/delete", None),
            (f"{API}/me/password", {"old": "x", "new": "y"}),
            (f"{API}/projects", {"organisation": "more", "name": "more"}),
        ):
            assert holder.post(path, body).status_code == 403, path


@pytest.mark.parametrize(
    "wanted",
    [
        {"name": "", "scope": "viewer"},
        {"name": "x", "scope": "owner"},
        {"name": "x", "scope": "viewer", "expires_days": -1},
        {"name": "x" * 200, "scope": "viewer"},
        {"name": "x", "scope": "viewer", "colour": "red"},
    ],
)
def test_a_bad_request_for_a_token_gets_a_sentence(team: InProcessTeam, wanted: dict[str, object]) -> None:
    response = team.person("admin").post(f"{API}/me/tokens", wanted)
    assert response.status_code == 400 and response.json()["error"]


def test_tokens_of_a_disabled_user_end(team: InProcessTeam) -> None:
    personal, service = team.token("admin", "admin"), team.token(None, "viewer", team.project)
    assert team.holder(personal).get(VISION).status_code == 200
    user = team.users["admin"].id
    assert team.person("server").patch(f"{API}/users/{user}", {"disabled": True}).status_code == 200
    for token in (personal, service):  # the service token was made by the same user
        assert team.holder(token).get(VISION).status_code == 401
