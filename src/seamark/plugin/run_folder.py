"""Files of certain types in the folders of runs, beside the event files: 3-D files, graphs."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from seamark.format.types import RunName
from seamark.plugin.folder_listing import FolderEntry, list_folder
from seamark.store import LogRoot, RunInfo, printable_path

MAX_FILES = 2000
MAX_DEPTH = 4
# On a shared disk with 10,000 runs a full search takes long; after this time the page gets what was found.
MAX_SEARCH_SECS = 3.0
_link_targets: set[Path] = set()
_ESCAPED_BYTE = re.compile(r"\\x([89a-f][0-9a-f])")


class NamedFolder(Protocol):
    """A run, or another folder that is shown as one."""

    @property
    def name(self) -> RunName: ...
    @property
    def path(self) -> Path: ...


class RunFolderFile(NamedTuple):
    run: RunName
    path: str  # relative to the run's folder, with "/" as separator; bytes that are not UTF-8 are \xff
    bytes: int
    location: str  # the path for the system


def allow_links_to(file: Path) -> None:
    """Lets links in run folders lead to this file: the user named it when the server was started."""
    _link_targets.add(file.resolve())


def files_in_runs(runs: Sequence[NamedFolder], suffixes: tuple[str, ...]) -> tuple[list[RunFolderFile], bool]:
    """The files that end so, and whether there are more. A file belongs to the run with the nearest folder above it."""
    folders = {str(run.path) for run in runs}
    deadline = time.monotonic() + MAX_SEARCH_SECS
    found: list[RunFolderFile] = []
    for run in runs:
        folder = str(run.path)
        for path, size in _walk(folder, folders, suffixes, deadline=deadline):
            if len(found) >= MAX_FILES:
                return found, True
            found.append(RunFolderFile(run.name, printable_path(path), size, f"{folder}/{path}"))
        if time.monotonic() > deadline:
            return found, True
    return found, False


def folders_in_runs(runs: Sequence[NamedFolder], ending: str) -> list[tuple[RunName, str]]:
    """Runs and the folders in them whose names end so, as paths relative to the run's folder."""
    run_folders = {str(run.path) for run in runs}
    deadline = time.monotonic() + MAX_SEARCH_SECS
    found: list[tuple[RunName, str]] = []
    for run in runs:
        for path in _walk_folders(str(run.path), "", run_folders, ending, MAX_DEPTH):
            found.append((run.name, path))
            if len(found) >= MAX_FILES:
                return found
        if time.monotonic() > deadline:
            return found
    return found


def folder_in_run(runs: Sequence[NamedFolder], name: RunName, path: str, ending: str) -> Path | None:
    """The folder, or None if it is not in the run's folder, also after following links (but see `allow_links_to`)."""
    target = _target_in_run(runs, name, path, (ending,))
    return target if target is not None and target.is_dir() else None


def file_in_run(runs: Sequence[NamedFolder], name: RunName, path: str, suffixes: tuple[str, ...]) -> Path | None:
    """The file, or None if it is not in the run's folder, also after following links (but see `allow_links_to`).

    `path` is as `files_in_runs` has it.
    """
    target = _target_in_run(runs, name, path, suffixes)
    return target if target is not None and target.is_file() else None


def _target_in_run(runs: Sequence[NamedFolder], name: RunName, path: str, endings: tuple[str, ...]) -> Path | None:
    folder = next((run.path for run in runs if run.name == name), None)
    if folder is None or not path.lower().endswith(endings) or "\0" in path:
        return None
    return _path_inside(folder, path) or _path_inside(folder, system_path(path))


def system_path(path: str) -> str:
    """The name for the system of a path with bytes that are not UTF-8, which `printable_path` escaped."""
    return _ESCAPED_BYTE.sub(lambda found: bytes.fromhex(found[1]).decode("utf-8", "surrogateescape"), path)


def _path_inside(folder: Path, path: str) -> Path | None:
    try:
        root = folder.resolve(strict=True)
        target = (root / path).resolve(strict=True)
    except OSError:
        return None
    if target in _link_targets:
        return target
    if not target.is_relative_to(root):
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
    root: str, run_folders: set[str], suffixes: tuple[str, ...], *, deadline: float, folder: str = "", depth: int = 0
) -> Iterator[tuple[str, int]]:
    if time.monotonic() > deadline:
        return
    for entry, path, location in _entries(root, folder):
        if entry.type == "folder":
            if depth < MAX_DEPTH and location not in run_folders:
                yield from _walk(root, run_folders, suffixes, deadline=deadline, folder=path, depth=depth + 1)
        elif entry.name.lower().endswith(suffixes):
            try:
                if _is_listed(entry, location):
                    yield path, os.stat(location).st_size  # noqa: PTH116
            except OSError:
                continue  # removed since it was listed


def _walk_folders(root: str, folder: str, run_folders: set[str], ending: str, depth: int) -> Iterator[str]:
    for entry, path, location in _entries(root, folder):
        if location in run_folders or not _is_folder(entry, location):
            continue
        if entry.name.lower().endswith(ending):
            yield path
        elif depth > 0:
            yield from _walk_folders(root, path, run_folders, ending, depth - 1)


def _entries(root: str, folder: str) -> Iterator[tuple[FolderEntry, str, str]]:
    """Entries that are not hidden, each with its path below the root and its path for the system."""
    try:
        entries = list_folder(f"{root}/{folder}" if folder else root)
    except OSError:
        return
    for entry in entries:
        if not entry.name.startswith("."):
            path = f"{folder}/{entry.name}" if folder else entry.name
            yield entry, path, f"{root}/{path}"


def _is_folder(entry: FolderEntry, location: str) -> bool:
    return entry.type == "folder" or (entry.type == "link" and _is_allowed(location) and Path(location).is_dir())


def _is_listed(entry: FolderEntry, location: str) -> bool:
    return entry.type == "file" or (entry.type == "link" and _is_allowed(location))


def _is_allowed(link: str) -> bool:
    try:
        return Path(link).resolve() in _link_targets
    except OSError:
        return False
