"""A run recorded as running is running only while its process lives."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest

from seamark import liveness
from seamark.format.run_record import RunRecord, Writer


def running_on_this_machine(pid: int, start: str | None = None) -> RunRecord:
    writer = Writer("s", socket.gethostname(), pid, liveness.this_machine(), start or liveness.process_start(pid))
    return RunRecord(writer=writer, heartbeat_at=1000.0)


needs_proc = pytest.mark.skipif(not liveness.this_machine(), reason="without /proc heartbeats decide")


@needs_proc
def test_a_live_process_is_running_with_an_old_heartbeat() -> None:
    assert liveness.status_of(running_on_this_machine(os.getpid()), now=1e9) == "running"


@needs_proc
def test_a_dead_process_was_killed_despite_a_recent_heartbeat() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    record = running_on_this_machine(child.pid)
    assert liveness.status_of(record, now=1000.0) == "running"
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert liveness.status_of(record, now=1000.0) == "killed", "a zombie is dead"
    child.communicate()
    assert liveness.status_of(record, now=1000.0) == "killed"


@needs_proc
def test_a_later_process_with_the_same_pid_is_not_the_writer() -> None:
    assert liveness.status_of(running_on_this_machine(os.getpid(), "1"), now=1000.0) == "killed"


@needs_proc
def test_after_a_reboot_the_process_is_dead() -> None:
    record = running_on_this_machine(os.getpid())
    record.writer.machine = "0000 " + record.writer.machine.partition(" ")[2]
    assert liveness.status_of(record, now=1000.0) == "killed"


@pytest.mark.parametrize(("age_secs", "status"), [(0, "running"), (60, "running"), (61, "lost")])
def test_on_another_machine_the_heartbeat_decides(age_secs: float, status: str) -> None:
    record = RunRecord(writer=Writer("s", "far-away", os.getpid(), "boot ns", "1"), heartbeat_at=1000.0)
    assert liveness.status_of(record, now=1000.0 + age_secs) == status
    record.status = "finished"
    assert liveness.status_of(record, now=1e9) == "finished"
