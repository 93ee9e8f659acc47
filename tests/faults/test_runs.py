"""However a training ends, its run says how, keeps what was logged, and never was the reason."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from . import training

SECRET = "hunter2hunter2"


def test_an_exception_is_remembered_with_its_traceback(tmp_path: Path) -> None:
    run, code, said = training.finished(
        tmp_path,
        "run = seamark.init(**options)\nprint('hello')\nrun.log({'a': 1.0})\nraise ValueError('no <b>luck</b> 🙂')",
    )
    record = run.record
    assert code == 1 and "ValueError: no <b>luck</b>" in said, "the traceback is printed as ever"
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
def test_an_exit_code_decides(tmp_path: Path, end: str, code: int, status: str) -> None:
    run, got, _ = training.finished(tmp_path, f"run = seamark.init(**options)\nrun.log({{'a': 1.0}})\n{end}")
    assert (got, run.record.status) == (code, status)
    assert training.scalars(run.folder) == {"a": [(0, 1.0)]}
    if "sorry" in end:
        assert run.record.error is not None and run.record.error.message == "sorry"


WAITING = "run = seamark.init(**options)\nrun.log({'a': 1.0})\nprint('half a line', end='')\nrun.writer.flush()\n"


MIRRORED = """
class Mirror:
    def log(self, values, step): print('mirror', values, step, file=sys.stderr)
    def config(self, config): pass
    def finish(self, status): print('mirror', status, file=sys.stderr)
run = seamark.init(mirror=Mirror(), **options)
run.log({'a': 1.0})
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_ends_the_process_is_told_to_the_mirror(tmp_path: Path, number: signal.Signals) -> None:
    run = training.start(tmp_path, MIRRORED + "print('ready', flush=True)\ntime.sleep(600)")
    run.wait_for("ready")
    run.process.send_signal(number)
    code, said = run.ends()
    assert code == -number
    assert said.count("mirror killed") == 1


def test_a_signal_that_the_program_survives_is_not_the_mirrors_end(tmp_path: Path) -> None:
    _, code, said = training.finished(
        tmp_path,
        "signal.signal(signal.SIGTERM, lambda *_: print('not now', file=sys.stderr))\n"
        + MIRRORED
        + "os.kill(os.getpid(), signal.SIGTERM)\nrun.log({'a': 2.0})",
    )
    assert code == 0 and "not now" in said
    assert "mirror {'a': 2.0} 1" in said and "mirror finished" in said and "mirror killed" not in said


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_is_remembered_and_ends_the_process_as_ever(tmp_path: Path, number: signal.Signals) -> None:
    run = training.start(tmp_path, WAITING + "print('\\nready', flush=True)\ntime.sleep(600)")
    run.wait_for("ready")
    run.process.send_signal(number)
    code, _ = run.ends()
    assert code == -number
    assert (run.record.status, run.record.signal) == ("killed", number.name)
    assert run.record.ended_at is not None
    assert training.scalars(run.folder) == {"a": [(0, 1.0)]}
    assert run.console() == "half a line\nready\n"


def test_a_run_ends_when_its_program_replaces_itself(tmp_path: Path) -> None:
    """And the next program, which is the same process, may go on with it."""
    again = training.HEAD + "run = seamark.init(**options, resume='must')\nrun.log({'a': 3.0})"
    program = WAITING.replace("run.writer.flush()\n", "") + (
        "try: os.execv('/nowhere', ['x'])\n"
        "except OSError: assert run.status == 'running'\n"
        "run.log({'a': 2.0})\n"
        f"os.execv(sys.executable, [sys.executable, '-c', {again!r}])"
    )
    run, code, said = training.finished(tmp_path, program)
    assert code == 0, said
    assert [session.status for session in run.record.sessions] == ["finished", "finished"]
    assert training.scalars(run.folder) == {"a": [(0, 1.0), (1, 2.0), (2, 3.0)]}


