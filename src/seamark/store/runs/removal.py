"""Removes runs: moves their files to a trash folder in the log directory, or deletes them."""

from __future__ import annotations

import errno
import os
import shutil
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from msgspec import Struct, field

from seamark.store.discover.roots import LogRoot
from seamark.store.discover.walk import EVENT_FILE_MARK, TRASH

# A run in the log directory itself owns its event files and these files; everything else belongs to others.
OWN_NAMES = frozenset({"run.json", "console.log", "diff.patch"})


class RemovalError(ValueError):
    """The runs cannot be removed; the message is a complete sentence."""


class FileToRemove(Struct, frozen=True):
    """A file to remove; `relative` to the log directory `root`."""

    root: Path
    relative: str
    bytes: int

    @property
    def path(self) -> Path:
        return self.root / self.relative


class RemovalResult(Struct):
    """The trash folders that were created, and the files that could not be removed."""

    trash: list[Path] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def plan_removal(
    folders: Collection[Path], *, roots: Sequence[LogRoot], others: Collection[Path]
) -> list[FileToRemove]:
    """Returns every file of these run folders, by path, without the folders of `others`, the runs that stay."""
    kept = {str(path) for path in others}
    found: dict[Path, FileToRemove] = {}
    for folder in folders:
        root = root_of(folder, roots)
        bucket = next((each.address for each in roots if each.address and each.path == root), None)
        if bucket is not None:
            raise RemovalError(f"runs in a bucket are only read; remove them there: '{bucket}'")
        is_root = folder == root
        for entry in _files(str(folder), kept, is_shallow=is_root):
            if is_root and EVENT_FILE_MARK not in entry.name and entry.name not in OWN_NAMES:
                continue
            with suppress(OSError):
                path = Path(entry.path)
                size = entry.stat(follow_symlinks=False).st_size
                found[path] = FileToRemove(root, str(path.relative_to(root)), size)
    return [found[path] for path in sorted(found)]


def root_of(folder: Path, roots: Sequence[LogRoot]) -> Path:
    """Returns the log directory of a run's folder. Raises RemovalError if a link leads elsewhere."""
    inside = [root.path for root in roots if folder == root.path or root.path in folder.parents]
    if not inside:
        raise RemovalError(f"this folder is in no log directory; nothing was removed: '{folder}'")
    root = max(inside, key=lambda path: len(path.parts))
    # Files behind a link may belong to another run.
    if folder.resolve() != root.resolve() / folder.relative_to(root):
        raise RemovalError(f"this folder is a link, or behind one; remove it by hand: '{folder}'")
    return root


def move_to_trash(files: Sequence[FileToRemove], *, now: float | None = None) -> RemovalResult:
    """Moves files to the trash folder of their log directory, under the same relative path."""
    removed = RemovalResult()
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(now))
    roots = list(dict.fromkeys(file.root for file in files))
    for root in roots:
        if (root / TRASH).is_symlink():
            raise RemovalError(f"the trash folder is a link; nothing was removed: '{root / TRASH}'")
    for root in roots:
        trash = _new_folder(root / TRASH / stamp)
        removed.trash.append(trash)
        for file in files:
            if file.root == root:
                _try(file, partial(_move, file.path, trash / file.relative), removed)
    _remove_empty_folders(files)
    return removed


def delete_files(files: Sequence[FileToRemove]) -> RemovalResult:
    removed = RemovalResult()
    for file in files:
        _try(file, file.path.unlink, removed)
    _remove_empty_folders(files)
    return removed


def _files(folder: str, kept: Collection[str], *, is_shallow: bool) -> Iterator[os.DirEntry[str]]:
    """Yields the files below a folder. Links count as files: their targets stay."""
    try:
        entries = list(os.scandir(folder))
    except OSError as error:
        raise RemovalError(f"this folder cannot be read ({error.strerror}); nothing was removed: '{folder}'") from None
    for entry in entries:
        if not entry.is_dir(follow_symlinks=False):
            yield entry
        elif not is_shallow and entry.path not in kept and entry.name != TRASH:
            yield from _files(entry.path, kept, is_shallow=False)


def _try(file: FileToRemove, act: Callable[[], None], removed: RemovalResult) -> None:
    try:
        act()
    except FileNotFoundError:
        pass  # removed already
    except OSError as error:
        removed.problems.append(f"this file could not be removed ({error.strerror or error}): '{file.path}'")


def _move(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        source.rename(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        shutil.move(source, target)


def _new_folder(folder: Path) -> Path:
    """Creates the folder, or one with a number if it exists: removals within one second stay apart."""
    for n in range(1, 1000):
        candidate = folder if n == 1 else folder.with_name(f"{folder.name}-{n}")
        with suppress(FileExistsError):
            candidate.mkdir(parents=True)
            return candidate
    raise RemovalError(f"no new folder can be created in the trash: '{folder.parent}'")


def _remove_empty_folders(files: Sequence[FileToRemove]) -> None:
    """Removes the deepest folders first, and never a log directory."""
    folders = {file.root: set[Path]() for file in files}
    for file in files:
        parent = file.path.parent
        while parent != file.root:
            folders[file.root].add(parent)
            parent = parent.parent
    for found in folders.values():
        for folder in sorted(found, key=lambda path: -len(path.parts)):
            with suppress(OSError):
                folder.rmdir()
