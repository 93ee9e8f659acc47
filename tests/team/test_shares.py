"""Shares: who may open which, for how long, and what they may do there."""

from __future__ import annotations

import http.client
import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from seamark.team.sharing.view_folder import synchronize
from tests.team.run_files import add_row, add_run, wait_for
from tools.in_process_team import InProcessTeam, Person, opened_team, served_team

SHARES = "/team/api/projects/lab/vision/shares"
PASSWORD = "open sesame, please"


@pytest.fixture
def runs(team: InProcessTeam) -> InProcessTeam:
    for name in ("a", "a/b", "c"):
        add_run(team, team.project, name)
    return team


def share(team: InProcessTeam, **body: Any) -> tuple[str, str]:
    """The id and the path of the link."""
    response = team.person("writer").post(SHARES, {"name": "for you", "runs": ["a"], **body})
    assert response.status_code == 200, response.text
    created = response.json()
    assert created["link"].startswith("http://localhost/s/")
    return created["id"], created["link"].removeprefix("http://localhost")


def shown_runs(person: Person, link: str) -> list[str]:
    found: list[str] = []

    def is_loaded() -> bool:
        nonlocal found
        progress = person.get(f"{link}/api/progress").json()
        found = [run["name"] for run in person.get(f"{link}/api/runs").json()["runs"]]
        return not progress["loading"]

    wait_for(is_loaded)
    return found


def test_a_link_shows_only_its_runs(runs: InProcessTeam) -> None:
    _, link = share(runs)
    assert shown_runs(runs.visitor(), link) == ["a"]
    assert runs.visitor().get(f"{link}/api/run", params={"run": "a/b"}).status_code == 404
    assert runs.visitor().get("/p/lab/vision/api/runs").status_code == 401


def test_a_link_to_every_run_shows_later_ones_too(runs: InProcessTeam) -> None:
    _, link = share(runs, runs=None)
    assert sorted(shown_runs(runs.visitor(), link)) == ["a", "a/b", "c"]


def test_a_link_only_looks(runs: InProcessTeam) -> None:
    _, link = share(runs)
    visitor = runs.visitor()
    change = {"version": 0, "runs": {"a": {"label": "mine"}}}
    assert visitor.patch(f"{link}/api/state", change).status_code == 403
    assert visitor.post(f"{link}/api/state/texts", {"text": "x"}).status_code == 403
    assert visitor.post(f"{link}/api/runs/trash", {"runs": ["a"], "dry_run": False}).status_code == 403
    # A member who opens the link may not change anything through it either.
    assert runs.person("writer").patch(f"{link}/api/state", change).status_code == 403


def test_the_link_leads_to_the_saved_view(runs: InProcessTeam) -> None:
    _, link = share(runs, view="#scalars?tag=loss&x=1")
    response = runs.visitor().get(link)
    assert response.status_code == 303
    assert response.headers["location"] == f"{link}/#scalars?tag=loss&x=1"


def test_an_expired_link_is_gone(runs: InProcessTeam, tmp_path: Path) -> None:
    _, link = share(runs, expires_days=1)
    assert runs.visitor().get(f"{link}/api/runs").status_code == 200
    runs.team.write(lambda transaction: transaction.execute("UPDATE shares SET expires_at = ?", time.time() - 1))
    response = runs.visitor().get(f"{link}/api/runs")
    assert response.status_code == 404
    assert "expired" in response.json()["error"]


def test_a_revoked_link_is_gone_at_once_with_its_folder(runs: InProcessTeam) -> None:
    share_id, link = share(runs)
    assert shown_runs(runs.visitor(), link) == ["a"]
    folder = runs.team.folder.share_dir(runs.project.id, share_id)
    assert any(folder.rglob("events*"))
    assert runs.person("writer").post(f"{SHARES}/revoke", {"id": share_id}).status_code == 200
    assert runs.visitor().get(f"{link}/api/runs").status_code == 404
    assert not folder.exists()
    assert runs.person("writer").post(f"{SHARES}/revoke", {"id": share_id}).status_code == 404


@pytest.mark.parametrize("shared", [["a"], None])
def test_revoking_ends_open_event_streams(tmp_path: Path, shared: list[str] | None) -> None:
    with opened_team(tmp_path / "team") as opened, served_team(opened) as address:
        team = InProcessTeam(opened, TestClient(Starlette()))
        add_run(team, team.project, "a")
        host = address.removeprefix("http://")

        def post(path: str, body: dict[str, Any]) -> Any:
            headers = {**team.person("writer").headers, "content-type": "application/json", "origin": address}
            connection = http.client.HTTPConnection(host, timeout=30)
            connection.request("POST", path, json.dumps(body), headers)
            response = connection.getresponse()
            assert response.status == 200
            return json.loads(response.read())

        created = post(SHARES, {"runs": shared})
        connection = http.client.HTTPConnection(host, timeout=30)
        connection.request("GET", f"{created['link'].removeprefix(address)}/api/events")
        stream = connection.getresponse()
        assert stream.status == 200
        assert stream.readline().startswith(b"retry")
        rest: list[bytes] = []
        reader = threading.Thread(target=lambda: rest.append(stream.read()), daemon=True)
        reader.start()
        post(f"{SHARES}/revoke", {"id": created["id"]})
        reader.join(30)
        assert rest, "the stream goes on after the share was revoked"


