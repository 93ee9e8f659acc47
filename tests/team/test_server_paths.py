"""No response names a folder of the server's disk, whoever asks for whatever."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from seamark.team.projects.opened import View
from tests.team.access_rules import TEAM_RULES
from tests.team.every_request import ask_everything
from tests.team.run_files import add_run, wait_for
from tests.team.test_security_matrix import filled
from tools.in_process_team import InProcessTeam, Person, in_process_team

MARK = "ok"
# Part of every path of the server, and of nothing else.
FOLDER = "zq-disk"


@pytest.fixture
def team(tmp_path: Path) -> Iterator[InProcessTeam]:
    with in_process_team(tmp_path / FOLDER / "team") as found:
        run = add_run(found, found.project, "a", MARK)
        # Whatever leads to a sentence about a file.
        (run / "config.yaml").write_text("{ not yaml")
        (run / "config.json").write_text("[1,")
        (run / "events.out.tfevents.1").write_bytes(b"not an event file")
        whole = next(run.glob("events.out.tfevents.*.*")).read_bytes()
        (run / "events.out.tfevents.2").write_bytes(whole[:40] + b"damage" + whole[46:])
        (run / f"{MARK}broken.npy").write_bytes(b"no array")
        (run / f"{MARK}broken.onnx").write_bytes(b"no graph")
        yield found


def wait_until_read(person: Person, page: str) -> None:
    wait_for(lambda: f"{MARK}loss" in person.get(f"{page}/api/tags").text)
    wait_for(lambda: not person.get(f"{page}/api/progress").json()["loading"])


def check(answers: list[tuple[str, int, str]]) -> None:
    assert len(answers) > 200
    assert sum(status == 200 for _, status, _ in answers) > 60
    assert [request for request, _, text in answers if FOLDER in text] == []


@pytest.mark.parametrize("name", ["viewer", "admin", "server"])
def test_a_member_sees_the_name_of_the_project_instead_of_its_folder(team: InProcessTeam, name: str) -> None:
    person, page = team.person(name), "/p/lab/vision"
    wait_until_read(person, page)
    check(ask_everything(team, person, page, View(team.project.id), run="a", mark=MARK))
    assert [run["path"] for run in person.get(f"{page}/api/runs").json()["runs"]] == ["lab/vision/a"]
    assert person.get(f"{page}/api/run", params={"run": "a"}).json()["path"] == "lab/vision/a"
    assert person.get(f"{page}/data/logdir").json() == {"logdir": "lab/vision"}
    problems = person.get(f"{page}/api/problems").json()["problems"]
    assert {problem["path"] for problem in problems} == {
        f"lab/vision/a/events.out.tfevents.{number}" for number in (1, 2)
    }


@pytest.mark.parametrize("is_whole", [False, True], ids=["runs", "project"])
def test_whoever_has_a_link_does_not_see_the_folder(team: InProcessTeam, is_whole: bool) -> None:
    body = {"runs": None if is_whole else ["a"]}
    created = team.person("writer").post("/team/api/projects/lab/vision/shares", body)
    link = created.json()["link"].removeprefix("http://localhost")
    visitor = team.visitor()
    wait_until_read(visitor, link)
    (view,) = team.team.projects.open_views()
    check(ask_everything(team, visitor, link, view, run="a", mark=MARK))
    (run,) = visitor.get(f"{link}/api/runs").json()["runs"]
    assert run["path"] == ("lab/vision/a" if is_whole else "shared/a")


def test_the_routes_of_the_team_name_no_folder(team: InProcessTeam) -> None:
    for name in ("viewer", "admin", "server"):
        person = team.person(name)
        for (method, path), rule in TEAM_RULES.items():
            address = filled(path).replace("none&file=none", "a&file=run.json").replace("run=none", "run=a")
            if method != "GET":
                continue
            response = person.request(method, address, json=rule.body)
            assert FOLDER not in response.text + repr(response.headers), (name, method, path)
