"""A change of a source rebuilds the native module, and `make test` and `make check` run all their parts."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

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
    others = (ROOT / name for name in ("CMakeLists.txt", "pyproject.toml", "src/seamark_shim.pth"))
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
    commands = commands_of_make(environment, goal="test")
    for part in ("ruff check", "mypy", "npm run check", "npm test", "core_tests", "-runs=", "pytest"):
        assert part in commands, part
    assert "max_total_time" not in commands, "fuzzing is for make check"


def test_every_browser_test_is_in_make_test_or_in_the_part_after_it(environment: Path) -> None:
    files = {f"tests/e2e/{path.name}" for path in (ROOT / "tests" / "e2e").glob("test_*.py")}
    ignored = set(re.findall(r"--ignore=(tests/e2e/\S+)", commands_of_make(environment, goal="test-python")))
    after_it = set(re.findall(r" (tests/e2e/\S+)", commands_of_make(environment, goal="test-browser")))
    assert ignored == after_it < files
    assert "tests/e2e/test_themes.py" in files - after_it


def test_make_check_adds_the_longer_parts(environment: Path) -> None:
    commands = commands_of_make(environment, goal="check")
    for part in (
        "core_tests",
        "tests/e2e/test_graphs.py",
        "max_total_time=60",
        "SEAMARK_LONG_TESTS=1 pytest",
        "bench",
        "tools/integrations.py",
    ):
        assert part in commands, part


def run_ci(folder: Path, *, make: str, budget_secs: int = 2400) -> subprocess.CompletedProcess[str]:
    """Runs .ci/run in a copy, with a script in place of make."""
    (folder / ".ci").mkdir(exist_ok=True)
    shutil.copy(ROOT / ".ci" / "run", folder / ".ci" / "run")
    (folder / "make").write_text(f"#!/usr/bin/env bash\n{make}\n")
    (folder / "make").chmod(0o755)
    variables = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "BUDGET_SECS": str(budget_secs)}
    return subprocess.run([folder / ".ci" / "run"], env=variables, capture_output=True, text=True)


def test_ci_runs_the_longer_parts_after_make_test(tmp_path: Path) -> None:
    ran = run_ci(tmp_path, make='echo "make $*"; echo "1 passed in 0.1s"')
    assert ran.returncode == 0
    for part in (
        "make test",
        "make test-browser",
        "make test-services",
        "make fuzz FUZZ_SECS=20",
        "make test-faults",
        "make test-integrations ARGS=torch",
    ):
        assert f"\n{part}\n" in ran.stdout, part
    assert "skipped" not in ran.stdout and "== passed after" in ran.stdout


def test_ci_names_the_parts_that_do_not_fit(tmp_path: Path) -> None:
    ran = run_ci(tmp_path, make="", budget_secs=310)
    assert ran.returncode == 0
    assert re.search(r"== skipped: fault tests at full length \(takes about 360 s, \d+ s left\)", ran.stdout)
    assert "== skipped: fuzzing" not in ran.stdout


def test_ci_fails_where_the_browser_tests_do_not_end_in_time(tmp_path: Path) -> None:
    ran = run_ci(tmp_path, make='[ "$1" != test-browser ] || sleep 60', budget_secs=2)
    assert ran.returncode == 1
    assert re.search(r"== FAILED: browser tests \(stopped after \d+ s, the time was up\)", ran.stdout)


def test_ci_fails_with_any_part_and_after_make_test_runs_nothing_else(tmp_path: Path) -> None:
    ran = run_ci(tmp_path, make='[ "$1" != test-faults ]')
    assert ran.returncode == 1
    assert "== FAILED: fault tests at full length (exit status 1)" in ran.stdout
    ran = run_ci(tmp_path, make="exit 2")
    assert ran.returncode == 1
    assert "== FAILED: make test (exit status 2)" in ran.stdout and "== fuzzing" not in ran.stdout
