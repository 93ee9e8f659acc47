"""Files of certain types in the folders of runs, beside the event files: 3-D files, graphs."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from seamark.format.types import RunName
from seamark.store import LogRoot, RunInfo

MAX_FILES = 2000
MAX_DEPTH = 4
# On a shared disk with 10,000 runs a full search takes long; after this time the page gets what was found.
MAX_SEARCH_SECS = 3.0
_link_targets: set[Path] = set()


class RunFolderFile(NamedTuple):
    run: RunName
    path: str  # relative to the run's folder, with "/" as separator
    bytes: int


def allow_links_to(file: Path) -> None:
    """Lets links in run folders lead to this file: the user named it when the server was started."""
    _link_targets.add(file.resolve())


def files_in_runs(runs: Sequence[RunInfo], suffixes: tuple[str, ...]) -> tuple[list[RunFolderFile], bool]:
    """The files that end so, and whether there are more. A file belongs to the run with the nearest folder above it."""
    folders = {str(run.path) for run in runs}
    deadline = time.monotonic() + MAX_SEARCH_SECS
    found: list[RunFolderFile] = []
    for run in runs:
        for path, size in _walk(str(run.path), "", folders, suffixes, MAX_DEPTH):
            if len(found) >= MAX_FILES:
                return found, True
            found.append(RunFolderFile(run.name, path, size))
        if time.monotonic() > deadline:
            return found, True
    return found, False


def file_in_run(runs: Sequence[RunInfo], name: RunName, path: str, suffixes: tuple[str, ...]) -> Path | None:
    """The file, or None if it is not in the run's folder, also after following links (but see `allow_links_to`)."""
    folder = next((run.path for run in runs if run.name == name), None)
    if folder is None or not path.lower().endswith(suffixes) or "\0" in path:
        return None
    try:
        root = folder.resolve(strict=True)
        target = (root / path).resolve(strict=True)
    except OSError:
        return None
    if target in _link_targets:
        return target
    if not target.is_relative_to(root) or not target.is_file():
        return None
    # Hidden files hold keys and settings of programs; a link may point to one, too.
    is_hidden = any(part.startswith(".") for part in (*Path(path).parts, *target.relative_to(root).parts))
    return None if is_hidden else target


def config_folders(runs: Sequence[RunInfo], roots: Sequence[LogRoot]) -> Iterator[tuple[RunName, Path, Path]]:
    """The folders of runs and of log directories that are no runs: files of a plugin may lie in both.

    Each has the name of the run, the folder and its log directory.
    """
    names = set()
    for run in runs:
        names.add(run.name)
        above = (root.path for root in roots if run.path.is_relative_to(root.path))
        yield run.name, run.path, next(above, run.path)
    for root in roots:
        name = root.run_name("")
        if name not in names:
            yield name, root.path, root.path


def _walk(
    root: str, folder: str, run_folders: set[str], suffixes: tuple[str, ...], depth: int
) -> Iterator[tuple[str, int]]:
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
                if depth > 0 and entry.path not in run_folders:
                    yield from _walk(root, path, run_folders, suffixes, depth - 1)
            elif entry.name.lower().endswith(suffixes) and _is_listed(entry):
                yield path, entry.stat().st_size
        except OSError:
            continue  # removed since it was listed


def _is_listed(entry: os.DirEntry[str]) -> bool:
    return entry.is_file(follow_symlinks=False) or (entry.is_symlink() and Path(entry.path).resolve() in _link_targets)
