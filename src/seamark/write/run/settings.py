"""What is not said in the program: environment variables first, then seamark.toml in the working directory."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

FILE_NAME = "seamark.toml"
DEFAULT_DIR = "runs"
# What init() takes from the environment, by argument.
VARIABLES = {
    "mode": "SEAMARK_MODE",
    "dir": "SEAMARK_DIR",
    "project": "SEAMARK_PROJECT",
    "group": "SEAMARK_GROUP",
    "name": "SEAMARK_NAME",
    "id": "SEAMARK_RUN_ID",
    "resume": "SEAMARK_RESUME",
    "git": "SEAMARK_GIT",
}
# What is asked of git: everything, everything but the diff, or nothing.
GIT_CHOICES: dict[bool | str, str] = {True: "on", False: "off", "on": "on", "no-diff": "no-diff", "off": "off"}
HISTOGRAM_INTERVAL = "SEAMARK_HISTOGRAM_INTERVAL"


def from_environment(argument: str) -> str | None:
    return os.environ.get(VARIABLES[argument]) or None


def runs_dir() -> str:
    """The folder that `seamark` shows when it is started here, so that what is logged is also seen."""
    content = _file()
    given = content.get("runs_dir", content.get("logdir"))
    is_one_folder = isinstance(given, str) and given and not any(mark in given for mark in ",:*?[")
    return str(given) if is_one_folder else DEFAULT_DIR


def git(given: bool | str | None) -> str:
    """`on`, `no-diff` or `off`; ValueError for a value of the program's that is none of them."""
    if given is not None:
        if given not in GIT_CHOICES:
            raise ValueError(f"git is one of True, False, 'no-diff': got {given!r}")
        return GIT_CHOICES[given]
    said = from_environment("git") or _file().get("git", "on")
    # A setting that cannot be understood is one that meant less.
    return GIT_CHOICES.get(said if isinstance(said, bool) else str(said).lower(), "no-diff")


def histogram_interval() -> int | None:
    """None when nobody has said anything."""
    given = os.environ.get(HISTOGRAM_INTERVAL) or _file().get("histogram_interval")
    if given is None:
        return None
    try:
        return max(0, int(given))
    except (TypeError, ValueError):
        raise ValueError(
            f"histogram_interval is a number of steps, or 0 for none: got {given!r} "
            f"in {HISTOGRAM_INTERVAL} or {FILE_NAME}"
        ) from None


def _file() -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(Path(FILE_NAME).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return {}  # `seamark` itself says what is wrong with the file; a training has other things to do
