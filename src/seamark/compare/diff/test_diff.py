"""Diffs of runs with and without run.json."""

from __future__ import annotations

import math
import socket
from pathlib import Path

import numpy as np
import pytest

from seamark.compare.diff.difference import UnknownRunError, difference_of, record_of
from seamark.compare.diff.metric_diff import metric_rows, tags_to_compare
from seamark.compare.diff.sections import RunFacts, changed_only, options_of, read_git_diff, sections_of, state_of
from seamark.compare.run_view import run_view
from seamark.compare.test_support import BEGAN, cells, log_run, matching, table_of, write_record
from seamark.format.run_record import Git, Gpu, Host, Python, RunRecord
from seamark.format.types import Tag
from seamark.write.append.event_file import EventFile


def rows(runs: list[RunFacts], section: str) -> dict[str, tuple[list[object], str]]:
    found = next((part for part in sections_of(runs) if part.name == section), None)
    return {row.key: (list(row.values), row.state) for row in found.rows} if found else {}


def test_keys_are_the_same_changed_added_or_removed_as_seen_from_the_first_run() -> None:
    one = RunFacts("a", params={"lr": 0.1, "layers": 3, "clip": 1.0, "seed": 0})
    other = RunFacts("b", params={"lr": 0.2, "layers": 3, "ema": 0.99, "seed": 0})
    assert rows([one, other], "config") == {
        "lr": ([0.1, 0.2], "changed"),
        "layers": ([3, 3], "same"),
        "clip": ([1.0, None], "removed"),
        "seed": ([0, 0], "same"),
        "ema": ([None, 0.99], "added"),
    }


def test_of_three_runs_one_that_differs_is_enough() -> None:
    assert state_of([1, 1, 2]) == "changed"
    assert state_of([1, None, 1]) == "removed"
    assert state_of([None, 1, None]) == "added"


def test_true_is_not_one_but_one_is_one_and_nan_is_nan() -> None:
    assert state_of([True, 1]) == "changed"
    assert state_of([1, 1.0]) == "same"
    assert state_of([math.nan, math.nan]) == "same"
    assert state_of(["1", 1]) == "changed"


def test_options_of_a_command_line_are_read_one_by_one() -> None:
    command = ("train.py", "--lr", "0.1", "--amp", "--wd=-1e-4", "-v", "--shift", "-3", "model.depth=4", "data")
    assert options_of(command) == {
        "--lr": "0.1", "--amp": "true", "--wd": "-1e-4", "-v": "true", "--shift": "-3", "model.depth": "4",
    }  # fmt: skip


def test_command_code_packages_environment_and_hardware_have_sections() -> None:
    def record(commit: str, torch: str, gpus: int) -> RunRecord:
        return RunRecord(
            command=("python", "train.py", "--lr", "0.1"), python=Python(version="3.12.4"), packages={"torch": torch},
            environment={"OMP_NUM_THREADS": "4"}, host=Host(name="trainer", cpu_count=8, memory_bytes=64 << 30),
            gpus=(Gpu("A100", 80 << 30, "560"),) * gpus, git=Git(commit=commit, branch="main", dirty=True),
            status="finished", started_at=10.0, ended_at=25.0,
        )  # fmt: skip

    runs = [
        RunFacts(
            "a",
            record("aaa", "2.5", 1),
            git_diff="diff --git a/x b/x\n--- a/x\n+++ b/x\n-1\n+2\n+3\n",
            duration_secs=15.04,
        ),
        RunFacts("b", record("bbb", "2.6", 2), duration_secs=15.0),
    ]

    assert rows(runs, "command")["--lr"] == (["0.1", "0.1"], "same")
    assert rows(runs, "code")["commit"] == (["aaa", "bbb"], "changed")
    (changes, none), state = rows(runs, "code")["uncommitted changes"]
    assert str(changes).startswith("1 file, +2 −1 (") and none is None and state == "removed"
    assert rows(runs, "packages") == {"python": (["3.12.4"] * 2, "same"), "torch": (["2.5", "2.6"], "changed")}
    assert rows(runs, "environment") == {"OMP_NUM_THREADS": (["4", "4"], "same")}
    assert rows(runs, "hardware")["gpus"] == (["1 × A100", "2 × A100"], "changed")
    assert rows(runs, "hardware")["memory"] == (["64.0 GB"] * 2, "same")
    assert rows(runs, "run")["seconds"] == ([15.0, 15.0], "same")
    assert [part.name for part in changed_only(sections_of(runs))] == ["code", "packages", "hardware"]


def test_summary_values_that_are_no_series_have_a_section(tmp_path: Path) -> None:
    for name, note in (("a", "good"), ("b", "<script>")):
        log_run(tmp_path / name, loss=[1.0])
        write_record(tmp_path / name, summary={"loss": 1.0, "note": note, "nested": {"f1": float(len(note))}})
    with table_of(tmp_path) as table:
        result = difference_of(table, ["a", "b"])
    summary = next(part for part in result.sections if part.name == "summary")
    assert [(row.key, row.values) for row in summary.rows] == [
        ("nested.f1", [4.0, 8.0]),
        ("note", ["good", "<script>"]),
    ]
    assert [part.name for part in result.changed()] == ["summary"] and result.as_dict()["runs"] == ["a", "b"]


