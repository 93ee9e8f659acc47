"""Settings outside the program: environment variables first, then seamark.toml in the working directory."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

FILE_NAME = "seamark.toml"
DEFAULT_DIR = "runs"
# The variable of each argument of init().
VARIABLES = {
    "mode": "SEAMARK_MODE",
    "dir": "SEAMARK_DIR",
    "project": "SEAMARK_PROJECT",
    "group": "SEAMARK_GROUP",
    "name": "SEAMARK_NAME",
    "id": "SEAMARK_RUN_ID",
    "resume": "SEAMARK_RESUME",
    "git": "SEAMARK_GIT",
    "server": "SEAMARK_SERVER",
}
# What is read from git: everything, everything but the diff, or nothing.
GIT_CHOICES: dict[bool | str, str] = {True: "on", False: "off", "on": "on", "no-diff": "no-diff", "off": "off"}
HISTOGRAM_INTERVAL = "SEAMARK_HISTOGRAM_INTERVAL"


def from_environment(argument: str) -> str | None:
    return os.environ.get(VARIABLES[argument]) or None


def runs_dir() -> str:
    """The folder that `seamark` shows when it is started here."""
    content = _file()
    given = content.get("runs_dir", content.get("logdir"))
    is_one_folder = isinstance(given, str) and given and not any(mark in given for mark in ",:*?[")
    return str(given) if is_one_folder else DEFAULT_DIR


def git(given: bool | str | None) -> str:
    """`on`, `no-diff` or `off`. Raises ValueError for another value of the argument."""
    if given is not None:
        if given not in GIT_CHOICES:
            raise ValueError(f"git is one of True, False, 'no-diff': got {given!r}")
        return GIT_CHOICES[given]
    value = from_environment("git") or _file().get("git", "on")
    # For an unknown setting the diff is left out, which is the safer choice.
    return GIT_CHOICES.get(value if isinstance(value, bool) else str(value).lower(), "no-diff")


def histogram_interval() -> int | None:
    """None if it is not set."""
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
        return {}  # `seamark` reports a bad file; a training ignores it
