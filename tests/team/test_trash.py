"""Deleted runs: the trash, restoring, and that nothing is left after the grace period."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from seamark.store.index.location import index_path
from seamark.team.secret_text import new_id
from tests.team.run_files import add_run, wait_for
from tools.in_process_team import InProcessTeam

PROJECT = "/team/api/projects/lab/vision"
# In the tag, the files, the texts and the notes of the run that is deleted.
MARK = "wqx"


@pytest.fixture
def runs(team: InProcessTeam) -> InProcessTeam:
    add_run(team, team.project, "a", MARK)
    add_run(team, team.project, "a/b", "nested")
    add_run(team, team.project, "c", "other")
    return team


def shown(team: InProcessTeam) -> set[str]:
    return {run["name"] for run in team.person("viewer").get("/p/lab/vision/api/runs").json()["runs"]}


def delete(team: InProcessTeam, *names: str) -> str:
    """Returns the id of the last one in the trash."""
    response = team.person("writer").post(f"{PROJECT}/runs/delete", {"runs": list(names)})
    assert response.status_code == 200, response.text
    found: str = response.json()["runs"][0]["id"]
    return found


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_deleted_run_can_be_restored(runs: InProcessTeam) -> None:
    logs = runs.team.folder.logs_dir(runs.project.id)
    before = contents(logs)
    wait_for(lambda: shown(runs) == {"a", "a/b", "c"})
    run_id = delete(runs, "a")
    wait_for(lambda: shown(runs) == {"a/b", "c"})
    (listed,) = runs.person("writer").get(f"{PROJECT}/trash").json()["runs"]
    assert (listed["name"], listed["deleted_by"]) == ("a", "writer@example.org")
    assert listed["bytes"] == sum(
        len(data) for name, data in before.items() if name.startswith("a/") and "a/b/" not in name
    )
    assert listed["purge_at"] == pytest.approx(listed["deleted_at"] + 30 * 86_400)
    answer = runs.person("writer").post(f"{PROJECT}/trash/restore", {"ids": [run_id]})
    assert answer.json() == {"runs": []}
    assert contents(logs) == before
    wait_for(lambda: shown(runs) == {"a", "a/b", "c"})


def test_a_restored_run_does_not_overwrite_another_of_its_name(runs: InProcessTeam) -> None:
    run_id = delete(runs, "c")
    add_run(runs, runs.project, "c", "new")
    response = runs.person("writer").post(f"{PROJECT}/trash/restore", {"ids": [run_id]})
    assert response.status_code == 409
    assert "another run 'c'" in response.json()["error"]


def test_what_a_crash_interrupted_is_finished_later(runs: InProcessTeam) -> None:
    team = runs.team
    logs = team.folder.logs_dir(runs.project.id)
    before = contents(logs)
    # Killed after the row was changed, before the files were moved.
    team.write(lambda transaction: team.trash.delete(transaction, runs.project.id, ["c"], by="x", now=time.time()))
    assert contents(logs) == before
    team.trash.settle_all()
    assert not (logs / "c").exists()
    team.write(lambda transaction: transaction.execute("UPDATE runs SET deleted_at = NULL WHERE name = 'c'"))
    team.trash.settle(runs.project.id)
    assert contents(logs) == before


def everything_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def files_with(folder: Path, mark: bytes) -> list[str]:
    return [str(path.relative_to(folder)) for path in everything_below(folder) if mark in path.read_bytes()]


def use_everywhere(team: InProcessTeam) -> str:
    """Has the run in the index, in caches, in saved state, in a share and in a comment. Returns the share's link."""
    writer = team.person("writer")
    wait_for(lambda: not writer.get("/p/lab/vision/api/progress").json()["loading"])
    change = {"version": 0, "runs": {"a": {"note": f"{MARK} note"}, "c": {"note": "stays"}}}
    assert writer.patch("/p/lab/vision/api/state", change).status_code == 200
    assert writer.post("/p/lab/vision/api/table", {"columns": []}).status_code < 500
    trace = {"run": "a", "capture": f"{MARK}trace"}
    assert writer.get("/p/lab/vision/api/dashboards/profile/overview", params=trace).status_code < 500
    assert writer.get("/p/lab/vision/api/run", params={"run": "a"}).status_code == 200
    response = writer.post(f"{PROJECT}/shares", {"runs": ["a"], "name": "only"})
    link: str = response.json()["link"].removeprefix("http://localhost")
    writer.post(f"{PROJECT}/shares", {"runs": ["a", "c"], "name": "both"})
    assert team.visitor().get(f"{link}/api/runs").status_code == 200
    team.team.write(
        lambda transaction: transaction.execute(
            "INSERT INTO comments (id, project_id, run, text, author_id, created_at) VALUES (?, ?, 'a', ?, ?, ?)",
            *(new_id(), team.project.id, f"{MARK} comment", team.users["writer"].id, time.time()),
        )
    )
    return link


