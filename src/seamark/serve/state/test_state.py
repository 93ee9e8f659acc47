"""Saved state survives a restart and damage, and two changes at once are a conflict."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from seamark.serve.app import create_app
from seamark.serve.state.document import EMPTY, BadStateError, merge
from seamark.serve.state.state import State, WrongVersionError, default_state_dir
from seamark.serve.state.storage import StateUnavailableError
from seamark.store import LogRoot, Store


def state_of(folder: Path | None, logdir: Path) -> State:
    return State(folder, [LogRoot("", logdir)])


def test_a_fresh_log_directory_has_an_empty_state(tmp_path: Path) -> None:
    assert state_of(tmp_path, tmp_path).read() == {"version": 0, "runs": {}, "pins": [], "views": {}, "dashboards": {}}


def test_changes_survive_a_restart(tmp_path: Path) -> None:
    first = state_of(tmp_path / "state", tmp_path)
    first.patch(0, {"runs": {"a": {"label": "baseline", "star": True}}, "pins": [{"tag": "loss"}]})
    first.patch(1, {"runs": {"a": {"star": None}, "b": {"colour": "#123456"}}, "views": {"mine": {"x": 1}}})
    first.close()
    (file,) = (tmp_path / "state").glob("**/*.sqlite")
    assert file.stat().st_mode & 0o777 == 0o600  # whatever the umask is
    assert state_of(tmp_path / "state", tmp_path).read() == {
        "version": 2,
        "runs": {"a": {"label": "baseline"}, "b": {"colour": "#123456"}},
        "pins": [{"tag": "loss"}],
        "views": {"mine": {"x": 1}},
        "dashboards": {},
    }
    assert state_of(tmp_path / "state", tmp_path / "other").read()["version"] == 0


def test_a_dashboard_saves_under_its_own_name(tmp_path: Path) -> None:
    state = state_of(tmp_path, tmp_path)
    state.patch(0, {"dashboards": {"one": {"layouts": {"a": [1], "b": [2]}}, "other": {"x": 1}}})
    state.patch(1, {"dashboards": {"one": {"layouts": {"a": None}}}})
    assert state.read()["dashboards"] == {"one": {"layouts": {"b": [2]}}, "other": {"x": 1}}


def test_two_pages_cannot_overwrite_each_other(tmp_path: Path) -> None:
    one, other = state_of(tmp_path, tmp_path), state_of(tmp_path, tmp_path)
    one.patch(0, {"runs": {"a": {"note": "first"}}})
    with pytest.raises(WrongVersionError, match="has version 1") as conflict:
        other.patch(0, {"runs": {"a": {"note": "second"}}})
    assert conflict.value.current["runs"] == {"a": {"note": "first"}}
    other.patch(1, {"runs": {"a": {"note": "second"}}})
    assert one.read()["runs"]["a"]["note"] == "second"


def test_runs_keep_their_position_when_others_come_and_go(tmp_path: Path) -> None:
    first = state_of(tmp_path, tmp_path)
    assert first.positions(["b", "c"]) == {"b": 0, "c": 1}
    assert first.positions(["a", "b", "c"]) == {"a": 2, "b": 0, "c": 1}
    first.close()
    again = state_of(tmp_path, tmp_path)
    assert again.positions(["c", "z"]) == {"c": 1, "z": 3}
    assert first.positions(["z", "b"]) == {"z": 3, "b": 0}


def nested(levels: int) -> list[Any]:
    return [nested(levels - 1)] if levels else []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"pins": nested(60)}, "nested too deeply"),
        ({"views": {"big": "x" * (9 << 20)}}, "the limit is"),
    ],
)
def test_a_change_that_is_too_large_is_an_error(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    state = state_of(tmp_path, tmp_path)
    with pytest.raises(BadStateError, match=reason):
        state.patch(0, change)
    assert state.read()["version"] == 0


def test_an_unusable_folder_is_a_problem_and_state_stays_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    state = state_of(tmp_path / "file", tmp_path)
    assert state.patch(0, {"pins": ["a"]})["pins"] == ["a"]
    assert "--state_dir" in state.problem
    assert f"'{tmp_path / 'file'}'" in state.problem


def test_a_label_is_shown_in_place_of_the_folder(tmp_path: Path) -> None:
    root = LogRoot("", tmp_path, label="lab/vision")
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "state.sqlite").write_bytes(b"not a database at all" * 100)
    for folder in (tmp_path, tmp_path / "file", tmp_path / "file" / "below"):
        state = State(folder, [root])
        state.read()
        assert state.problem.endswith("'lab/vision'")
        assert str(tmp_path) not in state.problem
        state.close()


def test_a_damaged_database_is_renamed_and_reported(tmp_path: Path) -> None:
    (tmp_path / "state.sqlite").write_bytes(b"not a database at all" * 100)
    state = state_of(tmp_path, tmp_path)
    assert state.read()["version"] == 0
    (aside,) = tmp_path.glob("state.sqlite.damaged-*")
    assert aside.read_bytes().startswith(b"not a database")
    assert f"renamed to {aside.name}" in state.problem
    state.patch(0, {"pins": ["a"]})
    state.close()
    assert state_of(tmp_path, tmp_path).read()["pins"] == ["a"]


def test_a_command_that_only_reads_leaves_a_damaged_database_alone(tmp_path: Path) -> None:
    (tmp_path / "state.sqlite").write_bytes(b"not a database at all" * 100)
    state = State(tmp_path, [LogRoot("", tmp_path)], can_repair=False)
    with pytest.raises(StateUnavailableError, match="not a database"):
        state.read()
    assert [path.name for path in tmp_path.iterdir()] == ["state.sqlite"]


def test_state_works_after_any_damage(tmp_path: Path) -> None:
    """Every kind of damage a disk does: bytes changed anywhere, pages of zeros, a file that was cut."""
    whole = state_of(tmp_path / "whole", tmp_path)
    whole.positions([f"run {number}" for number in range(300)])
    whole.patch(0, {"runs": {f"run {number}": {"note": "x" * 50} for number in range(300)}})
    whole.close()
    sound = (tmp_path / "whole" / "state.sqlite").read_bytes()
    random = Random(12)
    for case in range(24):
        data = bytearray(sound)
        match case % 3:
            case 0:
                for at in [random.randrange(len(data)) for _ in range(random.choice([1, 10, 200]))]:
                    data[at] ^= 1 << random.randrange(8)
            case 1:
                start = random.randrange(0, len(data), 512)
                data[start : start + 4096] = bytes(len(data[start : start + 4096]))
            case _:
                del data[random.randrange(1, len(data)) :]
        folder = tmp_path / str(case)
        folder.mkdir()
        (folder / "state.sqlite").write_bytes(data)
        state = state_of(folder, tmp_path)
        assert len(state.positions(["run 1", "new"])) == 2
        version = state.read()["version"]
        assert state.patch(version, {"pins": [case]})["pins"] == [case]
        state.close()


@pytest.mark.parametrize(
    "row",
    ["(1, 'no json')", "(1, '[]')", "(1, '{\"runs\": []}')", "('x', '{}')", "(-1, '{}')", "(1, x'ff')", "(9e18, '{}')"],
)
def test_an_invalid_document_counts_as_damage(tmp_path: Path, row: str) -> None:
    state = state_of(tmp_path, tmp_path)
    state.patch(0, {"pins": ["a"]})
    state.close()
    with sqlite3.connect(tmp_path / "state.sqlite") as database:
        database.execute(f"UPDATE documents SET (version, body) = (SELECT * FROM (VALUES {row}))")
    database.close()
    assert state_of(tmp_path, tmp_path).read() == {"version": 0, **EMPTY}
    assert len(list(tmp_path.glob("state.sqlite.damaged-*"))) == 1


def test_requests_fail_with_503_while_another_program_locks_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("seamark.serve.state.database.BUSY_SECS", 0.01)
    monkeypatch.setattr("seamark.serve.state.database.RETRY_SECS", 0.0)
    state = state_of(tmp_path, tmp_path)
    assert state.positions(["a"]) == {"a": 0}
    other = sqlite3.connect(tmp_path / "state.sqlite", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StateUnavailableError, match="another program has locked it"):
        state.read()
    with pytest.raises(StateUnavailableError, match="another program has locked it"):
        state.patch(0, {"pins": ["a"]})
    assert state.positions(["b", "a"]) == {"b": 1, "a": 0}, "runs have colours all the same"
    assert "another program has locked it" in state.problem
    with TestClient(create_app_over(tmp_path, state), base_url="http://localhost") as client:
        assert client.get("/api/state").status_code == 503
        assert client.patch("/api/state", json={"version": 0}).status_code == 503
        assert client.get("/api/runs").status_code == 200
        assert client.post("/api/table", json={}).status_code == 200
        other.execute("ROLLBACK")
        assert client.get("/api/state").status_code == 200
        assert state.problem == ""
    other.close()


def create_app_over(folder: Path, state: State) -> Starlette:
    return create_app(Store([LogRoot("", folder)], index_dir=None, follow=False), state=state)


def test_merging_removes_null_and_replaces_lists() -> None:
    assert merge({"a": {"b": 1, "c": 2}, "d": [1]}, {"a": {"b": None}, "d": [2]}) == {"a": {"c": 2}, "d": [2]}


def test_the_file_is_in_the_data_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert default_state_dir() == Path("/somewhere/seamark")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert default_state_dir() == Path.home() / ".local/share/seamark"


def test_only_the_owner_can_read_a_new_folder(tmp_path: Path) -> None:
    state = State(tmp_path / "seamark", [])
    state.read()
    state.close()
    assert (tmp_path / "seamark").stat().st_mode & 0o777 == 0o700
