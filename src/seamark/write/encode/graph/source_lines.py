"""Source lines of the program, as attributes of nodes."""

from __future__ import annotations

from pathlib import Path

INSTALLED = frozenset({"site-packages", "dist-packages"})
MAX_CODE_CHARACTERS = 200


def source_attributes(file: str, line: int, code: str) -> dict[str, str]:
    return {"source": f"{shown_path(file)}:{line}", "code": code.strip()[:MAX_CODE_CHARACTERS]}


def shown_path(file: str) -> str:
    """Relative to the working directory if the file is below it, else the name of the file with its folder."""
    path = Path(file)
    # An environment in the working directory is not the program.
    if not INSTALLED.isdisjoint(path.parts):
        return "/".join(path.parts[-2:])
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):  # OSError: the working directory was removed
        return "/".join(path.parts[-2:])