def test_a_password_opens_a_link(runs: InProcessTeam) -> None:
    _, link = share(runs, password=PASSWORD)
    visitor = runs.visitor()
    assert visitor.get(f"{link}/api/runs").status_code == 401
    page = visitor.get(f"{link}/", headers={"accept": "text/html"})
    assert page.status_code == 401
    assert 'type="password"' in page.text
    assert "form-action 'self'" in page.headers["content-security-policy"]
    wrong = visitor.post(f"{link}/unlock", {"password": "open sesame, now"})
    assert wrong.status_code == 401
    assert "set-cookie" not in wrong.headers
    right = visitor.post(f"{link}/unlock", {"password": PASSWORD})
    cookie = right.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert f"Path={link}" in cookie
    given = {"cookie": cookie.split(";")[0]}
    assert visitor.get(f"{link}/api/runs", headers=given).status_code == 200
    # The form of the page does the same.
    form = {"content-type": "application/x-www-form-urlencoded"}
    sent = visitor.request("POST", f"{link}/unlock", content=f"password={PASSWORD.replace(' ', '+')}", headers=form)
    assert (sent.status_code, sent.headers["location"]) == (303, f"{link}/")
    # Members need no password; the cookie opens no other share.
    assert runs.person("viewer").get(f"{link}/api/runs").status_code == 200
    _, second = share(runs, password=PASSWORD, runs=["c"])
    assert visitor.get(f"{second}/api/runs", headers=given).status_code == 401


def test_the_view_of_a_locked_link_is_shown_after_its_password(runs: InProcessTeam) -> None:
    _, link = share(runs, password=PASSWORD, view="#run=secret-name", is_public=True)
    assert runs.visitor().get(link).headers["location"] == f"{link}/"
    assert "secret-name" not in runs.visitor().get("/team/api/public").text
    form = {"content-type": "application/x-www-form-urlencoded"}
    sent = runs.visitor().request(
        "POST", f"{link}/unlock", content=f"password={PASSWORD.replace(' ', '+')}", headers=form
    )
    assert sent.headers["location"] == f"{link}/#run=secret-name"


def test_guessing_a_password_has_to_wait(runs: InProcessTeam) -> None:
    _, link = share(runs, password=PASSWORD)
    answers = [runs.visitor().post(f"{link}/unlock", {"password": f"guess number {n}"}) for n in range(7)]
    assert answers[0].status_code == 401
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert runs.visitor().post(f"{link}/unlock", {"password": PASSWORD}).status_code == 429


def test_a_share_with_members_is_shown_to_them(runs: InProcessTeam) -> None:
    share_id, _ = share(runs, members=[runs.users["outsider"].id])
    outsider = runs.person("outsider")
    (listed,) = outsider.get("/team/api/shared").json()["shares"]
    assert (listed["id"], listed["name"], listed["shared_by"]) == (share_id, "for you", "Writer")
    address = listed["address"].rstrip("/")
    assert shown_runs(outsider, address) == ["a"]
    # The id is no secret: it opens the share only for those it is shared with.
    assert runs.visitor().get(f"{address}/api/runs").status_code == 404
    assert runs.person("viewer").get("/team/api/shared").json() == {"shares": []}


def test_public_shares_and_projects_are_listed_for_everybody(runs: InProcessTeam) -> None:
    assert runs.visitor().get("/team/api/public").json() == {"projects": [], "shares": []}
    share(runs, is_public=True, name="to the world")
    (listed,) = runs.visitor().get("/team/api/public").json()["shares"]
    assert listed["name"] == "to the world"
    assert shown_runs(runs.visitor(), listed["address"].rstrip("/")) == ["a"]
    runs.team.write(
        lambda transaction: transaction.execute("UPDATE projects SET is_public = 1 WHERE id = ?", runs.project.id)
    )
    (project,) = runs.visitor().get("/team/api/public").json()["projects"]
    assert project["address"] == "/p/lab/vision/"
    assert runs.visitor().get("/p/lab/vision/api/runs").status_code == 200
    change = {"version": 0, "runs": {"a": {"label": "mine"}}}
    assert runs.visitor().patch("/p/lab/vision/api/state", change).status_code == 403


@pytest.mark.parametrize(("who", "status"), [("viewer", 403), ("outsider", 404)])
def test_only_writers_share(runs: InProcessTeam, who: str, status: int) -> None:
    share_id, _ = share(runs)
    person = runs.person(who)
    assert person.post(SHARES, {"runs": ["a"]}).status_code == status
    assert person.get(SHARES).status_code == status
    assert person.post(f"{SHARES}/revoke", {"id": share_id}).status_code == status


