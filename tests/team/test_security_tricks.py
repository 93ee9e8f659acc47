"""What somebody tries who does not belong here: other sites, other projects, paths, headers, guesses, floods."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import httpx2
import pytest

from seamark.team import pages
from seamark.team.access.rate_limits import RateLimits, TokenBuckets
from seamark.team.accounts.failures import FREE_ACCOUNT_FAILURES
from seamark.team.pages import TeamPage
from seamark.team.settings import TeamSettings
from seamark.team.sharing.shared_state import SharedState
from tests.team.run_files import add_run
from tools.in_process_team import PASSWORD, InProcessTeam, in_process_team, served_in_process_team

API = "/team/api"
VISION = f"{API}/projects/lab/vision"
CHANGE = ("POST", f"{VISION}/invitations", {"role": "viewer"})


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example", "sec-fetch-site": "cross-site"},
        {"origin": "https://evil.example", "sec-fetch-site": "same-origin"},
        {"origin": "http://localhost", "sec-fetch-site": "cross-site"},
        {"origin": "http://localhost", "sec-fetch-site": "same-site"},
        {"origin": "null", "sec-fetch-site": "cross-site"},
        {"origin": "http://localhost:1234", "sec-fetch-site": "same-site"},
        {"origin": "http://localhost.evil.example", "sec-fetch-site": "cross-site"},
    ],
    ids=str,
)
def test_a_page_of_another_site_changes_nothing_with_the_cookie(team: InProcessTeam, headers: dict[str, str]) -> None:
    method, path, body = CHANGE
    admin = team.person("admin")
    assert admin.request(method, path, json=body, headers=headers).status_code == 403
    state = {"version": 0, "pins": []}
    assert admin.patch("/p/lab/vision/api/state", state, headers=headers).status_code == 403
    assert team.person("admin").get(f"{VISION}/members").json()["invitations"] == []


def test_a_change_by_cookie_without_any_origin_is_refused_and_by_token_is_not(team: InProcessTeam) -> None:
    cookie = {"cookie": team.person("admin").headers["cookie"]}
    method, path, body = CHANGE
    bare = type(team.visitor())(team.client, cookie)
    assert bare.request(method, path, json=body).status_code == 403
    assert team.holder(team.token("admin", "admin")).patch(VISION, {}).status_code == 200


def test_another_site_cannot_sign_a_browser_in_as_somebody_else(team: InProcessTeam) -> None:
    body = {"email": "outsider@example.org", "password": PASSWORD}
    headers = {"origin": "https://evil.example", "sec-fetch-site": "cross-site"}
    response = team.visitor().post(f"{API}/session", body, headers=headers)
    assert response.status_code == 403 and "set-cookie" not in response.headers


def test_no_answer_lets_another_site_read_it(team: InProcessTeam) -> None:
    response = team.person("viewer").get(VISION, headers={"origin": "https://evil.example"})
    assert not [name for name in response.headers if name.startswith("access-control")]
    assert response.headers["cross-origin-resource-policy"] == "same-origin"
    assert "frame-ancestors 'self'" in response.headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    [
        "/p/lab/vision/../../lab-two/speech/api/runs",
        "/p/lab/vision/..%2f..%2flab-two%2fspeech/api/runs",
        "/p/lab-two%2Fspeech/api/runs",
        "/p/lab-two/speech/api/runs",
        "/p/lab-two/speech%2f..%2f..%2flab%2fvision/api/runs",
        "/p//lab-two/speech/api/runs",
        "/p/LAB-TWO/SPEECH/api/runs",
        "/p/lab-two/speech%00/api/runs",
        "/p/lab-two/%73peech/api/runs",
        "/team/api/projects/lab-two/speech",
        "/team/api/projects/lab-two%2fspeech",
        "/team/api/../../p/lab-two/speech/api/runs",
        "/team/api/projects/lab-two/speech/audit",
        "/team.json",
        "/..%2fteam.json",
        "/%2e%2e/team.sqlite",
        "/p/lab/vision/..%2f..%2f..%2fteam.json",
        "/p/lab/vision/api/run/file?run=a&path=../../../team.json",
        "/p/lab/vision/data/../../../team.json",
        "/assets/..%2f..%2f..%2fteam.json",
        "/.git/config",
    ],
)
def test_no_spelling_of_a_path_leads_elsewhere(team: InProcessTeam, path: str) -> None:
    """A viewer of lab/vision asks for lab-two/speech, or for files of the server."""
    speech = team.team.folder.logs_dir(team.other.id) / "secret-run"
    speech.mkdir(parents=True)
    (speech / "events.out.tfevents.1.x").write_bytes(b"")
    response = team.client.request("GET", raw_address(path), headers=dict(team.person("viewer").headers))
    team.client.cookies.clear()
    assert response.status_code in (400, 401, 403, 404, 503), response.text[:200]  # 503: the page is not built
    assert "secret-run" not in response.text and '"database"' not in response.text


def raw_address(path: str) -> str:
    return f"http://localhost{path}"


def test_identifiers_of_another_project_do_not_work_in_this_one(team: InProcessTeam) -> None:
    outsider, admin = team.person("outsider"), team.person("admin")
    speech = f"{API}/projects/lab-two/speech"
    token = outsider.post(f"{speech}/tokens", {"name": "theirs", "scope": "viewer"}).json()
    invitation = outsider.post(f"{speech}/invitations", {"role": "viewer"}).json()
    assert admin.post(f"{VISION}/tokens/revoke", {"id": token["id"]}).status_code == 404
    assert admin.post(f"{VISION}/invitations/revoke", {"id": invitation["id"]}).status_code == 404
    assert len(outsider.get(f"{speech}/tokens").json()["tokens"]) == 1
    assert len(outsider.get(f"{speech}/members").json()["invitations"]) == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "localhost@evil.example"},
        {"host": ""},
        {"x-forwarded-host": "localhost", "host": "evil.example"},
    ],
    ids=str,
)
def test_a_foreign_host_name_is_refused(team: InProcessTeam, headers: dict[str, str]) -> None:
    assert team.person("viewer").get(VISION, headers=headers).status_code == 403


def test_two_host_headers_are_refused(team: InProcessTeam) -> None:
    headers = [("host", "localhost"), ("host", "evil.example"), *team.person("viewer").headers.items()]
    assert team.client.request("GET", VISION, headers=headers).status_code == 403


def test_headers_make_nobody_somebody_else(team: InProcessTeam) -> None:
    tricks = {
        "x-forwarded-user": "admin@example.org",
        "x-remote-user": "admin",
        "x-forwarded-for": "127.0.0.1",
        "x-original-url": VISION,
        "x-http-method-override": "DELETE",
        "forwarded": "for=127.0.0.1",
    }
    assert team.visitor().get(VISION, headers=tricks).status_code == 401
    assert team.visitor().get("/metrics", headers=tricks).status_code == 401


def test_a_bearer_beats_the_cookie_and_a_wrong_one_is_no_visitor(team: InProcessTeam) -> None:
    admin = team.person("admin")
    token = team.token("outsider", "viewer")
    assert admin.get(VISION, headers={"authorization": f"Bearer {token}"}).status_code == 404
    assert admin.get(VISION, headers={"authorization": "Bearer smk_wrong"}).status_code == 401
    for odd in ("Basic YWRtaW46eA==", "Bearer", "Bearer \u00e9"):
        status = team.visitor().get(VISION, headers={"authorization": odd.encode("latin-1")}).status_code
        assert status == 401, odd


def test_a_session_secret_is_no_token_and_a_token_no_session(team: InProcessTeam) -> None:
    secret = team.person("admin").headers["cookie"].split("=", 1)[1]
    assert team.holder(secret).get(f"{API}/me/tokens").status_code in (401, 403)
    visitor = type(team.visitor())(team.client, {"cookie": f"seamark-session={team.token('admin', 'admin')}"})
    assert visitor.get(f"{API}/me/tokens").status_code in (401, 403)


def test_parallel_guesses_count_all(tmp_path: Path, settings: TeamSettings) -> None:
    with in_process_team(tmp_path / "team", settings, clock=lambda: 1e9) as team:
        statuses: list[int] = []

        def guess(number: int) -> None:
            body = {"email": "admin@example.org", "password": f"guess number {number}"}
            statuses.append(team.client.post(f"{API}/session", json=body).status_code)

        threads = [threading.Thread(target=guess, args=(number,)) for number in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert statuses.count(401) == FREE_ACCOUNT_FAILURES and statuses.count(429) == 20 - FREE_ACCOUNT_FAILURES


def test_an_invitation_is_good_for_one_of_many_who_are_as_fast(tmp_path: Path, settings: TeamSettings) -> None:
    with in_process_team(tmp_path / "team", settings) as team:
        link = team.person("admin").post(f"{VISION}/invitations", {"role": "writer"}).json()["link"]
        path = f"{API}/invitations/{link.rsplit('/', 1)[1]}/accept"
        statuses: list[int] = []

        def accept(number: int) -> None:
            body = {"email": f"n{number}@example.org", "name": "N", "password": PASSWORD}
            statuses.append(team.visitor().post(path, body).status_code)

        threads = [threading.Thread(target=accept, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(statuses) == [200] + [404] * 7
        assert len(team.person("server").get(f"{API}/users").json()["users"]) == 6


def test_floods_are_slowed_down_by_address_and_by_account(tmp_path: Path) -> None:
    limits = RateLimits(visitors=TokenBuckets(per_sec=0.001, burst=5), accounts=TokenBuckets(per_sec=0.001, burst=10))
    with in_process_team(tmp_path / "team", limits=limits) as team:
        visits = [team.visitor().get(f"{API}/session") for _ in range(8)]
        assert [response.status_code for response in visits] == [200] * 5 + [429] * 3
        assert int(visits[-1].headers["retry-after"]) > 0
        # Guesses at tokens are visits, too; and who is known is not held up by them.
        assert team.holder("smk_guess").get(VISION).status_code == 429
        service = team.holder(team.token(None, "viewer", team.project))
        assert service.get(VISION).status_code == 429  # the first sight of a secret asks the database


@pytest.mark.parametrize("path", [f"{API}/session", f"{API}/setup", f"{API}/invitations/none/accept"])
def test_nobody_fills_the_memory_with_a_huge_body(team: InProcessTeam, path: str) -> None:
    assert team.visitor().request("POST", path, content=b"[" * 5_000_000).status_code == 413


@pytest.mark.parametrize(
    "body", [b"[" * 10_000, b'{"email": NaN}', b"\xff\xfe", b"{}" * 3, b'{"email": "' + b"x" * 10_000 + b'"}', b""]
)
def test_a_malformed_body_gets_a_sentence(team: InProcessTeam, body: bytes) -> None:
    response = team.visitor().request("POST", f"{API}/session", content=body)
    assert response.status_code == 400 and response.json()["error"]


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "'; DROP TABLE users; --", "%00", "{{7*7}}"])
def test_names_stay_text(team: InProcessTeam, name: str) -> None:
    admin = team.person("admin")
    created: Any = admin.post(f"{API}/me/tokens", {"name": name, "scope": "viewer"})
    assert created.status_code == 200 and created.headers["content-type"] == "application/json"
    assert admin.get(f"{API}/me/tokens").json()["tokens"][0]["name"] == name
    assert admin.get(f"{API}/audit?user={name}").status_code == 403


@pytest.mark.parametrize("loss", ["removed", "signed out", "disabled", "token revoked", "project made private"])
def test_an_open_stream_ends_when_access_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loss: str) -> None:
    monkeypatch.setattr(pages, "ACCESS_CHECK_SECS", 0.05)
    with served_in_process_team(tmp_path / "team") as team:
        reader, admin, server = team.person("viewer"), team.person("admin"), team.person("server")
        assert reader.user is not None
        if loss == "token revoked":
            created = reader.post("/team/api/me/tokens", {"name": "stream", "scope": "viewer"}).json()
            listener = team.holder(created["token"])
        elif loss == "project made private":
            assert admin.patch(VISION, {"is_public": True}).status_code == 200
            listener = team.visitor()
        else:
            listener = reader
        with httpx2.stream(
            "GET", f"{team.address}/p/lab/vision/api/events", headers=dict(listener.headers), timeout=60
        ) as stream:
            assert stream.status_code == 200
            lines = stream.iter_lines()
            assert next(lines).startswith("retry")
            answer = {
                "removed": lambda: admin.post(f"{VISION}/members", {"user_id": reader.user.id, "role": None}),
                "signed out": lambda: reader.post("/team/api/session/end"),
                "disabled": lambda: server.patch(f"/team/api/users/{reader.user.id}", {"disabled": True}),
                "token revoked": lambda: reader.post("/team/api/me/tokens/revoke", {"id": created["id"]}),
                "project made private": lambda: admin.patch(VISION, {"is_public": False}),
            }[loss]()
            assert answer.status_code == 200, answer.text
            for _ in lines:  # until the server ends it
                pass


@pytest.mark.parametrize("path", ["/s/{}/api/runs", "/s/{}", "/team/api/invitations/{}", "/invite/{}"])
def test_a_failure_does_not_write_the_secret_of_its_address_to_the_log(
    team: InProcessTeam, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    secret = "k9vQ2mXw81sLbT"
    monkeypatch.setattr(type(team.team.database), "read", fail)
    monkeypatch.setattr(TeamPage, "_document", fail)
    response = team.visitor().get(path.format(secret))
    assert response.status_code == 500
    assert_logged_without(secret, caplog)


def assert_logged_without(secret: str, caplog: pytest.LogCaptureFixture) -> None:
    """The client of the tests logs what it requests, too."""
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("seamark")]
    assert any("failed" in line for line in lines)
    assert not any(secret in line for line in lines)


def fail(*_: Any, **__: Any) -> Any:
    raise ZeroDivisionError


def test_a_failure_inside_an_opened_share_does_not_log_the_link_either(
    team: InProcessTeam, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    add_run(team, team.project, "a")
    created = team.person("writer").post(f"{VISION}/shares", {"runs": ["a"]}).json()
    secret = created["link"].rsplit("/", 1)[1]
    assert team.visitor().get(f"/s/{secret}/api/runs").status_code == 200
    monkeypatch.setattr(SharedState, "read", fail)
    assert team.visitor().get(f"/s/{secret}/api/state").status_code == 500
    assert_logged_without(secret, caplog)