def test_ctrl_c_is_a_kill(tmp_path: Path) -> None:
    # The interpreter forgets how it was ended when a module is being imported meanwhile, and the exit code differs.
    gathered = "run._backing._keeper.wait_until_gathered(60)\n"
    run = training.start(tmp_path, WAITING + gathered + "print('\\nready', flush=True)\ntime.sleep(600)")
    run.wait_for("ready")
    run.process.send_signal(signal.SIGINT)
    code, _ = run.ends()
    assert code == -signal.SIGINT
    assert (run.record.status, run.record.signal) == ("killed", "SIGINT")


def test_a_program_that_survives_sigterm_goes_on(tmp_path: Path) -> None:
    program = (
        "signal.signal(signal.SIGTERM, lambda *_: print('not yet', flush=True))\n"
        + WAITING
        + "os.kill(os.getpid(), signal.SIGTERM)\nrun.log({'a': 2.0})"
    )
    run, code, _ = training.finished(tmp_path, program)
    assert (code, run.record.status, run.record.signal) == (0, "finished", "")
    assert training.scalars(run.folder) == {"a": [(0, 1.0), (1, 2.0)]}


def test_kill_9_leaves_what_was_flushed_and_a_reader_knows(tmp_path: Path) -> None:
    run = training.start(tmp_path, WAITING + "print('\\nready', flush=True)\ntime.sleep(600)")
    run.wait_for("ready")
    assert (run.record.status, run.status) == ("running", "running")
    run.process.kill()
    run.ends()
    assert (run.record.status, run.status) == ("running", "killed")
    assert training.scalars(run.folder) == {"a": [(0, 1.0)]}


def test_a_killed_run_is_resumed_twice(tmp_path: Path) -> None:
    run = training.start(tmp_path, WAITING + "print('\\nready', flush=True)\ntime.sleep(600)")
    run.wait_for("ready")
    run.process.kill()
    run.ends()
    for resume in ("'must'", "True"):
        again, code, said = training.finished(
            tmp_path, f"run = seamark.init(**options, resume={resume})\nassert run.resumed\nrun.log({{'a': 2.0}})"
        )
        assert code == 0, said
    sessions = again.record.sessions
    assert [(session.status, session.from_step) for session in sessions] == [
        ("killed", 0),
        ("finished", 1),
        ("finished", 2),
    ]
    assert all(session.ended_at for session in sessions)
    assert training.scalars(run.folder) == {"a": [(0, 1.0), (1, 2.0), (2, 2.0)]}


def test_two_processes_do_not_share_a_run(tmp_path: Path) -> None:
    first = training.start(tmp_path, WAITING + "print('\\nready', flush=True)\ntime.sleep(600)")
    first.wait_for("ready")
    for resume in ("None", "'allow'"):
        _, code, said = training.finished(tmp_path, f"seamark.init(**options, resume={resume})")
        assert code == 1 and ("is being written by process" in said or "is there already" in said)
    assert first.status == "running"
    first.process.send_signal(signal.SIGTERM)
    first.ends()


def test_processes_that_begin_one_name_at_once_have_a_folder_each(tmp_path: Path) -> None:
    program = "options.pop('id')\nrun = seamark.init(**options)\nrun.log({'pid': os.getpid()})"
    started = [training.start(tmp_path, program) for _ in range(4)]
    assert [each.ends()[0] for each in started] == [0, 0, 0, 0]
    folders = sorted((tmp_path / "runs").iterdir())
    assert len(folders) == 4
    records = [json.loads((folder / "run.json").read_text()) for folder in folders]
    assert len({record["id"] for record in records}) == 4 and {record["status"] for record in records} == {"finished"}


