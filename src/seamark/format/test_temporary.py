"""Temporary folders end with their process, however it ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from seamark.format.temporary import make_temporary_folder, remove_left_folders

KILLED = """
import os, signal
from seamark.format.temporary import make_temporary_folder
folder = make_temporary_folder("test")
open(f"{folder.name}/file", "w").close()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_the_folder_of_a_killed_process_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    subprocess.run([sys.executable, "-c", KILLED], env={"TMPDIR": str(tmp_path)}, check=False)
    (left,) = tmp_path.iterdir()
    own = Path(make_temporary_folder("test").name)
    kept = make_temporary_folder("test")
    foreign = tmp_path / "other-tmp-1"
    foreign.mkdir()
    remove_left_folders(tmp_path)
    assert not left.exists() and not own.exists()  # nothing refers to its own first folder any more
    assert set(tmp_path.iterdir()) == {Path(kept.name), foreign}
