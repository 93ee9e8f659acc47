"""Nothing of other runs is in any response of a shared page, whatever is asked."""

from __future__ import annotations

import json
import time
from urllib.parse import quote

import pytest

from seamark.team.projects.opened import View
from tests.team import IS_LONG
from tests.team.every_request import ask_everything
from tests.team.run_files import add_run, wait_for
from tools.in_process_team import InProcessTeam

# In the names of runs, tags, files, columns, notes and texts of everything that is not shared.
MARK = "zqxj"  # long enough not to be part of a random link
NESTED, OTHER = f"a/{MARK}nested", f"{MARK}other"
SHARED_MARK = "ok"


@pytest.fixture
def link(team: InProcessTeam) -> str:
    add_run(team, team.project, "a", SHARED_MARK)
    add_run(team, team.project, NESTED, MARK)
    add_run(team, team.project, OTHER, MARK)
    logs = team.team.folder.logs_dir(team.project.id)
    # Of the log directory itself, and of a folder that is no run.
    (logs / "projector_config.pbtxt").write_text(f'embeddings {{ tensor_name: "{MARK}root" tensor_path: "x.tsv" }}')
    (logs / "x.tsv").write_text("1\t2\n")
    capture = logs / f"{MARK}folder" / "plugins" / "profile" / "2026_01_01_00_00_00"
    capture.mkdir(parents=True)
    (capture / "host.trace.json").write_text(json.dumps({"traceEvents": []}))
    broken = logs / f"{MARK}broken"
    broken.mkdir()
    (broken / "events.out.tfevents.1").write_bytes(b"not an event file")
    writer = team.person("writer")
    saved = {
        "version": 0,
        "runs": {
            "a": {"label": f"{SHARED_MARK}label"},
            OTHER: {"label": f"{MARK}label", "note": f"{MARK}note"},
            NESTED: {"tags": [f"{MARK}tag"]},
        },
        "pins": [{"plugin": "scalars", "tag": f"{SHARED_MARK}loss"}, {"plugin": "scalars", "tag": f"{MARK}loss"}],
        "views": {f"{MARK}view": {"address": f"#run={OTHER}"}},
        "dashboards": {"custom_scalars": {"layout": [f"{MARK}loss"]}},
    }
    assert writer.patch("/p/lab/vision/api/state", saved).status_code == 200
    text_id = writer.post("/p/lab/vision/api/state/texts", {"text": f"{MARK} text"}).json()["id"]
    body = {"runs": ["a"], "view": f"#scalars&text={text_id}"}
    created = writer.post("/team/api/projects/lab/vision/shares", body)
    found: str = created.json()["link"].removeprefix("http://localhost")
    visitor = team.visitor()
    wait_for(lambda: not visitor.get(f"{found}/api/progress").json()["loading"])
    wait_for(lambda: f"{SHARED_MARK}loss" in visitor.get(f"{found}/api/tags").text)
    return found


def ask_link(team: InProcessTeam, link: str, run: str, mark: str) -> list[tuple[str, int, str]]:
    visitor = team.visitor()
    text_id = visitor.get(link).headers["location"].rpartition("=")[2]
    return ask_everything(team, visitor, link, opened_share(team), run=run, mark=mark, text_id=text_id)


def opened_share(team: InProcessTeam) -> View:
    (view,) = [each for each in team.team.projects.open_views() if each.share_id]
    return view


def test_no_route_of_a_share_names_another_run(team: InProcessTeam, link: str) -> None:
    answers = ask_link(team, link, "a", SHARED_MARK)
    assert len(answers) > 200
    leaks = [request for request, _, text in answers if MARK in text]
    assert leaks == []
    # The test asks for something: most of what the shared run has is found.
    assert sum(status == 200 for _, status, _ in answers) > 60
    shown = " ".join(text for _, status, text in answers if status == 200)
    for name in ("loss", "vectors.tsv", "examples.csv", "mesh.obj", "trace", "notes", "line", "label", "key"):
        assert f"{SHARED_MARK}{name}" in shown, name


@pytest.mark.parametrize("run", [NESTED, OTHER, f"a/../{OTHER}"] if IS_LONG else [OTHER])
def test_asking_for_another_run_by_name_finds_nothing(team: InProcessTeam, link: str, run: str) -> None:
    answers = ask_link(team, link, run, MARK)
    for request, status, text in answers:
        if status >= 400:
            continue  # the sentence may repeat what was asked for
        # Of an empty answer nothing remains but what was asked for.
        for asked in (run, quote(run, safe=""), f"{MARK}loss", f"{MARK}tensor", f"param:{MARK}lr", f"{MARK}trace"):
            text = text.replace(asked, "")
        assert MARK not in text, request


@pytest.mark.parametrize(
    "path", [f"{MARK}nested/run.json", f"../{OTHER}/run.json", f"{MARK}nested/console.log", f"{MARK}nested"]
)
def test_no_path_leads_to_the_files_of_another_run(team: InProcessTeam, link: str, path: str) -> None:
    visitor = team.visitor()
    for route, name in (("/api/run/file", "path"), ("/api/run/console", "source")):
        response = visitor.get(f"{link}{route}", params={"run": "a", name: path})
        assert response.status_code >= 400
        assert f"{MARK}value" not in response.text


def test_the_event_stream_of_a_share_names_no_other_run(team: InProcessTeam, link: str) -> None:
    """What happens to another run while the share is open."""
    opened = team.team.projects.find(opened_share(team))
    assert opened is not None
    changes = opened.store.subscribe()
    add_run(team, team.project, f"a/{MARK}later", MARK)
    add_run(team, team.project, "a", f"{SHARED_MARK}later")
    seen: set[str] = set()
    deadline = time.monotonic() + 30
    while f"{SHARED_MARK}laterloss" not in str(seen):
        assert time.monotonic() < deadline
        delta = changes.get(0.5)
        if delta is not None:
            seen.add(repr(delta) + repr(opened.store.tags()))
    changes.close()
    assert MARK not in str(seen)
    assert MARK not in team.visitor().get(f"{link}/api/problems").text


def test_a_share_shows_only_the_saved_state_of_its_runs(team: InProcessTeam, link: str) -> None:
    state = team.visitor().get(f"{link}/api/state").json()
    assert state == {
        "version": 1,
        "runs": {"a": {"label": f"{SHARED_MARK}label"}},
        "pins": [{"plugin": "scalars", "tag": f"{SHARED_MARK}loss"}],
        "views": {},
        "dashboards": {},
    }
