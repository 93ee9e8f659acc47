"""The console log of a run, and runs in notebooks."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import training


def test_the_console_log_contains_output_of_child_processes(tmp_path: Path) -> None:
    program = "import subprocess\nrun = seamark.init(**options, console='fd')\nprint('python')\nos.write(1, b'descriptor\\n')\nsubprocess.run(['echo', 'child'])\nrun.finish()\nprint('after')"
    run, code, stderr = training.finished(tmp_path, program)
    assert code == 0, stderr
    assert sorted(run.console().splitlines()) == ["child", "descriptor", "python"]


def test_a_failed_notebook_cell_marks_the_run_until_a_cell_succeeds(tmp_path: Path) -> None:
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
    out, stderr = run.process.communicate(timeout=120)
    assert "crashed ZeroDivisionError" in out, stderr
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
def test_an_explicit_finish_decides_after_a_failed_notebook_cell(
    tmp_path: Path, cell: str, status: str, exit_code: int
) -> None:
    pytest.importorskip("IPython")
    run = training.start(tmp_path, f"{NOTEBOOK}shell.run_cell({cell!r})")
    _, printed = run.process.communicate(timeout=120)
    assert (run.record.status, run.record.exit_code) == (status, exit_code), printed
    assert (run.record.error is None) == (cell != "seamark.init(mode='disabled')")
