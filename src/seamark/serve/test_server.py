"""A real server on a real port: where it listens, what it sends, how it stops."""

from __future__ import annotations

import json
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
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield process, line[line.index("http://") :].split()[0]
    finally:
        process.kill()
        process.wait()


def test_a_folder_that_does_not_exist_yet_is_served(serving: tuple[subprocess.Popen[str], str]) -> None:
    _, address = serving
    with urllib.request.urlopen(f"{address}api/progress", timeout=10) as answer:
        progress = json.load(answer)
    assert progress["roots"][0]["exists"] is False


def test_an_appended_point_is_pushed_within_a_second(
    serving: tuple[subprocess.Popen[str], str], tmp_path: Path
) -> None:
    _, address = serving
    with (
        EventFile(tmp_path / "runs" / "a") as file,
        urllib.request.urlopen(f"{address}api/events", timeout=10) as events,
    ):
        file.add_scalar("loss", 1.0, 0)
        file.flush()
        wait_for_tag(events, "loss")
        file.add_scalar("later", 1.0, 1)
        file.flush()
        begun = time.monotonic()
        wait_for_tag(events, "later")
        assert time.monotonic() - begun < 4.0  # pushed, not found by the next look after five seconds


def wait_for_tag(events: Iterator[bytes], tag: str) -> None:
    """Reads events until a change names the tag or is a resync."""
    for line in events:
        if line.startswith(b"data: ") and b'"tags"' in line:
            change = json.loads(line[6:])
            if tag in change["tags"] or change["resync"]:
                return
    raise AssertionError("the events ended")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_stops_at_once_while_a_page_is_connected(
    serving: tuple[subprocess.Popen[str], str], number: signal.Signals
) -> None:
    process, address = serving
    with urllib.request.urlopen(f"{address}api/events", timeout=10) as events:
        events.readline()
        begun = time.monotonic()
        process.send_signal(number)
        process.wait(timeout=10)
        assert time.monotonic() - begun < 8.0  # the stream itself would never end
    assert process.returncode in (0, -number)


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
