"""The files in a run's folder, and none outside of it."""

from __future__ import annotations

import errno
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
from seamark.store import inside
from seamark.store.discovery import EVENT_FILE_MARK
from seamark.store.inside import OutsideError

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


def open_inside(folder: Path, relative: str) -> BinaryIO:
    """The file, opened for reading. Neither a pipe nor a device: those would never end. Hidden files are not shown."""
    if "\\" in relative or relative.startswith("/"):
        raise OutsideError(f"want the path of a file inside the run's folder, got {relative[:200]!r}")
    if any(part.startswith(".") and is_hidden(part) and part not in (".", "..") for part in relative.split("/")):
        raise OutsideError(f"hidden files are not shown, got {relative[:200]!r}")
    try:
        file = inside.open_inside(folder, relative)
    except OutsideError:
        raise
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
            raise GoneError(f"'{relative[:200]}' cannot be read ({error.strerror})") from None
        raise GoneError(f"there is no file '{relative[:200]}' in the run's folder") from None
    # A link inside the folder may still lead to a hidden file.
    if not is_inside(folder, Path(os.path.realpath(folder / relative))):
        file.close()
        raise OutsideError(f"'{relative[:200]}' is a link to a hidden file, which is not shown")
    return file


def is_inside(folder: Path, resolved: Path) -> bool:
    root = folder.resolve()
    return resolved.is_relative_to(root) and not any(map(is_hidden, resolved.relative_to(root).parts))


def is_hidden(name: str) -> bool:
    return name.startswith(".") and name not in SHOWN_HIDDEN


def is_text(name: str) -> bool:
    """Whether it can be told in JSON and asked for again."""
    return name.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in name)
