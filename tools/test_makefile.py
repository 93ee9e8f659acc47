"""A change of a source rebuilds the native module, and `make test` and `make check` run all their parts."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.testing.run_parts import FIRST, LAST

ROOT = Path(__file__).resolve().parents[1]
STAMPS = ("made.stamp", "packages.stamp", "native.stamp")


def is_of_the_module(path: Path) -> bool:
    is_test = path.name.endswith("_test.cc") or path.parent.name in {"fuzz", "testing"}
    return path.suffix in {".cc", ".h"} and not is_test


def core_files() -> Iterator[Path]:
    yield from (path for path in sorted((ROOT / "core").rglob("*")) if path.suffix in {".cc", ".h"})


def package_files() -> Iterator[Path]:
    yield from (ROOT / "src").rglob("__init__.py")


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """The stamps of a complete set-up, newer than every source."""
    others = (ROOT / name for name in ("CMakeLists.txt", "constraints.txt", "pyproject.toml", "src/seamark_shim.pth"))
    newest = max(path.stat().st_mtime for path in (*core_files(), *others, *package_files()))
    for number, name in enumerate(STAMPS, start=1):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (newest + number, newest + number))
    return tmp_path


def commands_of_make(environment: Path, *, goal: str = "setup", changed: Path | None = None) -> str:
    """The commands that make would run if this file had just been changed."""
    change = [f"--what-if={changed.relative_to(ROOT)}"] if changed else []
    command = ["make", "--dry-run", "--no-print-directory", *change, f"VENV={environment}", goal]
    return subprocess.run(command, cwd=ROOT, env=plain_environment(), capture_output=True, text=True, check=True).stdout


def plain_environment() -> dict[str, str]:
    """Without the flags of a make that runs this test."""
    return {name: value for name, value in os.environ.items() if name not in {"MAKEFLAGS", "MFLAGS", "MAKELEVEL"}}


def prerequisites_of_the_module(environment: Path) -> set[Path]:
    """The files that install the module again, from the rules that make prints."""
    command = ["make", "--dry-run", "--print-data-base", "--no-print-directory", f"VENV={environment}", "setup"]
    rules = subprocess.run(
        command, cwd=ROOT, env=plain_environment(), capture_output=True, text=True, check=True
    ).stdout
    rule = next(line for line in rules.splitlines() if line.startswith(f"{environment}/native.stamp:"))
    return {ROOT / name for name in rule.partition(":")[2].split()}


def test_without_a_change_nothing_is_installed(environment: Path) -> None:
    assert "pip install" not in commands_of_make(environment)


def test_a_change_of_a_source_installs_the_module_again(environment: Path) -> None:
    assert "pip install" in commands_of_make(environment, changed=ROOT / "CMakeLists.txt")


def test_a_new_package_installs_it_again(environment: Path) -> None:
    assert set(package_files()) <= prerequisites_of_the_module(environment)
    assert "pip install" in commands_of_make(environment, changed=ROOT / "src/seamark/store/__init__.py")


def test_every_source_of_the_module_is_a_prerequisite_and_no_test_is(environment: Path) -> None:
    sources = {path for path in core_files() if is_of_the_module(path)}
    assert {path.parent.name for path in sources} >= {
        "bind",
        "columns",
        "core",
        "disk",
        "format",
        "query",
        "scan",
        "write",
    }
    assert prerequisites_of_the_module(environment) & set(core_files()) == sources


def test_make_test_has_all_its_parts(environment: Path) -> None:
    assert "run_parts" in commands_of_make(environment, goal="test")
    commands = "".join(commands_of_make(environment, goal=part) for part in (*FIRST, LAST))
    for part in (
        "ruff check",
        "mypy",
        "check_layers",
        "page_types",
        "npm run check",
        "npm test",
        "core_tests",
        "-runs=",
        "run_python",
    ):
        assert part in commands, part
    assert "max_total_time" not in commands, "fuzzing is for make check"


def test_make_check_adds_the_longer_parts(environment: Path) -> None:
    commands = commands_of_make(environment, goal="check")
    for part in ("run_parts", "max_total_time=60", "SEAMARK_LONG_TESTS=1 python", "bench", "tools/integrations.py"):
        assert part in commands, part


def run_ci(folder: Path, *, make: str, limit_secs: int = 60) -> subprocess.CompletedProcess[str]:
    """Runs .ci/run in a copy, with a script in place of make."""
    (folder / ".ci").mkdir(exist_ok=True)
    shutil.copy(ROOT / ".ci" / "run", folder / ".ci" / "run")
    (folder / "make").write_text(f"#!/usr/bin/env bash\n{make}\n")
    (folder / "make").chmod(0o755)
    variables = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "LIMIT_SECS": str(limit_secs)}
    return subprocess.run([folder / ".ci" / "run"], env=variables, capture_output=True, text=True)


def test_ci_runs_make_test_and_nothing_else(tmp_path: Path) -> None:
    ran = run_ci(tmp_path, make='echo "make $*"; echo "== results"; echo "== passed after 1 s"')
    assert (ran.returncode, ran.stdout) == (0, "make test\n== results\n== passed after 1 s\n")
    ran = run_ci(tmp_path, make='echo "== results"; echo "== FAILED: lint"; exit 2')
    assert (ran.returncode, ran.stdout) == (2, "== results\n== FAILED: lint\n")


def test_ci_says_that_the_set_up_failed(tmp_path: Path) -> None:
    ran = run_ci(tmp_path, make='echo "failed three times: pip install nothing"; echo "more"; exit 2')
    assert ran.returncode == 2
    assert ran.stdout.splitlines()[-2:] == [
        "failed three times: pip install nothing",
        "== FAILED: set-up, before any test; its error is above",
    ]


def test_ci_ends_a_make_test_that_does_not_end(tmp_path: Path) -> None:
    ran = run_ci(tmp_path, make="exec sleep 600", limit_secs=1)
    assert ran.returncode == 124
    assert re.search(r"== FAILED: make test was stopped after \d+ s", ran.stdout)


def test_a_download_is_tried_three_times(tmp_path: Path) -> None:
    tries = tmp_path / "tries"
    sleep = tmp_path / "sleep"
    sleep.write_text("#!/bin/sh\n")
    sleep.chmod(0o755)
    variables = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}

    def run(succeeds_at: int) -> subprocess.CompletedProcess[str]:
        tries.write_text("")
        command = f'echo x >> "{tries}"; [ $(wc -l < "{tries}") -ge {succeeds_at} ]'
        words = [ROOT / "tools" / "three_times.sh", "bash", "-c", command]
        return subprocess.run(words, env=variables, capture_output=True, text=True)

    assert (run(1).returncode, tries.read_text()) == (0, "x\n")
    assert (run(3).returncode, tries.read_text()) == (0, "x\n" * 3)
    failed = run(4)
    assert (failed.returncode, tries.read_text()) == (1, "x\n" * 3)
    assert "failed three times: bash -c" in failed.stderr and "check the network" in failed.stderr
