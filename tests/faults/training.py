"""Small programs that train with seamark.init, each run as a process of its own, and what they leave behind."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seamark.format import liveness, run_record
from seamark.format.run_record import RunRecord

HEAD = """
import os, signal, sys, threading, time
# Whoever runs the tests may be deaf to these, as a job in the background of a script is.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
import seamark
options = dict(id="abc", name="run", system_metrics_secs=0, git=False, quiet=True)
"""


@dataclass
class Training:
    process: subprocess.Popen[str]
    folder: Path

    def wait_for(self, word: str) -> None:
        """Until the program has said so."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.strip() == word:
                return
        raise AssertionError(f"the program ended without saying '{word}'")

    def ends(self, *, timeout_secs: float = 120) -> tuple[int, str]:
        """Exit code and stderr."""
        _, said = self.process.communicate(timeout=timeout_secs)
        return self.process.returncode, said

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
    code, said = training.ends()
    return training, code, said


def scalars(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """Points by tag, of all files of the run in order."""
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
