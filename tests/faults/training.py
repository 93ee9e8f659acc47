"""Starts small programs that call seamark.init as processes, and reads the runs that they write."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seamark import liveness
from seamark.format import run_record
from seamark.format.run_record import RunRecord

HEAD = """
import os, signal, sys, threading, time
# The tests may run with these signals ignored, as background jobs of a script do.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
import seamark
options = dict(id="abc", name="run", system_metrics_secs=0, git=False, quiet=True)
"""

# Starts a run, logs a point and writes half a line.
WAITING = "run = seamark.init(**options)\nrun.log({'a': 1.0})\nprint('half a line', end='')\nrun.writer.flush()\n"


@dataclass
class Training:
    process: subprocess.Popen[str]
    folder: Path

    def wait_for(self, word: str) -> None:
        """Waits until the program has printed `word` on a line."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.strip() == word:
                return
        raise AssertionError(f"the program ended without printing '{word}'")

    def ends(self, *, timeout_secs: float = 120) -> tuple[int, str]:
        """Waits for the process; returns its exit code and stderr."""
        _, stderr = self.process.communicate(timeout=timeout_secs)
        return self.process.returncode, stderr

    @property
    def record(self) -> RunRecord:
        return run_record.loads((self.folder / run_record.FILE_NAME).read_text())

    @property
    def status(self) -> str:
        record = self.record
        return liveness.status_of(record, now=record.heartbeat_at)

    def console(self) -> str:
        return (self.folder / "console.log").read_text()


def start(folder: Path, program: str, *, wait: bool = False, **environment: str) -> Training:
    """With `wait`, the program's stdin stays open until ends() is called."""
    variables: dict[str, Any] = {**os.environ, **environment}
    process = subprocess.Popen(
        [sys.executable, "-c", HEAD + program],
        cwd=folder,
        env=variables,
        stdin=subprocess.PIPE if wait else None,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    return Training(process, folder / "runs" / "run")


def finished(folder: Path, program: str, **environment: str) -> tuple[Training, int, str]:
    training = start(folder, program, **environment)
    code, stderr = training.ends()
    return training, code, stderr


def scalars(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """The points of a run by tag, from all its files in order."""
    from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
    from tensorboard.compat.proto.event_pb2 import Event

    found: dict[str, list[tuple[int, float]]] = {}
    for path in sorted(folder.glob("*tfevents*")):
        for data in RawEventFileLoader(str(path)).Load():
            event = Event.FromString(data)
            for value in event.summary.value:
                if value.HasField("simple_value"):
                    found.setdefault(value.tag, []).append((event.step, value.simple_value))
    return found
