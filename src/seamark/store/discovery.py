"""Finds event files: every folder that holds a file with 'tfevents' in its name is a run."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from seamark import _core
from seamark.store.roots import shown
from seamark.store.status import Problem, Severity

EVENT_FILE_MARK = "tfevents"
EMPTY_RUN_SUFFIX = ".profile-empty"
# Where runs that were taken away lie, in the log directory; see removal.py.
TRASH = ".seamark-trash"


class Identity(NamedTuple):
    """What tells whether a file is still the one that was read, without opening it."""

    dev: int
    ino: int
    size: int
    mtime_ns: int

    @staticmethod
    def of(stat: os.stat_result) -> Identity:
        return Identity(stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns)

    def unfinished(self) -> Identity:
        """Of a file that is not read to its end: equal to no file's, so that it is visited again."""
        return self._replace(size=-1, mtime_ns=0)


class FoundFile(NamedTuple):
    """An event file. `folder` is relative to the root with "/" between its parts, "" for the root."""

    folder: str
    name: str
    identity: Identity


MAX_WALKS = 3


@dataclass(slots=True)
class Discovery:
    """What one walk saw. What lies under an `unreadable` folder is unknown, not gone."""

    files: list[FoundFile] = field(default_factory=list)
    runs: set[str] = field(default_factory=set)  # folders, also of runs without any data
    unreadable: dict[str, Problem] = field(default_factory=dict)  # by folder
    root_missing: bool = False


def discover(root: Path, scope: str = "") -> Discovery:
    """Walks `scope` (a folder below the root) and all below it.

    A folder that vanishes during the walk may have been renamed to a place the walk had been at already: it starts
    over, or the runs in it would be gone from here and not yet there.
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
        # In one go: a walk that asked Python at every folder would wait for its turn at every folder.
        files, empty_runs, links, unreadable, is_missing, vanished = _core.walk(
            str(root), start, event_mark=EVENT_FILE_MARK, empty_end=EMPTY_RUN_SUFFIX, skipped=TRASH
        )
        found.files += [FoundFile(folder, name, Identity(*identity)) for folder, name, *identity in files]
        found.runs.update(empty_runs)
        for folder, error in unreadable:
            found.unreadable[folder] = _unreadable(root, folder, error)
        to_do += [link for link in links if loops.leads_on(_join(root, link))]
        # The scope itself may be a root that is not there yet.
        has_vanished |= vanished or (is_missing and start != scope)
    found.runs.update(file.folder for file in found.files)
    return found, has_vanished


def is_missing_folder(path: Path) -> bool:
    """False also of one that cannot be looked at, because a folder above it is closed or a disk does not answer."""
    try:
        return not path.is_dir()
    except OSError:
        return False


class _LoopGuard:
    """Only a symlink can close a loop, so only symlinks pay for the check."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._above: set[tuple[int, int]] | None = None

    def leads_on(self, link: str) -> bool:
        """Whether there is something new behind it."""
        try:
            return not self._closes(link)
        except OSError:
            return False  # it vanished

    def _closes(self, link: str) -> bool:
        """Whether the link leads to a folder that it lies in itself, by name or by its real place."""
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


def _unreadable(root: Path, folder: str, error: int) -> Problem:
    path = shown(_join(root, folder))
    reason = os.strerror(error)
    return Problem(Severity.ERROR, f"this folder cannot be read ({reason}); runs in it are not shown: '{path}'", path)
