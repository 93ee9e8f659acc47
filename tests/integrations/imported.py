"""Whether `seamark.autolog()` at the top of a program turns on a library that is imported after it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import seamark
assert seamark.autolog("runs", only=[{library!r}]) == ()
{statement}
assert seamark.autolog(only=[]) == ({library!r},)
"""


def assert_turned_on(library: str, statement: str, folder: Path) -> None:
    """In a fresh interpreter, where nothing is imported yet. `statement` is an import, and may be more."""
    root = str(Path(__file__).resolve().parents[2])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-c", PROGRAM.format(library=library, statement=statement)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and "autolog cannot" not in done.stderr, done.stderr
