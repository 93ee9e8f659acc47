"""What people decide about their runs survives, and two who decide at once find out."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from seamark.serve.app import create_app
from seamark.serve.state import (
    EMPTY,
    BadStateError,
    State,
    WrongVersionError,
    default_state_dir,
    merged,
)
from seamark.serve.state_database import StateUnavailableError
from seamark.store import LogRoot, Store


def state_of(folder: Path | None, logdir: Path) -> State:
    return State(folder, [LogRoot("", logdir)])


def test_a_fresh_log_directory_has_an_empty_state(tmp_path: Path) -> None:
    assert state_of(tmp_path, tmp_path).read() == {"version": 0, "runs": {}, "pins": [], "views": {}, "dashboards": {}}


def test_what_was_changed_is_there_after_a_restart(tmp_path: Path) -> None:
    first = state_of(tmp_path / "state", tmp_path)
    first.patch(0, {"runs": {"a": {"label": "baseline", "star": True}}, "pins": [{"tag": "loss"}]})
    first.patch(1, {"runs": {"a": {"star": None}, "b": {"colour": "#123456"}}, "views": {"mine": {"x": 1}}})
    first.close()
    assert state_of(tmp_path / "state", tmp_path).read() == {
        "version": 2,
        "runs": {"a": {"label": "baseline"}, "b": {"colour": "#123456"}},
        "pins": [{"tag": "loss"}],
        "views": {"mine": {"x": 1}},
        "dashboards": {},
    }
    assert state_of(tmp_path / "state", tmp_path / "other").read()["version"] == 0


def test_a_dashboard_keeps_things_under_its_name_and_touches_no_other(tmp_path: Path) -> None:
    state = state_of(tmp_path, tmp_path)
    state.patch(0, {"dashboards": {"one": {"layouts": {"a": [1], "b": [2]}}, "other": {"x": 1}}})
    state.patch(1, {"dashboards": {"one": {"layouts": {"a": None}}}})
    assert state.read()["dashboards"] == {"one": {"layouts": {"b": [2]}}, "other": {"x": 1}}


def test_two_pages_do_not_overwrite_each_other_unseen(tmp_path: Path) -> None:
    one, other = state_of(tmp_path, tmp_path), state_of(tmp_path, tmp_path)
    one.patch(0, {"runs": {"a": {"note": "first"}}})
    with pytest.raises(WrongVersionError, match="has version 1") as refused:
        other.patch(0, {"runs": {"a": {"note": "second"}}})
    assert refused.value.current["runs"] == {"a": {"note": "first"}}
    other.patch(1, {"runs": {"a": {"note": "second"}}})
    assert one.read()["runs"]["a"]["note"] == "second"


def test_runs_keep_their_place_when_others_come_and_go(tmp_path: Path) -> None:
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
        ({"nonsense": 1}, "unknown part of the state 'nonsense'"),
        ({"pins": {}}, "pins is not a list"),
        ({"runs": []}, "runs is not an object"),
        ({"dashboards": []}, "dashboards is not an object"),
        ({"runs": {"a": 1}}, "is an object with some of label"),
        ({"runs": {"a": {"color": "red"}}}, "unknown field 'color'"),
        ({"runs": {"a": {"star": "yes"}}}, "star is not a bool"),
        ({"pins": nested(60)}, "nested too deeply"),
        ({"views": {"big": "x" * (9 << 20)}}, "is the most"),
    ],
)
def test_a_change_that_makes_no_sense_is_refused(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    state = state_of(tmp_path, tmp_path)
    with pytest.raises(BadStateError, match=reason):
        state.patch(0, change)
    assert state.read()["version"] == 0


def test_a_folder_that_cannot_be_used_is_told_and_the_page_works_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    state = state_of(tmp_path / "file", tmp_path)
    assert state.patch(0, {"pins": ["a"]})["pins"] == ["a"]
    assert "--state_dir" in state.problem


def test_a_damaged_database_is_moved_aside_and_told(tmp_path: Path) -> None:
    (tmp_path / "state.sqlite").write_bytes(b"not a database at all" * 100)
    state = state_of(tmp_path, tmp_path)
    assert state.read()["version"] == 0
    (aside,) = tmp_path.glob("state.sqlite.damaged-*")
    assert aside.read_bytes().startswith(b"not a database")
    assert f"renamed to {aside.name}" in state.problem
    state.patch(0, {"pins": ["a"]})
    state.close()
    assert state_of(tmp_path, tmp_path).read()["pins"] == ["a"]


def test_a_command_that_only_reads_leaves_a_damaged_database_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "state.sqlite").write_bytes(b"not a database at all" * 100)
    state = State(tmp_path, [LogRoot("", tmp_path)], can_repair=False)
    with pytest.raises(StateUnavailableError, match="not a database"):
        state.read()
    assert [path.name for path in tmp_path.iterdir()] == ["state.sqlite"]


def test_no_damage_makes_a_state_that_fails_for_ever(tmp_path: Path) -> None:
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
def test_a_document_that_makes_no_sense_counts_as_damage(tmp_path: Path, row: str) -> None:
    state = state_of(tmp_path, tmp_path)
    state.patch(0, {"pins": ["a"]})
    state.close()
    with sqlite3.connect(tmp_path / "state.sqlite") as database:
        database.execute(f"UPDATE documents SET (version, body) = (SELECT * FROM (VALUES {row}))")
    database.close()
    assert state_of(tmp_path, tmp_path).read() == {"version": 0, **EMPTY}
    assert len(list(tmp_path.glob("state.sqlite.damaged-*"))) == 1


def test_while_another_program_locks_the_file_requests_are_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("seamark.serve.state_database.BUSY_SECS", 0.01)
    monkeypatch.setattr("seamark.serve.state_database.RETRY_SECS", 0.0)
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


def test_merging_removes_what_is_null_and_replaces_lists() -> None:
    assert merged({"a": {"b": 1, "c": 2}, "d": [1]}, {"a": {"b": None}, "d": [2]}) == {"a": {"c": 2}, "d": [2]}


def test_it_lies_in_the_data_directory_and_not_in_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert default_state_dir() == Path("/somewhere/seamark")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert default_state_dir() == Path.home() / ".local/share/seamark"


def test_a_new_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    state = State(tmp_path / "seamark", [])
    state.read()
    state.close()
    assert (tmp_path / "seamark").stat().st_mode & 0o777 == 0o700
