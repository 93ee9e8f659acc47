"""The record of a run says which signal ended its process, and a killed run is recognised."""

from __future__ import annotations

import json
import shutil
import signal
from pathlib import Path

import pytest

from . import training

MIRRORED = """
class Mirror:
    def log(self, values, step): print('mirror', values, step, file=sys.stderr)
    def config(self, config): pass
    def finish(self, status): print('mirror', status, file=sys.stderr)
run = seamark.init(mirror=Mirror(), **options)
run.log({'a': 1.0})
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_mirror_receives_the_end_of_a_process_by_signal(tmp_path: Path, number: signal.Signals) -> None:
    run = training.start(tmp_path, MIRRORED + "print('ready', flush=True)\ntime.sleep(600)")
    run.wait_for("ready")
    run.process.send_signal(number)
    code, stderr = run.ends()
    assert code == -number
    assert stderr.count("mirror killed") == 1


def test_a_mirror_continues_after_a_handled_signal(tmp_path: Path) -> None:
    _, code, stderr = training.finished(
        tmp_path,
        "signal.signal(signal.SIGTERM, lambda *_: print('not now', file=sys.stderr))\n"
        + MIRRORED
        + "os.kill(os.getpid(), signal.SIGTERM)\nrun.log({'a': 2.0})",
    )
    assert code == 0 and "not now" in stderr
    assert "mirror {'a': 2.0} 1" in stderr and "mirror finished" in stderr and "mirror killed" not in stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_is_recorded_and_ends_the_process_as_usual(tmp_path: Path, number: signal.Signals) -> None:
    run = training.start(tmp_path, training.WAITING + "print('\\nready', flush=True)\ntime.sleep(600)")
    run.wait_for("ready")
    run.process.send_signal(number)
    code, _ = run.ends()
    assert code == -number
    assert (run.record.status, run.record.signal) == ("killed", number.name)
    assert run.record.ended_at is not None
    assert training.scalars(run.folder) == {"a": [(0, 1.0)]}
    assert run.console() == "half a line\nready\n"


def test_ctrl_c_is_recorded_as_killed(tmp_path: Path) -> None:
    # The interpreter forgets how it was ended when a module is being imported meanwhile, and the exit code differs.
    gathered = "run._recorder._tasks.wait_until_collected(60)\n"
    run = training.start(tmp_path, training.WAITING + gathered + "print('\\nready', flush=True)\ntime.sleep(600)")
    run.wait_for("ready")
    run.process.send_signal(signal.SIGINT)
    code, _ = run.ends()
    assert code == -signal.SIGINT
    assert (run.record.status, run.record.signal) == ("killed", "SIGINT")


def test_a_program_that_handles_sigterm_continues(tmp_path: Path) -> None:
    program = (
        "signal.signal(signal.SIGTERM, lambda *_: print('not yet', flush=True))\n"
        + training.WAITING
        + "os.kill(os.getpid(), signal.SIGTERM)\nrun.log({'a': 2.0})"
    )
    run, code, _ = training.finished(tmp_path, program)
    assert (code, run.record.status, run.record.signal) == (0, "finished", "")
    assert training.scalars(run.folder) == {"a": [(0, 1.0), (1, 2.0)]}


def test_after_kill_9_flushed_points_remain_and_a_reader_sees_killed(tmp_path: Path) -> None:
    run = training.start(tmp_path, training.WAITING + "print('\\nready', flush=True)\ntime.sleep(600)")
    run.wait_for("ready")
    assert (run.record.status, run.status) == ("running", "running")
    run.process.kill()
    run.ends()
    assert (run.record.status, run.status) == ("running", "killed")
    assert training.scalars(run.folder) == {"a": [(0, 1.0)]}


def test_the_heartbeat_decides_for_a_run_copied_from_another_machine(tmp_path: Path) -> None:
    run = training.start(tmp_path, training.WAITING + "print('\\nready', flush=True)\ntime.sleep(600)")
    run.wait_for("ready")
    copy = training.Training(run.process, tmp_path / "copy")
    shutil.copytree(run.folder, copy.folder)
    content = json.loads((copy.folder / "run.json").read_text())
    content["writer"]["host"] = "far-away"
    (copy.folder / "run.json").write_text(json.dumps(content))
    run.process.kill()
    run.ends()
    assert copy.status == "running", "as of its last heartbeat"
    from seamark import liveness

    assert liveness.status_of(copy.record, now=copy.record.heartbeat_at + 61) == "lost"
