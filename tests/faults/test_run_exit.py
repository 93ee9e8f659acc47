"""The record of a run says how its process ended: with an exception, an exit code, or another program."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import training


def test_an_exception_is_recorded_with_its_traceback(tmp_path: Path) -> None:
    run, code, stderr = training.finished(
        tmp_path,
        "run = seamark.init(**options)\nprint('hello')\nrun.log({'a': 1.0})\nraise ValueError('no <b>luck</b> 🙂')",
    )
    record = run.record
    assert code == 1 and "ValueError: no <b>luck</b>" in stderr, "the traceback is printed as ever"
    assert (record.status, record.exit_code, record.ended_at is None) == ("crashed", 1, False)
    assert (
        record.error is not None and record.error.type == "ValueError" and "no <b>luck</b> 🙂" in record.error.traceback
    )
    assert training.scalars(run.folder) == {"a": [(0, 1.0)]}
    assert run.console().startswith("hello\nTraceback")


@pytest.mark.parametrize(
    ("end", "code", "status"),
    [("", 0, "finished"), ("sys.exit()", 0, "finished"), ("sys.exit(0)", 0, "finished"), ("sys.exit(3)", 3, "crashed"), ("sys.exit('sorry')", 1, "crashed"),
     ("seamark.finish(exit_code=4)", 0, "crashed")],
)  # fmt: skip
def test_the_exit_code_decides_the_status(tmp_path: Path, end: str, code: int, status: str) -> None:
    run, got, _ = training.finished(tmp_path, f"run = seamark.init(**options)\nrun.log({{'a': 1.0}})\n{end}")
    assert (got, run.record.status) == (code, status)
    assert training.scalars(run.folder) == {"a": [(0, 1.0)]}
    if "sorry" in end:
        assert run.record.error is not None and run.record.error.message == "sorry"


def test_a_run_ends_with_exec_and_the_next_program_can_resume_it(tmp_path: Path) -> None:
    """And the next program, which is the same process, may go on with it."""
    again = training.HEAD + "run = seamark.init(**options, resume='must')\nrun.log({'a': 3.0})"
    program = training.WAITING.replace("run.writer.flush()\n", "") + (
        "try: os.execv('/nowhere', ['x'])\n"
        "except OSError: assert run.status == 'running'\n"
        "run.log({'a': 2.0})\n"
        f"os.execv(sys.executable, [sys.executable, '-c', {again!r}])"
    )
    run, code, stderr = training.finished(tmp_path, program)
    assert code == 0, stderr
    assert [session.status for session in run.record.sessions] == ["finished", "finished"]
    assert training.scalars(run.folder) == {"a": [(0, 1.0), (1, 2.0), (2, 3.0)]}


def test_the_configuration_is_written_before_init_returns(tmp_path: Path) -> None:
    program = "run = seamark.init(**options, config={'lr': 0.1, 'api_key': 'x'})\nos.kill(os.getpid(), signal.SIGKILL)"
    run, _, _ = training.finished(tmp_path, program)
    assert run.record.config == {"lr": 0.1, "api_key": "[hidden]"}


def test_a_crashed_thread_raises_an_alert_and_the_run_continues(tmp_path: Path) -> None:
    program = "run = seamark.init(**options)\nthread = threading.Thread(target=lambda: 1 / 0, name='loader')\nthread.start()\nthread.join()\nrun.log({'a': 1.0})"
    run, code, stderr = training.finished(tmp_path, program)
    assert code == 0 and "ZeroDivisionError" in stderr
    assert run.record.status == "finished"
    assert [(alert.level, alert.title) for alert in run.record.alerts] == [
        ("error", "thread loader ended with ZeroDivisionError")
    ]
