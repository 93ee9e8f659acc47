"""The files in a run's folder, and none outside of it."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from seamark.compare.config_files import HYDRA
from seamark.compare.settings import FileKind
from seamark.format import run_record
from seamark.format.config_names import CONFIG_NAMES
from seamark.store.discovery import EVENT_FILE_MARK

MAX_FILES = 1000
MAX_LOOKED_AT = 20_000
MAX_DEPTH = 6
TEXT_SUFFIXES = frozenset(
    {".txt", ".md", ".csv", ".tsv", ".json", ".jsonl", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".py", ".sh", ".patch"}
)
IMAGE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp"})
CONSOLE_SUFFIXES = frozenset({".log", ".out", ".err"})
# Hidden files hold keys and settings of programs more often than results; Hydra's folder is the run's own.
SHOWN_HIDDEN = frozenset({HYDRA})


class OutsideError(ValueError):
    """The path leads out of the run's folder, or to what is not shown; the message is one sentence."""


class GoneError(FileNotFoundError):
    """There is no such file; the message is one sentence."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class FoundFile:
    """`path` is relative to the run's folder, with slashes."""

    path: str
    bytes: int
    modified: float
    kind: FileKind


@dataclass(frozen=True, slots=True)
class Listing:
    files: tuple[FoundFile, ...]
    is_complete: bool


def list_files(folder: Path, *, other_runs: Collection[Path] = ()) -> Listing:
    """The run's own files, by path; folders of other runs in it are theirs."""
    others = {str(path) for path in other_runs}
    found: list[FoundFile] = []
    for looked_at, (relative, entry) in enumerate(_walk(folder, others)):
        if looked_at >= MAX_LOOKED_AT or len(found) >= MAX_FILES:
            return Listing(tuple(sorted(found, key=lambda file: file.path)), is_complete=False)
        with suppress(OSError):
            information = entry.stat()
            if stat.S_ISREG(information.st_mode):
                found.append(FoundFile(relative, information.st_size, information.st_mtime, kind_of(relative)))
    return Listing(tuple(sorted(found, key=lambda file: file.path)), is_complete=True)


def _walk(folder: Path, others: Collection[str]) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Files, the uppermost first. Links to folders are not followed: they may lead anywhere, and in circles."""
    level = [(str(folder), "")]
    for _ in range(MAX_DEPTH):
        below: list[tuple[str, str]] = []
        for place, prefix in level:
            try:
                entries = sorted(os.scandir(place), key=lambda entry: entry.name)
            except OSError:
                continue
            for entry in entries:
                if is_hidden(entry.name) or not is_text(entry.name):
                    continue
                with suppress(OSError, RuntimeError):  # the latter of links in a circle, before Python 3.13
                    if entry.is_dir(follow_symlinks=False):
                        if entry.path not in others:
                            below.append((entry.path, f"{prefix}{entry.name}/"))
                    elif not entry.is_symlink() or is_inside(folder, Path(entry.path).resolve()):
                        yield prefix + entry.name, entry
        level = below


def kind_of(relative: str) -> FileKind:
    path = Path(relative)
    suffix = path.suffix.lower()
    if EVENT_FILE_MARK in path.name:
        return "events"
    if relative == run_record.FILE_NAME:
        return "record"
    if suffix in CONSOLE_SUFFIXES:
        return "console"
    if suffix in (".patch", ".diff"):
        return "diff"
    if relative in CONFIG_NAMES or path.parts[0] == HYDRA:
        return "config"
    return "text" if suffix in TEXT_SUFFIXES else "image" if suffix in IMAGE_SUFFIXES else "other"


def inside(folder: Path, relative: str) -> Path:
    """The file that `relative` names, with every link resolved; OutsideError when it does not lie in the folder."""
    if not relative or "\0" in relative or "\\" in relative or relative.startswith("/"):
        raise OutsideError(f"want the path of a file inside the run's folder, got {relative[:200]!r}")
    parts = relative.split("/")
    if any(part in ("", ".", "..") for part in parts):
        raise OutsideError(f"a path inside the run's folder has no '.', '..' or empty parts, got {relative[:200]!r}")
    if any(map(is_hidden, parts)):
        raise OutsideError(f"hidden files are not shown, got {relative[:200]!r}")
    try:
        path = (folder / relative).resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        raise GoneError(f"there is no file '{relative[:200]}' in the run's folder") from None
    if not is_inside(folder, path):
        raise OutsideError(f"'{relative[:200]}' leads out of the run's folder")
    return path


def is_inside(folder: Path, resolved: Path) -> bool:
    root = folder.resolve()
    # A link inside the folder may still lead to a hidden file.
    return resolved.is_relative_to(root) and not any(map(is_hidden, resolved.relative_to(root).parts))


def open_inside(folder: Path, relative: str) -> BinaryIO:
    """The file, opened for reading. Neither a pipe nor a device: those would never end."""
    path = inside(folder, relative)
    # Resolved already: a link that took its place meanwhile is not followed.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags)
    except OSError as error:
        raise GoneError(f"'{relative[:200]}' cannot be read ({error.strerror or type(error).__name__})") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise GoneError(f"'{relative[:200]}' is no file")
    return os.fdopen(descriptor, "rb")


def is_hidden(name: str) -> bool:
    return name.startswith(".") and name not in SHOWN_HIDDEN


def is_text(name: str) -> bool:
    """Whether it can be told in JSON and asked for again."""
    return name.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in name)
