"""No space for the index: everything is shown, the problem is reported, and the index recovers with space."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import logs
from .conftest import StoreForker


def write_logs(logdir: Path) -> None:
    """Writes about 300 kB of events in four runs: more than any limit in this file."""
    for number in range(4):
        data = logs.small_log(3).data + logs.points("loss", 3, 1500 * (number + 1))
        logs.write(logdir, f"run-{number}", data)


@pytest.mark.parametrize("file_bytes", [0, 100, 5_000, 40_000, 70_000])
def test_a_file_size_limit_moves_the_index_to_memory(
    tmp_path: Path, store_forker: StoreForker, file_bytes: int
) -> None:
    logdir, index_dir = tmp_path / "logs", tmp_path / "index"
    write_logs(logdir)
    wanted = logs.rebuilt(logdir)
    shown, problems = store_forker.child(logdir, index_dir, follow=False, file_bytes=file_bytes).result()
    assert shown == wanted
    assert [severity for severity, _ in problems] == ["warning"]
    assert "memory" in problems[0][1]
    assert logs.reopened(logdir, index_dir) == wanted


def test_a_disk_that_fills_up_after_the_index_was_built(tmp_path: Path, store_forker: StoreForker) -> None:
    logdir, index_dir = tmp_path / "logs", tmp_path / "index"
    path = logs.write(logdir, "run", logs.small_log(3).data)
    logs.open_store(logdir, index_dir).close()
    with path.open("ab") as file:
        file.write(logs.points("loss", 3, 20_000))
    wanted = logs.rebuilt(logdir)
    shown, problems = store_forker.child(logdir, index_dir, follow=False, file_bytes=10_000).result()
    assert shown == wanted
    assert [severity for severity, _ in problems] == ["warning"]
    assert logs.reopened(logdir, index_dir) == wanted


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mounts a file system of 128 kB; skips the test where that is not allowed."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting a small file system takes root")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_a_full_disk_moves_the_index_to_memory(tmp_path: Path, store_forker: StoreForker, small_disk: Path) -> None:
    logdir = tmp_path / "logs"
    write_logs(logdir)
    shown, problems = store_forker.child(logdir, small_disk / "index", follow=False).result()
    assert shown == logs.rebuilt(logdir)
    assert [severity for severity, _ in problems] == ["warning"]
    subprocess.run(["mount", "-o", "remount,size=8m", str(small_disk)], check=True)
    assert logs.reopened(logdir, small_disk / "index") == logs.rebuilt(logdir)
