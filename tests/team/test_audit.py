"""The audit log: who saw, changed and deleted what; filters, pages and exports."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from seamark.team.settings import TeamSettings
from seamark.upload import wire
from tools.in_process_team import InProcessTeam, in_process_team

API = "/team/api"
VISION = f"{API}/projects/lab/vision"


@pytest.fixture
def team(tmp_path: Path, settings: TeamSettings) -> Iterator[InProcessTeam]:
    """On SQLite and on PostgreSQL."""
    with in_process_team(tmp_path / "team", settings) as found:
        yield found


def test_changes_and_visits_are_in_the_log_of_the_project(tmp_path: Path) -> None:
    now = [time.time()]
    with in_process_team(tmp_path / "team", clock=lambda: now[0]) as team:
        admin = team.person("admin")
        admin.post(f"{VISION}/members", {"user_id": team.users["outsider"].id, "role": "viewer"})
        for _ in range(3):
            assert team.person("viewer").get("/p/lab/vision/api/runs").status_code == 200
        team.holder(team.token("viewer", "viewer")).get("/p/lab/vision/api/runs")
        now[0] += 3601
        team.person("viewer").get("/p/lab/vision/api/runs")
        entries = admin.get(f"{VISION}/audit").json()["entries"]
        seen = [(entry["action"], entry["user_email"].split("@")[0], entry["via"]) for entry in entries]
        assert seen == [
            ("project.open", "viewer", "session"),
            ("project.open", "viewer", "token viewer viewer"),
            ("project.open", "viewer", "session"),
            ("member.set", "admin", "session"),
        ]
        assert entries[-1]["target"] == "outsider@example.org" and entries[-1]["details"] == {"role": "viewer"}
        assert entries[0]["project"] == "lab/vision" and entries[0]["address"]


def test_what_programs_send_and_fetch_and_what_pages_change_is_in_the_log(team: InProcessTeam) -> None:
    program, writer = team.holder(team.token("writer", "writer")), team.person("writer")
    for offset in range(3):  # a training that goes on
        body = msgspec.msgpack.encode(wire.UploadRequest([wire.make_piece("a", "notes.txt", offset, b"x")]))
        assert program.request("POST", f"{VISION}/upload", content=body).status_code == 200
    assert program.request("POST", f"{VISION}/upload", content=body).status_code == 200  # the server has it
    service = team.holder(team.token(None, "viewer", team.project))
    assert service.get(f"{VISION}/file?run=a&file=notes.txt").content == b"xxx"
    for version in range(2):
        change = {"version": version, "runs": {"a": {"note": f"{version}"}}}
        assert writer.patch("/p/lab/vision/api/state", change).status_code == 200
    assert team.person("viewer").patch("/p/lab/vision/api/state", change).status_code == 403
    comment = writer.post(f"{VISION}/comments", {"run": "a", "text": "too high"}).json()
    assert team.person("admin").post(f"{VISION}/comments/{comment['id']}/delete").status_code == 200
    entries = team.person("admin").get(f"{VISION}/audit").json()["entries"]
    found = sorted((entry["action"], entry["user_email"].split("@")[0], entry["target"]) for entry in entries)
    assert found == [
        ("comment.delete", "admin", "a"),
        ("project.edit", "writer", "lab/vision"),
        ("project.open", "", "lab/vision"),
        ("project.open", "viewer", "lab/vision"),
        ("project.open", "writer", "lab/vision"),
        ("run.upload", "writer", "a"),
    ]


def test_the_log_is_read_page_by_page_and_filtered(team: InProcessTeam) -> None:
    admin, server = team.person("admin"), team.person("server")
    for n in range(120):
        role = "viewer" if n % 2 else "writer"
        admin.post(f"{VISION}/members", {"user_id": team.users["outsider"].id, "role": role})
    first = admin.get(f"{VISION}/audit").json()
    second = admin.get(f"{VISION}/audit", params={"before": first["next"]}).json()
    ids = [entry["id"] for page in (first, second) for entry in page["entries"]]
    assert len(ids) == len(set(ids)) == 120 and ids == sorted(ids, reverse=True)
    assert second["next"] is None
    admin.post(f"{VISION}/invitations", {"role": "viewer"})
    for parameters, count in (
        ({"action": "invitation"}, 1),
        ({"action": "invitation.create"}, 1),
        ({"action": "invit"}, 0),
        ({"user": "Writer@example.org"}, 0),
        ({"user": "admin@example.org", "action": "invitation"}, 1),
    ):
        assert len(server.get(f"{API}/audit", params=parameters).json()["entries"]) == count, parameters


def test_the_log_is_exported_completely_and_safely(team: InProcessTeam) -> None:
    admin = team.person("admin")
    evil = "=HYPERLINK(1)@example.org"
    team.visitor().post(f"{API}/session", {"email": evil, "password": "a wrong guess"})
    for _ in range(3):
        admin.post(f"{VISION}/invitations", {"role": "viewer"})
    server = team.person("server")
    lines = [json.loads(line) for line in server.get(f"{API}/audit?format=jsonl").text.splitlines()]
    assert [line["action"] for line in lines[1:]] == ["invitation.create"] * 3 + ["session.fail"]
    assert lines[0]["action"] == "audit.export"
    response = admin.get(f"{VISION}/audit?format=csv&action=invitation")
    assert response.headers["content-disposition"] == 'attachment; filename="audit.csv"'
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert [row["target"] for row in rows] == ["viewer"] * 3
    failed = list(csv.DictReader(io.StringIO(server.get(f"{API}/audit?format=csv&action=session.fail").text)))
    assert failed[0]["target"] == f"'{evil.lower()}"  # no formula for a spreadsheet


def test_only_admins_read_it(team: InProcessTeam) -> None:
    assert team.person("writer").get(f"{VISION}/audit").status_code == 403
    assert team.person("admin").get(f"{API}/audit").status_code == 403
    assert team.visitor().get(f"{API}/audit").status_code == 401
    assert team.person("outsider").get(f"{VISION}/audit?format=csv").status_code == 404


def test_a_deleted_project_leaves_its_lines_to_the_server_admin(team: InProcessTeam) -> None:
    team.person("admin").post(f"{VISION}/delete")
    (entry,) = team.person("server").get(f"{API}/audit?action=project.delete").json()["entries"]
    assert entry["target"] == "lab/vision" and entry["user_email"] == "admin@example.org"
