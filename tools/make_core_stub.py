"""Writes src/seamark/_core.pyi from the signatures and docstrings of the native module."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from nanobind.stubgen import StubGen

from seamark import _core

PATH = Path(__file__).resolve().parents[1] / "src" / "seamark" / "_core.pyi"


def make_stub() -> str:
    generator = StubGen(_core, quiet=True)
    generator.put(_core)
    # stubgen has no element types for the tuples that a module contains.
    text = re.sub(r"^(\w+: tuple)\b.*$", r"\1[str, ...]", generator.get(), flags=re.MULTILINE)
    command = ["ruff", "format", "--quiet", "--stdin-filename", str(PATH), "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    PATH.write_text(make_stub())
