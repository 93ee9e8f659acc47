"""Creation, settings and deletion of projects."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

from seamark.team.projects.deletion import GRACE_SECS, purge_deleted_projects
from tools.in_process_team import InProcessTeam, in_process_team

API = "/team/api"
VISION = f"{API}/projects/lab/vision"


def test_only_admins_of_an_organisation_create_projects_in_it(team: InProcessTeam) -> None:
    wanted = {"organisation": "lab-two", "name": "more"}
    assert team.person("writer").post(f"{API}/projects", wanted).status_code == 403
    assert team.person("outsider").post(f"{API}/projects", wanted).json()["role"] == "admin"
    assert team.person("outsider").post(f"{API}/projects", wanted).status_code == 409
    assert team.person("server").post(f"{API}/projects", {**wanted, "name": "third"}).status_code == 200
    assert team.person("writer").post(f"{API}/projects", {"organisation": "mine", "name": "first"}).status_code == 200
    for name in ("..", "a/b", "UPPER", "", "a" * 65, "a b", "-a"):
        assert team.person("server").post(f"{API}/projects", {**wanted, "name": name}).status_code == 400, name


def test_only_a_server_admin_sets_the_quota(team: InProcessTeam) -> None:
    assert team.person("admin").patch(VISION, {"quota_bytes": 10}).status_code == 403
    assert team.person("server").patch(VISION, {"quota_bytes": 10}).json()["quota_bytes"] == 10
    assert team.person("admin").patch(VISION, {"is_public": False}).json()["quota_bytes"] == 10
    assert team.person("server").patch(VISION, {"quota_bytes": None}).json()["quota_bytes"] is None
    assert team.person("server").patch(VISION, {"quota_bytes": -1}).status_code == 400


def test_a_deleted_project_is_gone_at_once_and_from_the_disk_after_a_week(tmp_path: Path) -> None:
    now = [time.time()]
    with in_process_team(tmp_path / "team", clock=lambda: now[0]) as team:
        token = team.token(None, "writer", team.project)
        assert team.person("viewer").get("/p/lab/vision/api/runs").status_code == 200
        folder = team.team.folder.project_dir(team.project.id)
        assert folder.is_dir()
        assert team.person("writer").post(f"{VISION}/delete").status_code == 403
        gone_at = team.person("admin").post(f"{VISION}/delete").json()["deleted_for_good_at"]
        assert gone_at == now[0] + GRACE_SECS
        for who in (team.person("admin"), team.person("server"), team.holder(token)):
            assert who.get(VISION).status_code == 404
        assert team.person("viewer").get("/p/lab/vision/api/runs").status_code == 404
        # The name is free, and the new project does not inherit members.
        assert (
            team.person("server").post(f"{API}/projects", {"organisation": "lab", "name": "vision"}).status_code == 200
        )
        assert team.person("viewer").get(VISION).status_code == 404
        purge = partial(
            purge_deleted_projects,
            team.team.database,
            team.team.folder,
            stores=team.team.projects.stores,
            forget_objects=team.team.ingest.forget_runs,
        )
        assert purge(now[0] + GRACE_SECS - 1) == []
        assert folder.is_dir()
        assert purge(now[0] + GRACE_SECS + 1) == [team.project.id]
        assert not folder.exists()
