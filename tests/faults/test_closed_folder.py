"""A log directory without permissions for a while: its data stays, and following continues afterwards."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from . import logs
from .test_read_only_cache import unprivileged

PROGRAM = """
import json, os, sys
from pathlib import Path
from starlette.testclient import TestClient
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store

PATHS = ["/api/progress", "/api/problems", "/data/plugin/scalars/scalars?run=run&tag=loss"]

def serve(folder, paths):
    roots = [LogRoot("", folder)]
    with Store(roots, index_dir=None, reload_secs=0.1) as store:
        assert store.wait_loaded(60)
        client = TestClient(create_app(store, roots=roots), base_url="http://localhost", raise_server_exceptions=False)
        for path in paths:
            answer = client.get(path.strip())
            yield [answer.status_code, answer.text]

folder, user = Path(sys.argv[1]), int(sys.argv[2])
for _ in serve(folder, PATHS):  # what is imported late is imported now, while everything may still be read
    pass
import watchfiles
if user:
    os.setuid(user)
for answer in serve(folder, sys.stdin):
    print(json.dumps(answer), flush=True)
"""


class Server:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def get(self, path: str) -> tuple[int, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(path + "\n")
        self._process.stdin.flush()
        status, text = json.loads(self._process.stdout.readline())
        return status, json.loads(text)

    def steps(self) -> int:
        """How many points the run shows."""
        status, series = self.get("/data/plugin/scalars/scalars?run=run&tag=loss")
        return len(series) if status == 200 else 0

    def is_closed(self) -> bool:
        return "cannot be read" in str(self.get("/api/problems")[1])


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline, "it did not happen in time"


@contextmanager
def server_on(folder: Path) -> Iterator[Server]:
    program = [sys.executable, "-c", PROGRAM, str(folder), str(unprivileged() or 0)]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Server(process)
        process.communicate()


@pytest.mark.parametrize("closed", ["logs", "."], ids=["the log directory", "the folder above it"])
def test_a_log_directory_that_is_closed_for_a_while_is_followed_on(closed: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        above = Path(name) / "above"  # pytest's own folders are private
        path = logs.write(above / "logs", "run", logs.points("loss", 0, 3))
        for folder in (Path(name), above):
            folder.chmod(0o755)
        path.chmod(0o644)
        with server_on(above / "logs") as server:
            until(lambda: server.steps() == 3)
            (above / closed).chmod(0)
            until(server.is_closed)
            assert server.get("/api/progress")[0] == 200
            assert server.steps() == 3, "what was read stays"
            (above / closed).chmod(0o755)
            with path.open("ab") as file:
                file.write(logs.points("loss", 3, 2))
            until(lambda: server.steps() == 5)
            until(lambda: not server.is_closed())
