"""Installs the package as for users, to measure it.

A checkout installed with `-e` looks for each of its modules in two places as it is loaded, which makes a start a tenth
of a second longer. So the figures are those of a wheel, made of this checkout and put into an environment of its own,
which sees the packages of the one that asks.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MARK = "SEAMARK_BENCH_INSTALLED"


def enter(folder: Path, words: Sequence[str]) -> None:
    """Restarts as `python -m bench` of that environment, unless this process is in it."""
    if MARK in os.environ:
        return
    python = install(folder)
    beside = sysconfig.get_path("scripts")
    environment = {**os.environ, MARK: "1", "PATH": os.pathsep.join([beside, os.environ.get("PATH", "")])}
    os.chdir(ROOT)
    os.execve(python, [str(python), "-m", "bench", *words], environment)


def install(folder: Path) -> Path:
    """The interpreter of the environment, after installing the current package."""
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    # A line in a .pth file adds a folder without its own .pth files, and so without editable installs.
    (packages / "packages_of_the_caller.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    with tempfile.TemporaryDirectory() as wheels:
        build = ["wheel", "--quiet", "--no-build-isolation", "--no-deps", "--wheel-dir", wheels, str(ROOT)]
        subprocess.run([*pip, *build], check=True)
        (wheel,) = Path(wheels).glob("*.whl")
        put = ["install", "--quiet", "--no-deps", "--force-reinstall", str(wheel)]
        subprocess.run([*pip, "--python", str(python), *put], check=True)
    return python
