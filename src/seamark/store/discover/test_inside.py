"""Tests of opening files inside a run's folder only."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from seamark.store.discover.inside import OutsideError, open_inside
from seamark.store.discover.roots import LogRoot


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "logs" / "run"
    folder.mkdir(parents=True)
    (folder / "config.yaml").write_text("lr: 1")
    (folder / "deep").mkdir()
    (folder / "deep" / "x.txt").write_text("deep")
    (tmp_path / "logs" / "base.yaml").write_text("base")
    (tmp_path / "secret.yaml").write_text("password: x")
    return folder


def read(folder: Path, relative: str, *log_dirs: Path) -> str:
    with open_inside(folder, relative, roots=[LogRoot("", path) for path in log_dirs]) as file:
        return file.read().decode()


def test_files_of_the_folder_and_links_that_stay_inside_are_read(run: Path) -> None:
    (run / "link.txt").symlink_to("deep/x.txt")
    (run / "down").symlink_to("deep")
    (run / "base.yaml").symlink_to("../base.yaml")
    assert read(run, "config.yaml") == "lr: 1"
    assert read(run, "deep/x.txt") == read(run, "link.txt") == read(run, "down/x.txt") == "deep"
    assert read(run, "base.yaml", run.parent) == "base"
    with pytest.raises(OutsideError):
        read(run, "base.yaml")


def test_a_run_folder_or_log_directory_that_is_a_link_is_read(run: Path, tmp_path: Path) -> None:
    (tmp_path / "linked").symlink_to(run)
    (run / "base.yaml").symlink_to("../base.yaml")
    (tmp_path / "linked_logs").symlink_to(run.parent)
    assert read(tmp_path / "linked", "config.yaml") == "lr: 1"
    assert read(tmp_path / "linked_logs" / "run", "base.yaml", tmp_path / "linked_logs") == "base"


def descriptors() -> int:
    """Returns the number of open descriptors, on systems that list them."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir()) if Path("/proc/self/fd").is_dir() else 0


@pytest.mark.parametrize("target", ["../../secret.yaml", "/etc/passwd", "/dev/zero", "middle"])
def test_links_that_lead_outside_are_rejected(run: Path, target: str) -> None:
    (run / "middle").symlink_to("../../secret.yaml")
    (run / "link").symlink_to(target)
    (run / "hydra").symlink_to("../..")
    with pytest.raises(OutsideError, match="leads out"):
        read(run, "link", run.parent)
    with pytest.raises(OutsideError, match="leads out"):
        read(run, "hydra/secret.yaml", run.parent)


@pytest.mark.parametrize(
    "path", ["", "..", "../base.yaml", "deep/../config.yaml", "/etc/passwd", "a\0b", "deep//x.txt"]
)
def test_invalid_paths_are_rejected(run: Path, path: str) -> None:
    with pytest.raises(OutsideError):
        read(run, path, run.parent)


def test_pipes_folders_loops_and_missing_files_are_errors_without_open_descriptors(run: Path) -> None:
    os.mkfifo(run / "pipe")
    (run / "loop").symlink_to("loop")
    before = descriptors()
    for name in ("pipe", "deep", "missing", "config.yaml/x", "loop"):
        with pytest.raises((OSError, OutsideError)):
            read(run, name)
    assert descriptors() == before
