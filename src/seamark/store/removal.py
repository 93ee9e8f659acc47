"""Taking runs away: into a trash folder in the log directory, or for good. Only their own folders are touched."""

from __future__ import annotations

import errno
import os
import shutil
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from seamark.store.discovery import EVENT_FILE_MARK, TRASH
from seamark.store.roots import LogRoot

# Of a run in the log directory itself only these are its own: the folder holds all else there is.
OWN_NAMES = frozenset({"run.json", "console.log", "diff.patch"})


class RemovalError(ValueError):
    """These runs cannot be taken away; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Doomed:
    """A file to go: `relative` to `root`."""

    root: Path
    relative: str
    bytes: int

    @property
    def path(self) -> Path:
        return self.root / self.relative


@dataclass(slots=True)
class Removed:
    """What became of a plan."""

    trash: list[Path] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def plan_removal(folders: Collection[Path], *, roots: Sequence[LogRoot], others: Collection[Path]) -> list[Doomed]:
    """Every file of these run folders, by path. Folders of `others`, runs that stay, are left alone as a whole."""
    kept = {str(path) for path in others}
    found: dict[Path, Doomed] = {}
    for folder in folders:
        root = root_of(folder, roots)
        is_root = folder == root
        for entry in _files(str(folder), kept, is_shallow=is_root):
            if is_root and EVENT_FILE_MARK not in entry.name and entry.name not in OWN_NAMES:
                continue
            with suppress(OSError):
                path = Path(entry.path)
                size = entry.stat(follow_symlinks=False).st_size
                found[path] = Doomed(root, str(path.relative_to(root)), size)
    return [found[path] for path in sorted(found)]


def root_of(folder: Path, roots: Sequence[LogRoot]) -> Path:
    """The log directory that a run's folder lies in, by its name and in truth."""
    inside = [root.path for root in roots if folder == root.path or root.path in folder.parents]
    if not inside:
        raise RemovalError(f"this folder lies in no log directory; it is not touched: '{folder}'")
    root = max(inside, key=lambda path: len(path.parts))
    # A link in between leads to files that are somebody else's, even inside the log directory.
    if folder.resolve() != root.resolve() / folder.relative_to(root):
        raise RemovalError(f"this folder is or lies behind a link to another place; remove it by hand: '{folder}'")
    return root


def move_to_trash(doomed: Sequence[Doomed], *, now: float | None = None) -> Removed:
    """Each log directory has its own trash folder; a file keeps its place in it, so that it can be moved back."""
    removed = Removed()
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(now))
    for root in dict.fromkeys(file.root for file in doomed):
        if (root / TRASH).is_symlink():
            raise RemovalError(f"the trash folder is a link to another place; nothing was touched: '{root / TRASH}'")
        trash = _made_anew(root / TRASH / stamp)
        removed.trash.append(trash)
        for file in doomed:
            if file.root == root:
                _attempt(file, partial(_move, file.path, trash / file.relative), removed)
    _remove_empty_folders(doomed)
    return removed


def delete(doomed: Sequence[Doomed]) -> Removed:
    removed = Removed()
    for file in doomed:
        _attempt(file, file.path.unlink, removed)
    _remove_empty_folders(doomed)
    return removed


def _files(folder: str, kept: Collection[str], *, is_shallow: bool) -> Iterator[os.DirEntry[str]]:
    """Links are files here: what they lead to stays."""
    try:
        entries = list(os.scandir(folder))
    except OSError as error:
        raise RemovalError(f"this folder cannot be read ({error.strerror}); nothing was touched: '{folder}'") from None
    for entry in entries:
        if not entry.is_dir(follow_symlinks=False):
            yield entry
        elif not is_shallow and entry.path not in kept and entry.name != TRASH:
            yield from _files(entry.path, kept, is_shallow=False)


def _attempt(file: Doomed, act: Callable[[], None], removed: Removed) -> None:
    try:
        act()
    except FileNotFoundError:
        pass  # gone already
    except OSError as error:
        removed.problems.append(f"this file could not be taken away ({error.strerror or error}): '{file.path}'")


def _move(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        source.rename(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        shutil.move(source, target)


def _made_anew(folder: Path) -> Path:
    """A folder that was not there: two removals in one second do not mix."""
    for n in range(1, 1000):
        candidate = folder if n == 1 else folder.with_name(f"{folder.name}-{n}")
        with suppress(FileExistsError):
            candidate.mkdir(parents=True)
            return candidate
    raise RemovalError(f"no new folder can be made in the trash: '{folder.parent}'")


def _remove_empty_folders(doomed: Sequence[Doomed]) -> None:
    """The deepest first, and never a log directory."""
    folders = {file.root: set[Path]() for file in doomed}
    for file in doomed:
        parent = file.path.parent
        while parent != file.root:
            folders[file.root].add(parent)
            parent = parent.parent
    for found in folders.values():
        for folder in sorted(found, key=lambda path: -len(path.parts)):
            with suppress(OSError):
                folder.rmdir()
