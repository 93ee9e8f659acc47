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
}
HISTOGRAM_INTERVAL = "SEAMARK_HISTOGRAM_INTERVAL"


def from_environment(argument: str) -> str | None:
    return os.environ.get(VARIABLES[argument]) or None


def runs_dir() -> str:
    """The folder that `seamark` shows when it is started here, so that what is logged is also seen."""
    content = _file()
    given = content.get("runs_dir", content.get("logdir"))
    is_one_folder = isinstance(given, str) and given and not any(mark in given for mark in ",:*?[")
    return str(given) if is_one_folder else DEFAULT_DIR


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