@pytest.mark.parametrize("run", ["..", "../x", "/etc", "a/../c", "nothing", "a//b", ""])
def test_a_name_that_is_no_run_is_an_error(runs: InProcessTeam, run: str) -> None:
    response = runs.person("writer").post(SHARES, {"runs": [run]})
    assert response.status_code in (400, 404), response.text


def test_what_a_share_did_is_in_the_audit_log(runs: InProcessTeam) -> None:
    share_id, link = share(runs)
    runs.visitor().get(f"{link}/", headers={"accept": "text/html"})
    runs.person("writer").post(f"{SHARES}/revoke", {"id": share_id})
    rows = runs.team.read(lambda transaction: transaction.rows("SELECT action, via FROM audit ORDER BY id"))
    assert [row for row in rows if row[0].startswith("share.")] == [
        ("share.create", "session"),
        ("share.open", f"share {share_id}"),
        ("share.revoke", "session"),
    ]


def test_new_files_and_later_events_of_a_shared_run_appear(runs: InProcessTeam) -> None:
    _, link = share(runs)
    visitor = runs.visitor()
    assert shown_runs(visitor, link) == ["a"]
    folder = runs.team.folder.logs_dir(runs.project.id) / "a"
    from seamark.compare.test_support import log_run

    log_run(folder, later=[1.0], began=1_800_000_000.0)
    wait_for(lambda: "later" in visitor.get(f"{link}/api/tags").text)


def test_the_folder_of_a_share_follows_its_runs(team: InProcessTeam, tmp_path: Path) -> None:
    add_run(team, team.project, "a")
    add_run(team, team.project, "a/b")
    logs, view = team.team.folder.logs_dir(team.project.id), tmp_path / "view"
    (logs / "a" / "own").mkdir()
    (logs / "a" / "own" / "note.txt").write_text("x")
    (logs / "a" / "empty").mkdir()
    (logs / "a" / "empty" / "note.txt").write_text("of another run, which has no events yet")
    (logs / "a" / "stolen").symlink_to(logs / "a" / "b")
    synchronize(logs, view, ["a"], known_runs=["a", "a/b", "a/empty"])
    names = {path.relative_to(view).as_posix() for path in view.rglob("*") if path.is_file()}
    assert "a/own/note.txt" in names
    assert not {name for name in names if name.startswith(("a/b", "a/empty", "a/stolen"))}
    # A file that is replaced, and one that is removed.
    (logs / "a" / "new").write_text("longer")
    (logs / "a" / "new").replace(logs / "a" / "console.log")
    (logs / "a" / "own" / "note.txt").unlink()
    synchronize(logs, view, ["a"], known_runs=["a", "a/b"])
    assert (view / "a" / "console.log").read_text() == "longer"
    assert not (view / "a" / "own").exists()
    synchronize(logs, view, [], known_runs=[])
    assert list(view.iterdir()) == []


def test_a_run_in_a_link_is_not_shared(team: InProcessTeam, tmp_path: Path) -> None:
    add_run(team, team.project, "secret")
    logs = team.team.folder.logs_dir(team.project.id)
    (logs / "link").symlink_to(logs / "secret")
    add_row(team, team.project, "link")
    synchronize(logs, tmp_path / "view", ["link"], known_runs=["link", "secret"])
    assert list((tmp_path / "view").iterdir()) == []


def test_the_folder_of_a_share_that_nobody_looks_at_is_removed(runs: InProcessTeam) -> None:
    share_id, link = share(runs)
    assert shown_runs(runs.visitor(), link) == ["a"]
    folder = runs.team.folder.share_dir(runs.project.id, share_id)
    runs.client.portal.call(runs.team.shares.remove_closed)
    assert folder.is_dir()
    runs.client.portal.call(runs.team.projects.close_idle, time.monotonic() + 10_000)
    runs.client.portal.call(runs.team.shares.remove_closed)
    assert not folder.exists()
    assert shown_runs(runs.visitor(), link) == ["a"]


def test_shares_of_a_deleted_project_are_gone(runs: InProcessTeam) -> None:
    share_id, link = share(runs)
    assert shown_runs(runs.visitor(), link) == ["a"]
    runs.team.write(lambda transaction: transaction.execute("UPDATE projects SET deleted_at = 1"))
    assert runs.visitor().get(f"{link}/api/runs").status_code == 404
    runs.client.portal.call(runs.team.shares.synchronize_all, time.time())
    assert not runs.team.folder.share_dir(runs.project.id, share_id).exists()


def test_a_share_ends_by_itself_when_another_process_revokes_it(runs: InProcessTeam) -> None:
    share_id, link = share(runs)
    assert shown_runs(runs.visitor(), link) == ["a"]
    runs.team.write(lambda transaction: transaction.execute("UPDATE shares SET revoked_at = 1"))
    folder = runs.team.folder.share_dir(runs.project.id, share_id)
    wait_for(lambda: not folder.exists())  # the background task looks every two seconds
