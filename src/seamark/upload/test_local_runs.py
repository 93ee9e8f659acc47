"""Which folders are runs, and which files belong to them."""

from __future__ import annotations

import os
from pathlib import Path

from seamark.upload.local_runs import Skipped, find_runs


def touch(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_a_file_belongs_to_the_nearest_run_above_it(tmp_path: Path) -> None:
    touch(tmp_path / "exp/run.json", tmp_path / "exp/artifacts/a.bin", tmp_path / "exp/train/events.out.tfevents.1")
    touch(tmp_path / "exp/train/plugins/profile/x", tmp_path / "notes.txt", tmp_path / ".trash/old/run.json")
    found = {run.name: run.files for run in find_runs(tmp_path)}
    assert found == {
        "exp": ("run.json", "artifacts/a.bin"),
        "exp/train": ("events.out.tfevents.1", "plugins/profile/x"),
    }


def test_a_log_directory_that_is_a_run_gives_its_name(tmp_path: Path) -> None:
    touch(tmp_path / "exp/events.out.tfevents.1", tmp_path / "exp/eval/events.out.tfevents.2")
    assert [run.name for run in find_runs(tmp_path / "exp")] == ["exp", "exp/eval"]
    assert [run.name for run in find_runs(tmp_path / "exp", root_name="other")] == ["other", "other/eval"]


def test_what_a_server_does_not_take_is_named(tmp_path: Path) -> None:
    touch(tmp_path / "run/events.out.tfevents.1", tmp_path / "run/a\nb")
    os.mkfifo(tmp_path / "run/pipe")
    skipped: list[Skipped] = []
    (run,) = find_runs(tmp_path, skip=skipped.append)
    assert run.files == ("events.out.tfevents.1",)
    assert [each.path.name for each in skipped] == ["a\nb"]
