"""run.json is read as it was written, and read at all when somebody else wrote it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys

import pytest

from seamark.format import liveness
from seamark.format.run_record import (
    Alert,
    Failure,
    Git,
    Gpu,
    Metric,
    Objective,
    RunRecord,
    RunRecordError,
    Session,
    Writer,
    dumps,
    loads,
)


def full_record() -> RunRecord:
    return RunRecord(
        id="k3v9x2aa",
        name="Größe <script>🙂",
        project="moons",
        tags=("a", "b"),
        status="crashed",
        started_at=1700000000.5,
        ended_at=1700000100.0,
        error=Failure("ValueError", "no", "Traceback …"),
        last_step=7,
        config={"optimizer": {"lr": 0.1}, "layers": [1, 2]},
        summary={"loss": 0.5},
        metrics=(Metric("val/*", step_metric="epoch", summary="min"),),
        objectives=(Objective("val/loss", "minimize"),),
        alerts=(Alert(1.0, "low", "very", "warn", 3),),
        sessions=(Session(started_at=1.0, status="killed", pid=4, command=("python", "a.py")),),
        writer=Writer("s", "host", 4, "boot ns", "99"),
        gpus=(Gpu("A100", 80, "550"),),
        git=Git("abc", "main", "https://example.org/r.git", dirty=True),
        packages={"numpy": "2.0"},
    )


def test_a_record_comes_back_as_it_was_written() -> None:
    assert loads(dumps(full_record())) == full_record()


@pytest.mark.parametrize("status", ["pruned", "failed"])
def test_a_trial_may_end_without_a_result(status: str) -> None:
    assert loads(dumps(RunRecord(status=status, ended_at=2.0))).status == status


def test_non_finite_numbers_are_strings() -> None:
    text = dumps(RunRecord(summary={"a": float("nan"), "b": [float("inf"), -float("inf")]}))
    assert json.loads(text)["summary"] == {"a": "NaN", "b": ["Infinity", "-Infinity"]}


def test_what_a_newer_version_wrote_is_kept() -> None:
    content = json.loads(dumps(full_record())) | {"version": 9, "mood": {"now": "calm"}}
    again = json.loads(dumps(loads(json.dumps(content))))
    assert again == content


def test_malformed_fields_take_their_defaults_and_the_rest_is_read() -> None:
    wrong = {
        "schema": "seamark.run", "id": 7, "name": "kept", "tags": ["a", 1, "b"], "alerts": [{"title": "x", "at": "soon"}, 3],
        "git": "none", "status": "dancing", "started_at": True, "last_step": 3.0, "error": [], "packages": {"a": 1},
        "heartbeat_at": 1e400, "writer": {"pid": "4"},
    }  # fmt: skip
    record = loads(json.dumps(wrong))
    assert (record.id, record.name, record.tags) == ("", "kept", ("a", "b"))
    assert record.alerts == (Alert(title="x"),)
    assert (record.git, record.error, record.packages, record.writer) == (None, None, {}, Writer())
    assert (record.status, record.started_at, record.last_step) == ("running", 0.0, 3)


@pytest.mark.parametrize("text", ["", "[]", "{", "null", '{"name": "x"}', '{"schema": "other"}', "[" * 100_000])
def test_what_is_no_record_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(RunRecordError, match=r"run\.json"):
        loads(text)


def running_on_this_machine(pid: int, start: str | None = None) -> RunRecord:
    writer = Writer("s", socket.gethostname(), pid, liveness.this_machine(), start or liveness.process_start(pid))
    return RunRecord(writer=writer, heartbeat_at=1000.0)


needs_proc = pytest.mark.skipif(not liveness.this_machine(), reason="without /proc heartbeats decide")


@needs_proc
def test_a_live_process_runs_however_old_its_heartbeat() -> None:
    assert liveness.status_of(running_on_this_machine(os.getpid()), now=1e9) == "running"


@needs_proc
def test_a_dead_process_was_killed_however_young_its_heartbeat() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    record = running_on_this_machine(child.pid)
    assert liveness.status_of(record, now=1000.0) == "running"
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert liveness.status_of(record, now=1000.0) == "killed", "a zombie is dead"
    child.communicate()
    assert liveness.status_of(record, now=1000.0) == "killed"


@needs_proc
def test_a_later_process_with_the_same_pid_is_another_one() -> None:
    assert liveness.status_of(running_on_this_machine(os.getpid(), "1"), now=1000.0) == "killed"


@needs_proc
def test_after_a_reboot_nothing_runs_any_more() -> None:
    record = running_on_this_machine(os.getpid())
    record.writer.machine = "0000 " + record.writer.machine.partition(" ")[2]
    assert liveness.status_of(record, now=1000.0) == "killed"


@pytest.mark.parametrize(("age_secs", "status"), [(0, "running"), (60, "running"), (61, "killed")])
def test_on_another_machine_the_heartbeat_decides(age_secs: float, status: str) -> None:
    record = RunRecord(writer=Writer("s", "far-away", os.getpid(), "boot ns", "1"), heartbeat_at=1000.0)
    assert liveness.status_of(record, now=1000.0 + age_secs) == status
    record.status = "finished"
    assert liveness.status_of(record, now=1e9) == "finished"