def test_nothing_is_left_of_a_run_after_the_grace_period(runs: InProcessTeam) -> None:
    link = use_everywhere(runs)
    folder = runs.team.folder.path
    assert len(files_with(folder, MARK.encode())) > 5
    delete(runs, "a")
    wait_for(lambda: runs.visitor().get(f"{link}/api/runs").json() == {"runs": []})
    runs.client.portal.call(runs.team.trash.purge_due, time.time() + 29 * 86_400)
    assert len(runs.person("writer").get(f"{PROJECT}/trash").json()["runs"]) == 1
    runs.client.portal.call(runs.team.trash.purge_due, time.time() + 31 * 86_400)
    assert files_with(folder, MARK.encode()) == []
    assert runs.person("writer").get(f"{PROJECT}/trash").json() == {"runs": []}
    # The others are as they were, also in the saved state and in the share of both.
    wait_for(lambda: shown(runs) == {"a/b", "c"})
    assert runs.person("viewer").get("/p/lab/vision/api/state").json()["runs"] == {"c": {"note": "stays"}}
    assert runs.visitor().get(f"{link}/api/runs").status_code == 404
    (both,) = runs.person("writer").get(f"{PROJECT}/shares").json()["shares"]
    assert (both["name"], both["runs"]) == ("both", ["c"])


def test_only_an_admin_empties_the_trash(runs: InProcessTeam) -> None:
    run_id = delete(runs, "a")
    assert runs.person("writer").post(f"{PROJECT}/trash/empty", {}).status_code == 403
    answer = runs.person("admin").post(f"{PROJECT}/trash/empty", {"ids": [run_id]})
    assert (answer.status_code, answer.json()) == (200, {"runs": []})
    assert not (runs.team.folder.trash_dir(runs.project.id) / run_id).exists()
    actions = runs.team.read(lambda transaction: transaction.rows("SELECT action, target FROM audit ORDER BY id"))
    assert actions[-2:] == [("run.delete", "a"), ("run.purge", "a")]


def test_the_index_is_usable_after_a_purge(runs: InProcessTeam) -> None:
    wait_for(lambda: shown(runs) == {"a", "a/b", "c"})
    delete(runs, "a")
    assert runs.person("admin").post(f"{PROJECT}/trash/empty", {}).status_code == 200
    team = runs.team
    index = index_path(team.folder.index_dir(runs.project.id), team.folder.logs_dir(runs.project.id))
    assert (index / "catalogue.sqlite").exists()
    wait_for(lambda: shown(runs) == {"a/b", "c"})
    assert runs.person("viewer").get("/p/lab/vision/api/problems").json() == {"problems": []}


@pytest.mark.parametrize(("who", "status"), [("viewer", 403), ("outsider", 404)])
def test_only_writers_delete(runs: InProcessTeam, who: str, status: int) -> None:
    assert runs.person(who).post(f"{PROJECT}/runs/delete", {"runs": ["a"]}).status_code == status
    assert runs.person(who).get(f"{PROJECT}/trash").status_code == status


@pytest.mark.parametrize("name", ["nothing", "..", "a/..", "/etc", "a/../c"])
def test_deleting_what_is_no_run_is_an_error(runs: InProcessTeam, name: str) -> None:
    response = runs.person("writer").post(f"{PROJECT}/runs/delete", {"runs": ["c", name]})
    assert response.status_code == 404
    assert "nothing was deleted" in response.json()["error"]
    assert (runs.team.folder.logs_dir(runs.project.id) / "c" / "run.json").exists()