def test_status_step_and_duration_are_those_of_the_table(tmp_path: Path) -> None:
    """A killed process leaves a run.json that says "running" and is behind the events."""
    writer = {"session": "s", "host": socket.gethostname(), "pid": 1, "machine": "another-boot pid:[1]"}
    for name in ("a", "b"):
        log_run(tmp_path / name, loss=[1.0] * 30, system__cpu=[1.0] * 90)
        write_record(
            tmp_path / name, status="running", last_step=3, started_at=BEGAN, heartbeat_at=BEGAN + 80, writer=writer
        )
    with table_of(tmp_path) as table:
        found = difference_of(table, ["a", "b"])
        view = run_view(table.store, table.records[0])
        assert cells(table, "run:last_step") == {"a": 29, "b": 29}
        assert matching(table, "last_step > 20") == ["a", "b"]
    run = {row.key: row.values[0] for part in found.sections if part.name == "run" for row in part.rows}
    assert run == {"status": "killed", "last step": 29, "seconds": 89.0}
    assert (view["status"], view["last_step"], view["duration"]) == ("killed", 29, 89.0)


def test_runs_without_run_json_have_no_sections() -> None:
    assert sections_of([RunFacts("a"), RunFacts("b")]) == []


def test_a_diff_file_outside_the_run_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("key")
    run = tmp_path / "run"
    run.mkdir()
    (run / "diff.patch").write_text("diff --git")
    (run / "link.patch").symlink_to(tmp_path / "secret")
    assert read_git_diff(run, RunRecord(git=Git(diff_file="diff.patch"))) == "diff --git"
    for hostile in ("../secret", str(tmp_path / "secret"), "link.patch", "gone", "\0", ""):
        assert read_git_diff(run, RunRecord(git=Git(diff_file=hostile))) is None
    assert read_git_diff(run, None) is None


def test_metrics_stand_beside_each_other_with_their_best_and_where_they_part(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    for run, shift in (("a", 0.0), ("b", 1.0), ("c", 0.0)):
        with EventFile(tmp_path / run) as file:
            for step in range(200):
                apart = shift if step >= 120 else 0.0
                file.add_scalar("val/loss", 1 + apart + 0.01 * rng.normal(), step, wall_time=1.0 + step)
                file.add_scalar("system/cpu/use_percent", 50.0, step, wall_time=1.0 + step)
            file.add_scalar("only/nan", math.nan, 0, wall_time=300.0)
            if run == "a":
                file.add_scalar("lonely", 7.0, 3, wall_time=300.0)
    with table_of(tmp_path) as table:
        runs = [record_of(table, name) for name in "abc"]
        tags, left_out = tags_to_compare(runs)
        assert (tags, left_out) == (["lonely", "only/nan", "val/loss"], 0)
        assert tags_to_compare(runs, most=2) == (["only/nan", "val/loss"], 1)
        found = {row.tag: row for row in metric_rows(table.store, runs, [*tags, Tag("gone")])}

    assert "gone" not in found
    loss = found["val/loss"]
    assert loss.goal == "min" and loss.final_step == [199] * 3
    assert [
        value is not None and abs(value - want) < 0.1 for value, want in zip(loss.final, [1, 2, 1], strict=True)
    ] == [True] * 3
    assert loss.best_step[1] is not None and loss.best_step[1] < 120
    assert loss.divergence is not None and loss.divergence.run == "b" and abs(loss.divergence.step - 120) <= 1
    assert loss.divergences == [None, loss.divergence, None] and loss.note == ""
    # Nobody says whether less or more of it is better.
    assert not found["lonely"].is_result and found["lonely"].best == found["lonely"].best_step == [None] * 3
    assert found["lonely"].final == [7.0, None, None] and found["lonely"].note == "not every run has this metric"
    assert found["only/nan"].best == [None] * 3


def test_runs_of_a_table_are_compared_by_name_and_a_merged_one_counts_for_its_parent(tmp_path: Path) -> None:
    log_run(tmp_path / "a", loss=[3.0, 2.0])
    log_run(tmp_path / "a" / "1700000000.5", {"lr": 0.1}, accuracy=[0.5])
    log_run(tmp_path / "b", {"lr": 0.2}, loss=[3.0, 1.0], accuracy=[0.7])
    with table_of(tmp_path) as table:
        result = difference_of(table, ["a/1700000000.5", "b"])
        with pytest.raises(UnknownRunError, match="no run 'c'"):
            difference_of(table, ["a", "c"])
    assert result.runs == ["a", "b"]
    assert [(row.key, row.values, row.state) for row in result.sections[0].rows] == [("lr", [0.1, 0.2], "changed")]
    assert {row.tag: row.final for row in result.metrics} == {"accuracy": [0.5, pytest.approx(0.7)], "loss": [2.0, 1.0]}
