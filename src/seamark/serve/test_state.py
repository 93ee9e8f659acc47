"""What people decide about their runs survives, and two who decide at once find out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from seamark.serve.state import BadStateError, State, WrongVersionError, default_state_dir, merged
from seamark.store import LogRoot


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


def test_a_damaged_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "state.sqlite").write_bytes(b"not a database at all" * 100)
    state = state_of(tmp_path, tmp_path)
    assert state.read()["version"] == 0
    assert "not kept" in state.problem


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
