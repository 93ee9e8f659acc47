"""A fixture that forks processes with a store, to be killed, limited or run at the same time."""

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
    """A process with a store. Its pipe reaches its end when the process ends."""

    pid: int
    pipe: BinaryIO

    def survives(self, secs: float) -> bool:
        """Waits; returns False as soon as the process has ended by itself."""
        return not select.select([self.pipe], [], [], secs)[0]

    def kill(self) -> None:
        """Sends SIGKILL and waits until the process has ended."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        self.pipe.read()
        self.pipe.close()

    def result(self) -> tuple[Dump, list[tuple[str, str]]]:
        """Returns everything the store shows, and its problems as (severity, message)."""
        result = self.pipe.read()
        self.pipe.close()
        assert result, "the child ended without a result"
        dump, problems = pickle.loads(result)
        return dump, problems


class StoreForker:
    """Starts children; store_forker.py is their program."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        program = [sys.executable, str(Path(__file__).with_name("store_forker.py"))]
        self._process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._children: list[Child] = []

    def child(
        self, logdir: Path, index_dir: Path, *, follow: bool, file_bytes: int | None = None, user: int | None = None
    ) -> Child:
        pipe = self._folder / f"pipe-{len(self._children)}"
        os.mkfifo(pipe)
        task = {"pipe": str(pipe), "logdir": str(logdir), "index_dir": str(index_dir), "follow": follow}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({**task, "file_bytes": file_bytes, "user": user}) + "\n")
        self._process.stdin.flush()
        pid = int(self._process.stdout.readline())
        child = Child(pid, pipe.open("rb"))
        self._children.append(child)
        return child

    def close(self) -> None:
        """Ends all children, including those of failed tests."""
        for child in self._children:
            if not child.pipe.closed:
                child.kill()
        self._process.communicate()


@pytest.fixture(scope="session")
def store_forker() -> Iterator[StoreForker]:
    with tempfile.TemporaryDirectory() as folder:
        store_forker = StoreForker(Path(folder))
        yield store_forker
        store_forker.close()
