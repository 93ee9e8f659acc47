"""The fixture that starts processes which index, so that they can be killed, starved and raced."""

from __future__ import annotations

import json
import os
import pickle
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import pytest

from .logs import Dump


@dataclass
class Child:
    """A process with a store. Its line reads as ended when it has, so nobody has to poll."""

    pid: int
    line: BinaryIO

    def lives_on(self, secs: float) -> bool:
        """Watches the child for a while; False as soon as it has ended by itself."""
        return not select.select([self.line], [], [], secs)[0]

    def kill(self) -> None:
        """SIGKILL, and back only when the process is gone."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        self.line.read()
        self.line.close()

    def answer(self) -> tuple[Dump, list[tuple[str, str]]]:
        """Everything the store shows, and its problems as (severity, message)."""
        said = self.line.read()
        self.line.close()
        assert said, "the child ended without an answer"
        dump, problems = pickle.loads(said)
        return dump, problems


class Nursery:
    """Starts children; see nursery.py for what they do."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        program = [sys.executable, str(Path(__file__).with_name("nursery.py"))]
        self._process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._children: list[Child] = []

    def child(
        self, logdir: Path, index_dir: Path, *, follow: bool, file_bytes: int | None = None, user: int | None = None
    ) -> Child:
        line = self._folder / f"line-{len(self._children)}"
        os.mkfifo(line)
        task = {"line": str(line), "logdir": str(logdir), "index_dir": str(index_dir), "follow": follow}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({**task, "file_bytes": file_bytes, "user": user}) + "\n")
        self._process.stdin.flush()
        pid = int(self._process.stdout.readline())
        child = Child(pid, line.open("rb"))
        self._children.append(child)
        return child

    def close(self) -> None:
        """Ends everything, also what a failed test left behind."""
        for child in self._children:
            if not child.line.closed:
                child.kill()
        self._process.communicate()


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    with tempfile.TemporaryDirectory() as folder:
        nursery = Nursery(Path(folder))
        yield nursery
        nursery.close()
