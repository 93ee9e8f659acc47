"""Finds event files: every folder with a file that has 'tfevents' in its name is a run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct, field

from seamark import _core

EVENT_FILE_MARK = "tfevents"
EMPTY_RUN_SUFFIX = ".profile-empty"
# The folder of removed runs in a log directory; see removal.py.
TRASH = ".seamark-trash"


class Identity(NamedTuple):
    """Equal as long as a file was neither replaced nor changed; known without opening the file."""

    dev: int
    ino: int
    size: int
    mtime_ns: int

    @staticmethod
    def of(stat: os.stat_result) -> Identity:
        return Identity(stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns)

    def unfinished(self) -> Identity:
        """Returns an identity for a partly read file: it equals no file's, so that the file is visited again."""
        return self._replace(size=-1, mtime_ns=0)


class FoundFile(NamedTuple):
    """An event file. `folder` is relative to the root with "/" between its parts, "" for the root."""

    folder: str
    name: str
    identity: Identity


MAX_WALKS = 3


class Discovery(Struct):
    """The result of one walk. Files below an `unreadable` folder are unknown, not removed."""

    files: list[FoundFile] = field(default_factory=list)
    runs: set[str] = field(default_factory=set)  # folders, including those of runs without data
    unreadable: dict[str, str] = field(default_factory=dict)  # the reason, by folder
    root_missing: bool = False


def discover(root: Path, scope: str = "") -> Discovery:
    """Walks `scope`, a folder below the root, recursively.

    A folder that vanishes during the walk may have been renamed to a folder that was walked already. The walk then
    starts over, so that its runs are not missing from both.
    """
    if TRASH in scope.split("/"):
        return Discovery()
    for _ in range(MAX_WALKS):
        found, has_vanished = _walk(root, scope)
        if not has_vanished:
            break
    return found


def _walk(root: Path, scope: str) -> tuple[Discovery, bool]:
    has_vanished = False
    found = Discovery(root_missing=is_missing_folder(root))
    loops = _LoopGuard(str(root))
    to_do = [scope]
    while to_do:
        start = to_do.pop()
        # One call for the whole tree: a walk in Python would wait for the GIL at every folder.
        files, empty_runs, links, unreadable, is_missing, vanished = _core.walk(
            str(root), start, event_file_mark=EVENT_FILE_MARK, empty_run_suffix=EMPTY_RUN_SUFFIX, skipped=TRASH
        )
        found.files += [FoundFile(folder, name, Identity(*identity)) for folder, name, *identity in files]
        found.runs.update(empty_runs)
        for folder, error in unreadable:
            found.unreadable[folder] = os.strerror(error)
        to_do += [link for link in links if loops.should_follow(_join(root, link))]
        # The scope itself may be a root that does not exist yet.
        has_vanished |= vanished or (is_missing and start != scope)
    found.runs.update(file.folder for file in found.files)
    return found, has_vanished


def is_missing_folder(path: Path) -> bool:
    """Returns False also if it cannot be known, because of permissions or a disk that does not answer."""
    try:
        return not path.is_dir()
    except OSError:
        return False


class _LoopGuard:
    """Detects symlinks that lead back to a folder above them."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._above: set[tuple[int, int]] | None = None

    def should_follow(self, link: str) -> bool:
        """Whether the link leads to a folder that the walk does not visit anyway."""
        try:
            return not self._closes(link)
        except OSError:
            return False  # the link was removed

    def _closes(self, link: str) -> bool:
        """Whether the link leads to one of its own parent folders, by path or by real path."""
        target = _node(link)
        parent = os.path.dirname(link)  # noqa: PTH120
        while len(parent) > len(self._root):
            if _node(parent) == target:
                return True
            parent = os.path.dirname(parent)  # noqa: PTH120
        if self._above is None:
            real = Path(self._root).resolve()
            self._above = {_node(str(path)) for path in (real, *real.parents)}
        return target in self._above


def _node(path: str) -> tuple[int, int]:
    stat = os.stat(path)  # noqa: PTH116
    return stat.st_dev, stat.st_ino


def _join(root: Path, folder: str) -> str:
    return os.path.join(root, folder) if folder else str(root)  # noqa: PTH118
