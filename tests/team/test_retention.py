"""Retention rules: what they drop, what they keep, and what storage is used by."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seamark import _core
from seamark.kinds import audio, hparams, image, scalar, text
from seamark.kinds.event import graph_event
from seamark.kinds.summary import event_record
from seamark.store.test_support import dump, loaded
from seamark.team.retention import rewrite as rewriting
from seamark.team.retention.rewrite import RewriteError, rewrite
from seamark.write.append.event_file import EventFile
from tests.team.run_files import add_row, wait_for
from tools.in_process_team import InProcessTeam

PROJECT = "/team/api/projects/lab/vision"
DAY = 86_400.0
OLD = {"kinds": ["images"], "keep_days": 90}


def log_all_kinds(folder: Path, *, steps: int = 20, began: float = 1_700_000_000.0) -> Path:
    """Curves, some of them in one record with a picture; pictures, sound, text, hyperparameters and a graph."""
    pixels = np.random.default_rng(0).integers(0, 255, (16, 16, 3), np.uint8)
    with EventFile(folder, wall_time=began) as file:
        file.append(event_record(hparams.encode(hparams.SessionStart({"lr": 0.1})), step=0, wall_time=began))
        file.append(_core.frame(graph_event(b"\n\x05\n\x01a\x12\x00", wall_time=began)))
        for step in range(steps):
            wall = began + step
            file.add_scalar("loss", 1 / (step + 1), step, wall_time=wall)
            both = [image.encode("sample", pixels), scalar.encode("accuracy", step / 7, double=True)]
            file.append(event_record(both, step=step, wall_time=wall))
            file.append(event_record(text.encode("words", f"text of step {step}"), step=step, wall_time=wall))
            file.append(
                event_record(audio.encode("sound", np.zeros((100, 1)), sample_rate_hz=8000), step=step, wall_time=wall)
            )
    return next(folder.glob("*tfevents*"))


def put_beside(path: Path) -> Callable[[Path, int], None]:
    return lambda content, _: content.replace(path) and None


def kinds_in(logdir: Path) -> dict[str, int]:
    with loaded(logdir) as store:
        found: dict[str, int] = {}
        for info in store.series():
            found[info.kind] = found.get(info.kind, 0) + info.count
        return found


def without(shown: dict[str, Any], *kinds: str) -> dict[str, Any]:
    """A dump of a store without some kinds, and without sizes of files."""
    return {
        key: value
        for key, value in shown.items()
        if key not in ("runs", "problems") and not any(f" {kind} " in key for kind in kinds)
    }


def test_rewriting_drops_only_what_it_should(tmp_path: Path) -> None:
    path = log_all_kinds(tmp_path / "a")
    before = path.stat()
    with loaded(tmp_path) as store:
        shown = dump(store)
    rewrite(path, lambda kind: kind == "images", {}, put_in_place=put_beside(path))
    with loaded(tmp_path) as store:
        after = dump(store)
    assert without(after) == without(shown, "images")
    assert any(" images " in key for key in shown)
    assert path.stat().st_size < before.st_size
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_rewriting_keeps_damaged_and_incomplete_records(tmp_path: Path) -> None:
    path = log_all_kinds(tmp_path / "a")
    data = bytearray(path.read_bytes())
    ends = _core.record_ends(bytes(data))
    data[ends[10] + 14] ^= 0xFF  # a record whose checksum is wrong
    path.write_bytes(bytes(data) + b"\x30\x00\x00")  # and one that was not finished
    with loaded(tmp_path) as store:
        shown = dump(store)
    rewrite(path, lambda kind: kind == "audio", {}, put_in_place=put_beside(path))
    with loaded(tmp_path) as store:
        after = dump(store)
    assert without(after) == without(shown, "audio")
    assert path.read_bytes().endswith(b"\x30\x00\x00")


def test_a_file_that_would_lose_a_curve_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = log_all_kinds(tmp_path / "a")
    before = path.read_bytes()
    monkeypatch.setattr(rewriting, "without_payloads", lambda record, offsets: b"")
    with pytest.raises(RewriteError, match="curves"):
        rewrite(path, lambda kind: kind == "images", {}, put_in_place=put_beside(path))
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_later_file_without_metadata_is_understood(tmp_path: Path) -> None:
    """Writers give the metadata of a tag only with its first value."""
    log_all_kinds(tmp_path / "a", steps=1)
    value = text.encode("words", "a later text")
    value.ClearField("metadata")
    with EventFile(tmp_path / "a", wall_time=1_800_000_000.0) as file:
        file.append(event_record(value, step=5, wall_time=1_800_000_000.0))
    first, second = sorted((tmp_path / "a").glob("*tfevents*"))
    plan = rewriting.plan_rewrite(first, lambda kind: kind == "text", {})
    assert rewriting.plan_rewrite(second, lambda kind: kind == "text", plan.metadata).dropped.keys() == {"text"}
    assert rewriting.plan_rewrite(second, lambda kind: kind == "text", {}).dropped == {}


@pytest.fixture
def runs(team: InProcessTeam) -> InProcessTeam:
    logs = team.team.folder.logs_dir(team.project.id)
    for name, days in (("old", 100), ("old/part", 100), ("new", 10)):
        log_all_kinds(logs / name)
        add_row(team, team.project, name, uploaded_at=time.time() - days * DAY)
    return team


def put_rules(team: InProcessTeam, *rules: dict[str, Any]) -> None:
    response = team.person("admin").put(f"{PROJECT}/retention", {"rules": list(rules)})
    assert response.status_code == 200, response.text


def test_a_dry_run_lists_what_would_be_dropped_and_changes_nothing(runs: InProcessTeam) -> None:
    logs = runs.team.folder.logs_dir(runs.project.id)
    before = {path: path.read_bytes() for path in logs.rglob("*tfevents*")}
    answer = runs.person("admin").post(f"{PROJECT}/retention/dry_run", {"rules": [OLD]}).json()
    assert answer["runs"] == ["old", "old/part"]
    assert answer["total_files"] == 2
    assert all(file["dropped"].keys() == {"images"} for file in answer["files"])
    assert 0 < answer["dropped_bytes"] < sum(file["bytes"] for file in answer["files"])
    only = {**OLD, "runs": "part$"}
    assert runs.person("admin").post(f"{PROJECT}/retention/dry_run", {"rules": [only]}).json()["runs"] == ["old/part"]
    # Without rules of its own: the saved ones.
    assert runs.person("admin").post(f"{PROJECT}/retention/dry_run", {}).json()["runs"] == []
    assert {path: path.read_bytes() for path in logs.rglob("*tfevents*")} == before


def test_rules_are_applied_once_a_day(runs: InProcessTeam) -> None:
    logs = runs.team.folder.logs_dir(runs.project.id)
    put_rules(runs, OLD, {"kinds": ["text"], "keep_days": 5})
    now = time.time()
    runs.team.retention.apply_due(now)
    assert kinds_in(logs / "old").keys() == kinds_in(logs / "new").keys() - {"images"}
    assert "text" not in kinds_in(logs / "new")
    assert kinds_in(logs / "new")["images"] == 20
    assert kinds_in(logs / "old")["scalars"] == 80  # of both runs
    rows = runs.team.read(lambda transaction: transaction.rows("SELECT run, original_bytes FROM rewritten_files"))
    assert {run for run, _ in rows} == {"old", "old/part", "new"}
    put_rules(runs, {"kinds": "all", "keep_days": 0})
    runs.team.retention.apply_due(now + DAY / 2)
    assert kinds_in(logs / "new")["images"] == 20
    runs.team.retention.apply_due(now + DAY + 1)
    assert kinds_in(logs / "new").keys() == {"scalars", "hparams"}


def test_a_run_that_is_being_uploaded_is_left_alone(team: InProcessTeam) -> None:
    logs = team.team.folder.logs_dir(team.project.id)
    path = log_all_kinds(logs / "a")
    add_row(team, team.project, "a", uploaded_at=time.time() - 60)
    put_rules(team, {"kinds": "all", "keep_days": 0})
    before = path.read_bytes()
    assert team.team.retention.apply(team.project.id, time.time()) == []
    assert path.read_bytes() == before
    (logs / "a" / "run.json").write_text('{"schema": "seamark.run", "version": 1, "status": "finished"}')
    team.team.retention.apply(team.project.id, time.time())
    assert len(path.read_bytes()) < len(before)


def test_a_killed_server_leaves_the_old_file_or_the_new_one(
    team: InProcessTeam, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = team.team.folder.logs_dir(team.project.id)
    path = log_all_kinds(logs / "a")
    add_row(team, team.project, "a", uploaded_at=0.0)
    put_rules(team, {"kinds": "all", "keep_days": 1})
    before = path.read_bytes()

    def die(*_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(rewriting, "check_same", die)
        patched.setattr(Path, "unlink", lambda *_, **__: None)  # a killed process does not tidy up
        with pytest.raises(SystemExit):
            team.team.retention.apply(team.project.id, time.time())
    assert path.read_bytes() == before
    assert len(list((logs / "a").iterdir())) == 2
    team.team.retention.apply(team.project.id, time.time())
    assert [each.name for each in (logs / "a").iterdir()] == [path.name]
    assert len(path.read_bytes()) < len(before)


def test_an_open_page_shows_what_is_left(runs: InProcessTeam) -> None:
    viewer = runs.person("viewer")
    wait_for(lambda: "sample" in viewer.get("/p/lab/vision/api/tags").text)
    put_rules(runs, {"kinds": ["images"], "keep_days": 1})
    runs.team.retention.apply(runs.project.id, time.time())
    wait_for(lambda: "sample" not in viewer.get("/p/lab/vision/api/tags").text)
    found = viewer.get("/p/lab/vision/api/last", params={"tag": "accuracy"}).json()["tags"][0]
    assert found["steps"] == [19, 19, 19]


@pytest.mark.parametrize(
    "rule",
    [
        {"kinds": ["scalars"], "keep_days": 1},
        {"kinds": [], "keep_days": 1},
        {"kinds": "everything", "keep_days": 1},
        {"kinds": ["images"], "keep_days": -1},
        {"kinds": ["images"], "keep_days": 1, "runs": "("},
        {"kinds": ["images"]},
    ],
)
def test_a_rule_that_cannot_be_is_an_error(team: InProcessTeam, rule: dict[str, Any]) -> None:
    response = team.person("admin").put(f"{PROJECT}/retention", {"rules": [rule]})
    assert response.status_code == 400
    assert response.json()["error"]


def test_only_admins_change_rules(team: InProcessTeam) -> None:
    assert team.person("writer").put(f"{PROJECT}/retention", {"rules": []}).status_code == 403
    assert team.person("viewer").get(f"{PROJECT}/retention").json() == {"rules": []}
    assert team.person("outsider").get(f"{PROJECT}/retention").status_code == 404


def test_storage_lists_runs_and_kinds_of_files(runs: InProcessTeam) -> None:
    logs = runs.team.folder.logs_dir(runs.project.id)
    (logs / "new" / "console.log").write_text("x" * 1000)
    (logs / "new" / "host.xplane.pb").write_text("x" * 500)
    (logs / "new" / "weights.bin").write_text("x" * 100_000)
    storage = runs.person("viewer").get(f"{PROJECT}/storage").json()
    assert storage["runs"][0]["name"] == "new"
    kinds = storage["runs"][0]["kinds"]
    assert (kinds["record"], kinds["profiles"], kinds["other"]) == (1000, 500, 100_000)
    everything = sum(path.stat().st_size for path in logs.rglob("*") if path.is_file())
    assert storage["bytes"] == everything == sum(storage["kinds"].values())
    assert (storage["trash_bytes"], storage["quota_bytes"]) == (0, None)
    runs.person("writer").post(f"{PROJECT}/runs/delete", {"runs": ["new"]})
    storage = runs.person("viewer").get(f"{PROJECT}/storage").json()
    assert (storage["bytes"], storage["trash_bytes"] > 100_000) == (everything, True)