def test_processes_that_go_on_with_one_id_at_once_share_no_run_and_make_no_second(tmp_path: Path) -> None:
    program = """
try:
    run = seamark.init(**options, resume='allow')
except RuntimeError as error:
    print(error, file=sys.stderr)
    sys.exit(7)
run.log({'a': 1.0})
sys.stdin.read()
"""
    started = [training.start(tmp_path, program, wait=True) for _ in range(4)]
    deadline = time.monotonic() + 60
    while sum(each.process.poll() is None for each in started) > 1 and time.monotonic() < deadline:
        time.sleep(0.05)  # until only the one that has the run is left
    ends = sorted(each.ends() for each in started)
    assert [code for code, _ in ends] == [0, 7, 7, 7]
    assert all("is being written by process" in said for _, said in ends[1:])
    (folder,) = (tmp_path / "runs").iterdir()
    assert training.scalars(folder) == {"a": [(0, 1.0)]}


def test_the_configuration_is_there_when_init_returns(tmp_path: Path) -> None:
    program = "run = seamark.init(**options, config={'lr': 0.1, 'api_key': 'x'})\nos.kill(os.getpid(), signal.SIGKILL)"
    run, _, _ = training.finished(tmp_path, program)
    assert run.record.config == {"lr": 0.1, "api_key": "[hidden]"}


def test_forked_children_leave_the_run_alone(tmp_path: Path) -> None:
    program = """
run = seamark.init(**options)
run.log({'a': 1.0})
print('parent')
for how in ('return', 'exit', 'raise', 'term'):
    child = os.fork()
    if child == 0:
        run.log({'a': 99.0})
        if how == 'exit': sys.exit(3)
        if how == 'raise': raise ValueError('in the child')
        if how == 'term': os.kill(os.getpid(), signal.SIGTERM)
        os._exit(0)
    os.waitpid(child, 0)
run.log({'a': 2.0})
print('end')
"""
    run, code, said = training.finished(tmp_path, program)
    assert code == 0, said
    assert "forked process cannot log" in said
    assert (run.record.status, run.record.error, run.record.signal) == ("finished", None, "")
    assert training.scalars(run.folder) == {"a": [(0, 1.0), (1, 2.0)]}
    assert [line for line in run.console().splitlines() if line in ("parent", "end")] == ["parent", "end"]


def test_a_forked_child_may_have_a_run_of_its_own(tmp_path: Path) -> None:
    program = """
import multiprocessing
def work(name, fail):
    own = seamark.init(name=name, quiet=True, git=False)
    own.log({'b': 1.0})
    if fail: raise ValueError('in the child')
run = seamark.init(**options)
context = multiprocessing.get_context('fork')
for name, fail in (('good', False), ('bad', True)):
    child = context.Process(target=work, args=(name, fail))
    child.start()
    child.join()
run.log({'a': 1.0})
"""
    run, code, said = training.finished(tmp_path, program)
    assert code == 0, said
    assert run.record.status == "finished" and training.scalars(run.folder).keys() == {"a"} | system_tags(run.folder)
    for name, status in (("good", "finished"), ("bad", "crashed")):
        child = training.Training(run.process, tmp_path / "runs" / name)
        assert child.record.status == status
        assert training.scalars(child.folder)["b"] == [(0, 1.0)]
        assert system_tags(child.folder), "a run of less than ten seconds has a sample of the machine too"


def system_tags(folder: Path) -> set[str]:
    return {tag for tag in training.scalars(folder) if tag.startswith("system/")}


def test_the_workers_of_a_data_loader_leave_the_run_alone(tmp_path: Path) -> None:
    program = """
import torch
run = seamark.init(**options)
for batch in torch.utils.data.DataLoader(list(range(8)), batch_size=2, num_workers=2, multiprocessing_context='fork'):
    run.log({'a': float(batch.sum())})
"""
    run, code, said = training.finished(tmp_path, program)
    assert code == 0, said
    assert run.record.status == "finished" and len(training.scalars(run.folder)["a"]) == 4


