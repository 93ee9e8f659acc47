"""Several processes and one run: resuming, starting at once, forked children and data loaders."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

from . import training


def test_a_killed_run_is_resumed_twice(tmp_path: Path) -> None:
    run = training.start(tmp_path, training.WAITING + "print('\\nready', flush=True)\ntime.sleep(600)")
    run.wait_for("ready")
    run.process.kill()
    run.ends()
    for resume in ("'must'", "True"):
        again, code, stderr = training.finished(
            tmp_path, f"run = seamark.init(**options, resume={resume})\nassert run.resumed\nrun.log({{'a': 2.0}})"
        )
        assert code == 0, stderr
    sessions = again.record.sessions
    assert [(session.status, session.from_step) for session in sessions] == [
        ("killed", 0),
        ("finished", 1),
        ("finished", 2),
    ]
    assert all(session.ended_at for session in sessions)
    assert training.scalars(run.folder) == {"a": [(0, 1.0), (1, 2.0), (2, 2.0)]}


def test_a_second_process_cannot_join_a_run(tmp_path: Path) -> None:
    first = training.start(tmp_path, training.WAITING + "print('\\nready', flush=True)\ntime.sleep(600)")
    first.wait_for("ready")
    for resume in ("None", "'allow'"):
        _, code, stderr = training.finished(tmp_path, f"seamark.init(**options, resume={resume})")
        assert code == 1 and ("is in use by process" in stderr or "exists already" in stderr)
    assert first.status == "running"
    first.process.send_signal(signal.SIGTERM)
    first.ends()


def test_processes_that_start_with_the_same_name_get_separate_folders(tmp_path: Path) -> None:
    program = "options.pop('id')\nrun = seamark.init(**options)\nrun.log({'pid': os.getpid()})"
    started = [training.start(tmp_path, program) for _ in range(4)]
    assert [each.ends()[0] for each in started] == [0, 0, 0, 0]
    folders = sorted((tmp_path / "runs").iterdir())
    assert len(folders) == 4
    records = [json.loads((folder / "run.json").read_text()) for folder in folders]
    assert len({record["id"] for record in records}) == 4 and {record["status"] for record in records} == {"finished"}


def test_only_one_of_several_processes_resumes_a_run(tmp_path: Path) -> None:
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
    assert all("is in use by process" in stderr for _, stderr in ends[1:])
    (folder,) = (tmp_path / "runs").iterdir()
    assert training.scalars(folder) == {"a": [(0, 1.0)]}


def test_forked_children_do_not_change_the_run(tmp_path: Path) -> None:
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
    run, code, stderr = training.finished(tmp_path, program)
    assert code == 0, stderr
    assert "forked process cannot log" in stderr
    assert (run.record.status, run.record.error, run.record.signal) == ("finished", None, "")
    assert training.scalars(run.folder) == {"a": [(0, 1.0), (1, 2.0)]}
    assert [line for line in run.console().splitlines() if line in ("parent", "end")] == ["parent", "end"]


def test_a_forked_child_can_start_its_own_run(tmp_path: Path) -> None:
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
    run, code, stderr = training.finished(tmp_path, program)
    assert code == 0, stderr
    assert run.record.status == "finished" and training.scalars(run.folder).keys() == {"a"} | system_tags(run.folder)
    for name, status in (("good", "finished"), ("bad", "crashed")):
        child = training.Training(run.process, tmp_path / "runs" / name)
        assert child.record.status == status
        assert training.scalars(child.folder)["b"] == [(0, 1.0)]
        assert system_tags(child.folder), "a run of less than ten seconds has a sample of the machine too"


def test_a_child_forked_during_an_import_of_the_run_can_import_the_same(tmp_path: Path) -> None:
    (tmp_path / "psutil.py").write_text("open('importing', 'w').close()\nimport time\ntime.sleep(1)\n")
    program = """
options['system_metrics_secs'] = 1
run = seamark.init(**options)
while not os.path.exists('importing'):
    time.sleep(0.01)
child = os.fork()
if child == 0:
    signal.alarm(30)
    import psutil
    os._exit(0)
_, status = os.waitpid(child, 0)
sys.exit(status)
"""
    run, code, stderr = training.finished(tmp_path, program)
    assert code == 0, stderr
    assert run.record.status == "finished"


def system_tags(folder: Path) -> set[str]:
    return {tag for tag in training.scalars(folder) if tag.startswith("system/")}


def test_workers_of_a_data_loader_do_not_change_the_run(tmp_path: Path) -> None:
    program = """
import torch
run = seamark.init(**options)
for batch in torch.utils.data.DataLoader(list(range(8)), batch_size=2, num_workers=2, multiprocessing_context='fork'):
    run.log({'a': float(batch.sum())})
"""
    run, code, stderr = training.finished(tmp_path, program)
    assert code == 0, stderr
    assert run.record.status == "finished" and len(training.scalars(run.folder)["a"]) == 4
