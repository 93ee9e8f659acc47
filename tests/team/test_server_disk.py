"""The disk of the server is full: uploads get a clear error, nothing is half stored, and they go on with space."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from seamark.upload.connection import Connection
from seamark.upload.destination import Destination
from seamark.upload.errors import UploadError
from seamark.upload.local_runs import find_runs
from seamark.upload.pusher import Pusher
from tools.team_folder import PROJECT

from .upload_server import served_team

CHUNK = 200_000


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mounts a file system of 2 MB; skips the test where that is not allowed."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting a small file system takes root")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_a_full_disk_rejects_uploads_and_loses_nothing(tmp_path: Path, small_disk: Path) -> None:
    events = tmp_path / "logs/run/events.out.tfevents.1"
    events.parent.mkdir(parents=True)
    events.write_bytes(b"")
    with served_team(small_disk / "team") as server:
        connection = Connection(Destination(server.url, PROJECT, server.tokens.writer))
        pusher = Pusher(connection, lambda: find_runs(tmp_path / "logs"))
        with pytest.raises(UploadError) as error:
            for number in range(20):
                with events.open("ab") as file:
                    file.write(bytes([number]) * CHUNK)
                pusher.push()
        assert error.value.is_temporary
        assert error.value.status == 503
        assert "the disk of the server is full" in str(error.value)
        assert error.value.retry_after_secs > 0
        stored = (server.logs / "run/events.out.tfevents.1").read_bytes()
        assert stored == events.read_bytes()[: len(stored)]
        subprocess.run(["mount", "-o", "remount,size=32m", str(small_disk)], check=True)
        pusher.push()
        assert (server.logs / "run/events.out.tfevents.1").read_bytes() == events.read_bytes()
        assert pusher.unsent() == []