def test_a_crashed_thread_is_an_alert_and_the_run_goes_on(tmp_path: Path) -> None:
    program = "run = seamark.init(**options)\nthread = threading.Thread(target=lambda: 1 / 0, name='loader')\nthread.start()\nthread.join()\nrun.log({'a': 1.0})"
    run, code, said = training.finished(tmp_path, program)
    assert code == 0 and "ZeroDivisionError" in said
    assert run.record.status == "finished"
    assert [(alert.level, alert.title) for alert in run.record.alerts] == [
        ("error", "thread loader ended with ZeroDivisionError")
    ]


def test_a_folder_that_is_removed_ends_nothing(tmp_path: Path) -> None:
    program = (
        WAITING
        + "import shutil\nshutil.rmtree(run.dir)\nfor _ in range(100): run.log({'a': 2.0})\nrun.alert('x')\nseamark.finish()\nprint('done')"
    )
    run, code, said = training.finished(tmp_path, program)
    assert code == 0, said
    assert said.count("RuntimeWarning") <= 3, "one per thing that could not be written: events, console, run.json"
    # The events begin a new file in the same place, and run.json follows them there.
    assert run.record.status == "finished" and ("a", (100, 2.0)) in [
        (tag, points[-1]) for tag, points in training.scalars(run.folder).items()
    ]


@pytest.fixture
def small_disk(tmp_path: Path) -> Path:
    disk = tmp_path / "runs"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting a small file system takes root")
    return disk


def test_a_full_disk_ends_nothing_and_room_heals_it(tmp_path: Path, small_disk: Path) -> None:
    program = """
run = seamark.init(**options)
filler = open('runs/filler', 'wb', buffering=0)
try:
    while filler.write(b'x' * 4096): pass
except OSError: pass
print('full', flush=True)
for _ in range(300): run.log({'a': 1.0})
run.config.late = 'x' * 1000
run._backing.write()
run._backing.write()
filler.close()
os.remove('runs/filler')
print('room', flush=True)
"""
    try:
        run, code, said = training.finished(tmp_path, program)
        assert code == 0, said
        assert said.count("run.json cannot be written") == 1
        assert (run.record.status, run.record.config["late"]) == ("finished", "x" * 1000)
        assert not list(run.folder.glob(".run.json.*"))
    finally:
        subprocess.run(["umount", "--lazy", str(small_disk)], check=True)


def test_a_disk_that_is_full_from_the_beginning_lets_the_training_run(tmp_path: Path, small_disk: Path) -> None:
    program = """
filler = open('runs/filler', 'wb', buffering=0)
try:
    while filler.write(b'x' * 4096): pass
except OSError: pass
run = seamark.init(**options)
run.log({'a': 1.0})
run.finish()
"""
    try:
        _, code, said = training.finished(tmp_path, program)
        assert code == 0, said
        assert "Warning" in said
    finally:
        subprocess.run(["umount", "--lazy", str(small_disk)], check=True)


def test_no_secret_of_environment_command_line_remote_diff_or_config_is_written(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words],
            cwd=tmp_path,
            check=True,
            capture_output=True,
        )

    git("init", "-q")
    (tmp_path / "train.py").write_text("import sys, seamark\nkey = None\n")
    git("add", "train.py")
    git("commit", "-q", "-m", "x", "--no-gpg-sign")
    git("remote", "add", "origin", f"https://user:{SECRET}@example.org/x.git")
    (tmp_path / "train.py").write_text(f"""
import argparse, seamark
parser = argparse.ArgumentParser()
parser.add_argument("--api-key"), parser.add_argument("--lr", type=float)
run = seamark.init(name="run", dir="runs", config=parser.parse_args(), quiet=True, console=False, system_metrics_secs=0)
password = "{SECRET}"
run.log({{"loss": 1.0}})
raise RuntimeError("cannot reach https://user:{SECRET}@example.org/")
""")
    hidden = {
        "OPENAI_API_KEY": SECRET,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "HOME_PAGE": SECRET,
        "SLURM_JOB_ID": "77",
        "RANK": "0",
    }
    command = [sys.executable, "train.py", "--api-key", SECRET, "--lr", "0.5"]
    subprocess.run(command, cwd=tmp_path, env={**os.environ, **hidden}, capture_output=True, check=False)
    folder = tmp_path / "runs" / "run"
    record = json.loads((folder / "run.json").read_text())
    assert record["git"]["remote"] == "https://example.org/x.git" and record["git"]["dirty"]
    assert record["config"] == {"api_key": "[hidden]", "lr": 0.5}
    assert record["environment"]["SLURM_JOB_ID"] == "77" and "OPENAI_API_KEY" not in record["environment"]
    assert record["status"] == "crashed" and record["command"][-4:] == ["--api-key", "[hidden]", "--lr", "0.5"]
    written = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert "diff.patch" in written
    assert [name for name, data in written.items() if SECRET.encode() in data] == []


