"""A real server on a real port: where it listens, what it sends, how it stops."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from seamark.serve import server
from seamark.write.append.event_file import EventFile

TIMEOUT_SECS = 60.0


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [
        sys.executable,
        "-m",
        "seamark",
        "--logdir",
        str(tmp_path / "runs"),
        "--port",
        "0",
        "--index_dir",
        "none",
        "--state_dir",
        "none",
        # No test runs for an hour: whatever is found was reported by file events.
        "--reload_interval",
        "3600",
    ]
    (tmp_path / "temporary").mkdir()
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield process, line[line.index("http://") :].split()[0]
    finally:
        process.kill()
        process.wait()


@pytest.mark.timed
def test_a_folder_that_does_not_exist_yet_is_served(serving: tuple[subprocess.Popen[str], str]) -> None:
    _, address = serving
    with urllib.request.urlopen(f"{address}api/progress", timeout=TIMEOUT_SECS) as answer:
        progress = json.load(answer)
    assert progress["roots"][0]["exists"] is False


@pytest.mark.timed
def test_an_appended_point_is_pushed(serving: tuple[subprocess.Popen[str], str], tmp_path: Path) -> None:
    _, address = serving
    with (
        EventFile(tmp_path / "runs" / "a") as file,
        urllib.request.urlopen(f"{address}api/events", timeout=TIMEOUT_SECS) as events,
    ):
        file.add_scalar("loss", 1.0, 0)
        file.flush()
        wait_for_tag(events, "loss")
        for step in range(1, 5):  # a walk of the new folder may find the first of them, not all
            file.add_scalar(f"later{step}", 1.0, step)
            file.flush()
            wait_for_tag(events, f"later{step}")


def wait_for_tag(events: Iterator[bytes], tag: str) -> None:
    """Reads events until a change names the tag or is a resync."""
    deadline = time.monotonic() + TIMEOUT_SECS
    for line in events:  # heartbeats keep coming
        assert time.monotonic() < deadline, f"no change names {tag}"
        if line.startswith(b"data: ") and b'"tags"' in line:
            change = json.loads(line[6:])
            if tag in change["tags"] or change["resync"]:
                return
    raise AssertionError("the events ended")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.timed
def test_ctrl_c_stops_while_a_page_is_connected(
    serving: tuple[subprocess.Popen[str], str], number: signal.Signals, tmp_path: Path
) -> None:
    process, address = serving
    upload = f"{address}api/dashboards/projector/upload?name=a.csv"
    with urllib.request.urlopen(upload, b"x0,x1,x2\n1,2,3\n", timeout=TIMEOUT_SECS):
        assert any((tmp_path / "temporary").rglob("upload.csv"))
    with urllib.request.urlopen(f"{address}api/events", timeout=TIMEOUT_SECS) as events:
        events.readline()
        process.send_signal(number)
        process.wait(TIMEOUT_SECS)  # the stream itself would never end
    assert process.returncode == 0
    assert not any((tmp_path / "temporary").iterdir())


def test_the_next_free_port_is_used_only_without_a_port(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        with pytest.raises(server.PortError, match=f"port {port} is taken"):
            server.listen("localhost", port)
        monkeypatch.setattr(server, "DEFAULT_PORT", port)
        with server.listen("localhost", None) as found:
            assert port < found.getsockname()[1] < port + server.PORTS_TRIED


def test_a_foreign_host_and_an_invalid_port_are_errors() -> None:
    with pytest.raises(server.PortError, match="cannot listen on"):
        server.listen("203.0.113.1", 0)
    with pytest.raises(server.PortError, match="cannot listen on"):
        server.listen("no.such.host.invalid", 0)
    with pytest.raises(server.PortError, match="0 to 65535"):
        server.listen("localhost", 70000)
