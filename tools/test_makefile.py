"""A change of a source rebuilds the native module, so no test can pass with an old one; `make test` has its parts."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
STAMPS = ("made.stamp", "packages.stamp", "native.stamp")


def is_of_the_module(path: Path) -> bool:
    is_test = path.name.endswith("_test.cc") or path.name.startswith("testing")
    return path.suffix in {".cc", ".h"} and path.parent.name != "fuzz" and not is_test


def core_files() -> Iterator[Path]:
    yield from (path for path in sorted((ROOT / "core").rglob("*")) if path.suffix in {".cc", ".h"})


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """The stamps of a complete set-up, newer than every source."""
    others = (ROOT / name for name in ("CMakeLists.txt", "pyproject.toml", "src/seamark_shim.pth"))
    newest = max(path.stat().st_mtime for path in (*core_files(), *others))
    for number, name in enumerate(STAMPS, start=1):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (newest + number, newest + number))
    return tmp_path


def commands_of_make(environment: Path, *, goal: str = "setup", changed: Path | None = None) -> str:
    """What make would run if this file had just been changed."""
    change = [f"--what-if={changed.relative_to(ROOT)}"] if changed else []
    command = ["make", "--dry-run", "--no-print-directory", *change, f"VENV={environment}", goal]
    # A make around this test would pass its own flags on.
    variables = {name: value for name, value in os.environ.items() if name not in {"MAKEFLAGS", "MFLAGS", "MAKELEVEL"}}
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True).stdout


def test_without_a_change_nothing_is_installed(environment: Path) -> None:
    assert "pip install" not in commands_of_make(environment)


def test_a_change_of_any_source_of_the_module_installs_it_again(environment: Path) -> None:
    sources = [ROOT / "CMakeLists.txt", *filter(is_of_the_module, core_files())]
    assert {path.parent.name for path in sources} >= {"core", "bind", "disk"}
    missed = [path.name for path in sources if "pip install" not in commands_of_make(environment, changed=path)]
    assert missed == []


def test_a_change_of_a_test_or_a_fuzz_target_does_not(environment: Path) -> None:
    others = [path for path in core_files() if not is_of_the_module(path)]
    assert others
    built = [path.name for path in others if "pip install" in commands_of_make(environment, changed=path)]
    assert built == []


def test_every_part_is_in_make_test(environment: Path) -> None:
    commands = commands_of_make(environment, goal="test")
    for part in ("ruff check", "mypy", "npm run check", "npm test", "core_tests", "-runs=", "pytest"):
        assert part in commands, part
    assert "max_total_time" not in commands, "fuzzing is for make check"