def test_below_python_everything_is_heard(tmp_path: Path) -> None:
    program = "import subprocess\nrun = seamark.init(**options, console='fd')\nprint('python')\nos.write(1, b'descriptor\\n')\nsubprocess.run(['echo', 'child'])\nrun.finish()\nprint('after')"
    run, code, said = training.finished(tmp_path, program)
    assert code == 0, said
    assert sorted(run.console().splitlines()) == ["child", "descriptor", "python"]


def test_a_notebook_cell_that_fails_marks_the_run_until_one_succeeds(tmp_path: Path) -> None:
    pytest.importorskip("IPython")
    program = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
import IPython
IPython.get_ipython = lambda: shell
shell.user_ns['options'] = options
shell.run_cell("import seamark; run = seamark.init(**options)")
run = shell.user_ns['run']
shell.run_cell("1 / 0")
print(run.status, run._record.error.type)
shell.run_cell("run.log({'a': 1.0})")
print(run.status, run._record.error)
shell.run_cell("1 / 0")
"""
    run = training.start(tmp_path, program)
    out, said = run.process.communicate(timeout=120)
    assert "crashed ZeroDivisionError" in out, said
    assert "running None" in out
    assert run.record.status == "crashed" and run.record.error is not None


NOTEBOOK = """
from IPython.core.interactiveshell import InteractiveShell
import IPython
shell = InteractiveShell.instance()
IPython.get_ipython = lambda: shell
shell.user_ns['options'] = options
shell.run_cell("import seamark; run = seamark.init(**options)")
shell.run_cell("1 / 0")
"""


@pytest.mark.parametrize(
    ("cell", "status", "exit_code"),
    [
        ("run.finish()", "finished", 0),
        ("seamark.finish()", "finished", 0),
        ("with run: run.log({'a': 1.0})", "finished", 0),
        ("run.finish(exit_code=3)", "crashed", 3),
        ("seamark.init(mode='disabled')", "crashed", 1),
    ],
)
def test_after_a_failed_notebook_cell_an_explicit_finish_decides(
    tmp_path: Path, cell: str, status: str, exit_code: int
) -> None:
    pytest.importorskip("IPython")
    run = training.start(tmp_path, f"{NOTEBOOK}shell.run_cell({cell!r})")
    _, printed = run.process.communicate(timeout=120)
    assert (run.record.status, run.record.exit_code) == (status, exit_code), printed
    assert (run.record.error is None) == (cell != "seamark.init(mode='disabled')")


def test_a_run_that_was_copied_elsewhere_is_judged_by_its_heartbeat(tmp_path: Path) -> None:
    run = training.start(tmp_path, WAITING + "print('\\nready', flush=True)\ntime.sleep(600)")
    run.wait_for("ready")
    copy = training.Training(run.process, tmp_path / "copy")
    shutil.copytree(run.folder, copy.folder)
    content = json.loads((copy.folder / "run.json").read_text())
    content["writer"]["host"] = "far-away"
    (copy.folder / "run.json").write_text(json.dumps(content))
    run.process.kill()
    run.ends()
    assert copy.status == "running", "as of its last heartbeat"
    from seamark.format import liveness

    assert liveness.status_of(copy.record, now=copy.record.heartbeat_at + 61) == "killed"
