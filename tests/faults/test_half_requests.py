"""Clients that send half a request do not block other clients."""

from __future__ import annotations

import contextlib
import resource
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tools.browser import announced_address

MAX_FILES = 200
HALF_REQUESTS = 260
BODY = b"%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"
# What the clients send in turn.
HALVES = [
    b"GET /api/runs HTTP/1.1\r\nHost: localhost\r\n",
    BODY % b"POST /api/table",
    BODY % b"POST /api/nowhere",
    BODY % b"GET /api/runs",  # which is answered without its body
    b"POST /api/table HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n \r\n",
]


def limit_files() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (MAX_FILES, MAX_FILES))


def is_answering(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@pytest.mark.timeout(180)
def test_more_half_requests_than_descriptors_do_not_stop_the_server(tmp_path: Path) -> None:
    options = ["--port", "0", "--index_dir", "none", "--state_dir", "none", str(tmp_path)]
    command = [sys.executable, "-m", "seamark", "serve", *options]
    log = tmp_path / "stderr"
    with log.open("wb") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, preexec_fn=limit_files)
    with contextlib.ExitStack() as open_sockets:
        open_sockets.callback(process.wait)
        open_sockets.callback(process.kill)
        address = announced_address(process.stdout, command)
        place = urlsplit(address)
        for at in range(HALF_REQUESTS):
            half = open_sockets.enter_context(socket.create_connection((place.hostname, place.port), timeout=30))
            half.sendall(HALVES[at % len(HALVES)])
        while not is_answering(f"{address}api/runs"):
            assert process.poll() is None, "the server ended"
            time.sleep(0.1)
        # Descriptors were left all the time, so that nothing failed.
        assert log.read_text() == ""
