"""Planted faults: each gives the right verdict, and harms no other test."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from tools.testing.outcomes import Failure
from tools.testing.run_parts import missing_packages
from tools.testing.run_python import Summary, result_lines

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.timed

GOOD = "def test_good_{}(): pass\n"
FAILS_ONCE = """
def test_fails_once():
    mark = Path("failed_once")
    if not mark.exists():
        mark.touch()
        raise AssertionError("lost a race")
"""
HEAD = "import os, subprocess, time\nfrom pathlib import Path\nimport pytest\n"


@dataclass(frozen=True)
class Ran:
    status: int
    output: str

    @property
    def results(self) -> list[str]:
        return [line for line in self.output.splitlines() if line.startswith("== ")]

    @property
    def counts(self) -> str:
        return self.output.splitlines()[-1]


def run(folder: Path, files: dict[str, str], *, workers: int = 1) -> Ran:
    """Runs these test files as `make test` runs ours."""
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib --strict-markers\ntimeout = 3\n")
    (folder / "conftest.py").write_text((ROOT / "conftest.py").read_text())
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEAD + text)
    words = ["-n", str(workers), "--dist", "loadfile", "--continue-on-collection-errors", "-p", "no:cacheprovider"]
    ran = subprocess.run(
        [sys.executable, "-m", "tools.testing.run_python", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return Ran(ran.returncode, ran.stdout)


def test_a_test_that_fails_every_time_fails_the_run(tmp_path: Path) -> None:
    ran = run(tmp_path, {"tests/e2e/test_a.py": "def test_bad(): assert 1 == 2\n" + GOOD.format(1)})
    assert (ran.status, ran.counts) == (1, "1 passed, 1 failed, 0 skipped")
    assert ran.results == ["== FAILED: tests/e2e/test_a.py::test_bad — assert 1 == 2"]
    assert ran.output.count("trying again") == 2


def test_a_test_that_waits_and_fails_once_is_flaky(tmp_path: Path) -> None:
    ran = run(tmp_path, {"tests/faults/test_a.py": FAILS_ONCE})
    assert (ran.status, ran.counts) == (0, "1 passed, 0 failed, 0 skipped")
    assert ran.results == ["== flaky: tests/faults/test_a.py::test_fails_once — AssertionError: lost a race"]


def test_other_tests_have_one_try_unless_they_are_marked(tmp_path: Path) -> None:
    ran = run(tmp_path, {"src/test_a.py": FAILS_ONCE})
    assert ran.status == 1 and "trying again" not in ran.output
    assert ran.results == ["== FAILED: src/test_a.py::test_fails_once — AssertionError: lost a race"]
    (tmp_path / "failed_once").unlink()
    ran = run(tmp_path, {"src/test_a.py": f"@pytest.mark.timed{FAILS_ONCE}"})
    assert ran.status == 0 and "== flaky: src/test_a.py::test_fails_once" in ran.results[0]


def test_a_hung_test_ends_with_its_children_and_the_others_run(tmp_path: Path) -> None:
    hangs = """
def test_hangs():
    child = subprocess.Popen(["sleep", "600"])
    Path("child").write_text(str(child.pid))
    child.wait()
"""
    ran = run(tmp_path, {"src/test_a.py": GOOD.format(1) + hangs + GOOD.format(2), "src/test_b.py": GOOD.format(3)})
    assert (ran.status, ran.counts) == (1, "3 passed, 1 failed, 0 skipped")
    (line,) = ran.results
    assert line.startswith(
        "== FAILED: src/test_a.py::test_hangs — did not end within 3 s; where each thread was: build/"
    )
    assert "in test_hangs" in (tmp_path / line.rpartition(": ")[2]).read_text()
    assert not is_alive(int((tmp_path / "child").read_text()))


def is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_a_test_that_ends_its_worker_is_lost_alone(tmp_path: Path) -> None:
    kills = "def test_kills():\n    os._exit(3)\n"
    ran = run(tmp_path, {"src/test_a.py": GOOD.format(1) + kills + GOOD.format(2), "src/test_b.py": GOOD.format(3)})
    assert (ran.status, ran.counts) == (1, "3 passed, 1 failed, 0 skipped")
    assert ran.results == [
        "== FAILED: src/test_a.py::test_kills — worker 'gw0' crashed while running 'src/test_a.py::test_kills'"
    ]


def test_a_worker_that_ends_while_another_one_starts_loses_no_other_test(tmp_path: Path) -> None:
    """The third worker takes the place of the first, and finds its tests only after the second has ended."""
    waits = """
def wait_for(name):
    while not Path(name).exists():
        time.sleep(0.01)
"""
    starts = """
worker = os.environ.get("PYTEST_XDIST_WORKER", "")
if worker == "gw2":
    Path("third").touch()
    wait_for("fourth")
elif worker == "gw3":
    Path("fourth").touch()
"""
    kills = "def test_kills():\n    os._exit(3)\n"
    kills_later = "@pytest.mark.timeout(60)\ndef test_kills_later():\n    wait_for('third')\n    os._exit(3)\n"
    good = {f"src/test_{name}.py": GOOD.format(name) for name in "cdef"}
    files = {"src/conftest.py": waits + starts, "src/test_a.py": kills, "src/test_b.py": waits + kills_later}
    ran = run(tmp_path, {**files, **good}, workers=2)
    assert (ran.status, ran.counts) == (1, "4 passed, 2 failed, 0 skipped")
    assert [line.partition(" — ")[0] for line in ran.results] == [
        "== FAILED: src/test_a.py::test_kills",
        "== FAILED: src/test_b.py::test_kills_later",
    ]


def test_a_file_that_cannot_be_read_is_named_and_the_others_run(tmp_path: Path) -> None:
    ran = run(
        tmp_path,
        {
            "src/test_a.py": "def test_(:\n",
            "src/test_b.py": "import no_such_package\n",
            "src/test_c.py": GOOD.format(1),
        },
    )
    assert (ran.status, ran.counts) == (1, "1 passed, 2 failed, 0 skipped")
    assert ran.results == [
        "== FAILED: src/test_a.py — SyntaxError: invalid syntax",
        "== FAILED: src/test_b.py — ModuleNotFoundError: No module named 'no_such_package'",
    ]


def test_a_failed_teardown_after_a_good_test_counts_once(tmp_path: Path) -> None:
    text = "@pytest.fixture\ndef left():\n    yield\n    assert [] == ['error']\ndef test_it(left): pass\n"
    ran = run(tmp_path, {"src/test_a.py": text})
    assert (ran.status, ran.counts) == (1, "0 passed, 1 failed, 0 skipped")


def test_more_than_five_flaky_tests_fail_the_run() -> None:
    flaky = [
        Failure(test=f"tests/e2e/test_a.py::test_{number}", error="late", may_try_again=True) for number in range(6)
    ]
    assert Summary(flaky=flaky[:5]).is_good and not Summary(flaky=flaky).is_good
    assert result_lines(Summary(flaky=flaky))[-1] == "== FAILED: 6 flaky tests; more than 5 fail the run"


def test_a_missing_package_is_named_with_the_remedy() -> None:
    errors = [
        "ModuleNotFoundError: No module named 'httpx2'",
        'error: Cannot find library stub for module named "yaml"',
        "",
    ]
    (line,) = missing_packages(errors)
    assert line == "== missing packages: httpx2, yaml; `rm .venv/*.stamp`, then `make test` installs them"
    assert list(missing_packages(["assert 1 == 2"])) == []
