"""A run's mirror in the real Aim: what was logged, how it ended, and what is made good when it could not say."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import seamark
from seamark.write.run.mirror import mirror as mirror_module

pytest.importorskip("aim", reason="run it with `make test-integrations`")

from seamark.porting.source import SourceRun

QUIET: dict[str, Any] = {"console": False, "system_metrics_secs": 0, "git": False, "quiet": True}
KILLED = """
import os, signal, sys, time
import seamark
from seamark.write.run.mirror.aim_mirror import note_in
run = seamark.init("moons", name="first", config={"lr": 0.5}, mirror="aim:repo", resume="allow",
                   console=False, system_metrics_secs=0, git=False, quiet=True)
for step in range(3):
    run.log({"loss": 1 / (step + 1)})
while not run._mirror._waiting.empty() or note_in(run.dir) is None:
    time.sleep(0.05)
run.writer.flush()
os.kill(os.getpid(), getattr(signal, sys.argv[1]))
time.sleep(60)
"""


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # Aim needs its time to load on a busy machine.
    monkeypatch.setattr(mirror_module, "FINISH_SECS", 300.0)


def in_aim() -> dict[str, SourceRun]:
    """By a process of its own: Aim keeps in memory what it has once seen of a repository."""
    program = (
        "import pickle, sys; from pathlib import Path; from seamark.porting import aim;"
        "sys.stdout.buffer.write(pickle.dumps(list(aim.runs(Path('repo'), lambda done, total: None))))"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True)
    assert ended.returncode == 0, ended.stderr.decode()
    return {run.name: run for run in pickle.loads(ended.stdout)}


def kill_a_training(how: str) -> None:
    ended = subprocess.run([sys.executable, "-c", KILLED, how], capture_output=True, text=True)
    assert ended.returncode == -getattr(signal, how), ended.stderr


def test_scalars_parameters_and_the_end_are_in_aim() -> None:
    with seamark.init(
        "moons",
        name="first",
        config={"lr": 0.5, "model": {"depth": 3}},
        mirror="aim:repo",
        **QUIET,
    ) as run:
        for step in range(3):
            run.log({"train/loss": 1 / (step + 3)})
    [(name, found)] = in_aim().items()
    assert (name, found.params) == ("moons/first", {"lr": 0.5, "model": {"depth": 3}, "status": "finished"})
    points = found.scalars["train/loss"]
    assert points.steps.tolist() == [0, 1, 2] and points.values.tolist() == [1 / 3, 1 / 4, 1 / 5]


def test_a_run_ended_by_a_signal_tells_aim_itself() -> None:
    kill_a_training("SIGTERM")
    assert in_aim()["moons/first"].params["status"] == "killed"


def test_a_run_that_was_killed_outright_is_reported_by_the_next_one() -> None:
    kill_a_training("SIGKILL")
    assert in_aim()["moons/first"].params["status"] == "running"
    seamark.init("moons", name="second", mirror="aim:repo", **QUIET).finish()
    found = in_aim()
    assert {name: run.params["status"] for name, run in found.items()} == {
        "moons/first": "killed",
        "moons/second": "finished",
    }
    assert found["moons/first"].scalars["loss"].steps.tolist() == [0, 1, 2]


def test_a_resumed_run_goes_on_in_the_same_run_of_aims() -> None:
    kill_a_training("SIGKILL")
    run = seamark.init("moons", name="first", mirror="aim:repo", resume="must", **QUIET)
    assert run.step == 3
    run.log({"loss": 0.125})
    run.finish()
    [found] = in_aim().values()
    assert found.params["status"] == "finished"
    assert found.scalars["loss"].steps.tolist() == [0, 1, 2, 3]
