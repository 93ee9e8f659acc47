"""A removed folder or a full disk does not stop a training."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from . import training


def test_training_continues_after_the_folder_is_removed(tmp_path: Path) -> None:
    program = (
        training.WAITING
        + "import shutil\nshutil.rmtree(run.dir)\nfor _ in range(100): run.log({'a': 2.0})\nrun.alert('x')\nseamark.finish()\nprint('done')"
    )
    run, code, stderr = training.finished(tmp_path, program)
    assert code == 0, stderr
    assert stderr.count("(reported once)") <= 3, "one per thing that could not be written: events, console, run.json"
    # The events begin a new file in the same place, and run.json follows them there.
    assert run.record.status == "finished" and ("a", (100, 2.0)) in [
        (tag, points[-1]) for tag, points in training.scalars(run.folder).items()
    ]


@pytest.fixture
def small_disk(tmp_path: Path) -> Path:
    disk = tmp_path / "runs"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting a small file system takes root")
    return disk


def test_the_record_is_written_after_a_full_disk_has_space_again(tmp_path: Path, small_disk: Path) -> None:
    program = """
run = seamark.init(**options)
filler = open('runs/filler', 'wb', buffering=0)
try:
    while filler.write(b'x' * 4096): pass
except OSError: pass
print('full', flush=True)
for _ in range(300): run.log({'a': 1.0})
run.config.late = 'x' * 1000
run._recorder.write()
run._recorder.write()
filler.close()
os.remove('runs/filler')
print('room', flush=True)
"""
    try:
        run, code, stderr = training.finished(tmp_path, program)
        assert code == 0, stderr
        assert stderr.count("run.json cannot be written") == 1
        assert (run.record.status, run.record.config["late"]) == ("finished", "x" * 1000)
        assert not list(run.folder.glob(".run.json.*"))
    finally:
        subprocess.run(["umount", "--lazy", str(small_disk)], check=True)


def test_training_runs_on_a_disk_that_is_full_from_the_start(tmp_path: Path, small_disk: Path) -> None:
    program = """
filler = open('runs/filler', 'wb', buffering=0)
try:
    while filler.write(b'x' * 4096): pass
except OSError: pass
run = seamark.init(**options)
run.log({'a': 1.0})
run.finish()
"""
    try:
        _, code, stderr = training.finished(tmp_path, program)
        assert code == 0, stderr
        assert "(reported once)" in stderr
    finally:
        subprocess.run(["umount", "--lazy", str(small_disk)], check=True)
