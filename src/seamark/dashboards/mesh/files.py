"""3-D files that lie in the folders of runs, beside the event files."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from seamark.format.types import RunName
from seamark.store import RunInfo

SUFFIXES = (".ply", ".glb", ".obj", ".stl")
MAX_FILES = 2000
MAX_DEPTH = 4
# A shared disk with 10,000 runs must not keep a page waiting: what is found in this time is shown.
PATIENCE_SECS = 3.0


class MeshFile(NamedTuple):
    run: RunName
    path: str  # below the run's folder, with "/" between its parts
    bytes: int


def mesh_files(runs: Sequence[RunInfo]) -> tuple[list[MeshFile], bool]:
    """What there is, and whether there is more. A file belongs to the run whose folder is nearest above it."""
    folders = {str(run.path) for run in runs}
    deadline = time.monotonic() + PATIENCE_SECS
    found: list[MeshFile] = []
    for run in runs:
        for path, size in _below(str(run.path), "", folders, MAX_DEPTH):
            if len(found) >= MAX_FILES:
                return found, True
            found.append(MeshFile(run.name, path, size))
        if time.monotonic() > deadline:
            return found, True
    return found, False


def mesh_file(runs: Sequence[RunInfo], name: RunName, path: str) -> Path | None:
    """The file, if it is one of a run's: no way leads out of the run's folder, not through a link either."""
    folder = next((run.path for run in runs if run.name == name), None)
    if folder is None or not path.lower().endswith(SUFFIXES) or "\0" in path:
        return None
    try:
        root = folder.resolve(strict=True)
        target = (root / path).resolve(strict=True)
    except OSError:
        return None
    if not target.is_relative_to(root) or not target.is_file():
        return None
    # Hidden files hold keys and settings of programs; a link may lead to one, too.
    is_hidden = any(part.startswith(".") for part in (*Path(path).parts, *target.relative_to(root).parts))
    return None if is_hidden else target


def _below(root: str, folder: str, others: set[str], depth: int) -> Iterator[tuple[str, int]]:
    try:
        entries = sorted(os.scandir(os.path.join(root, folder)), key=lambda entry: entry.name)  # noqa: PTH118
    except OSError:
        return
    for entry in entries:
        path = f"{folder}/{entry.name}" if folder else entry.name
        if entry.name.startswith("."):
            continue
        try:
            if entry.is_dir(follow_symlinks=False):
                if depth > 0 and entry.path not in others:
                    yield from _below(root, path, others, depth - 1)
            elif entry.name.lower().endswith(SUFFIXES) and entry.is_file(follow_symlinks=False):
                yield path, entry.stat().st_size
        except OSError:
            continue  # it vanished between listing and looking
