"""Lists and opens the files inside a run's folder."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from seamark.compare.record.folder_reader import HYDRA
from seamark.compare.settings import FileKind
from seamark.format import run_record
from seamark.format.config_names import CONFIG_NAMES
from seamark.store import EVENT_FILE_MARK, OutsideError
from seamark.store import open_inside as open_in_folder

MAX_FILES = 1000
MAX_VISITED = 20_000
MAX_DEPTH = 6
TEXT_SUFFIXES = frozenset(
    {".txt", ".md", ".csv", ".tsv", ".json", ".jsonl", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".py", ".sh", ".patch"}
)
IMAGE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp"})
CONSOLE_SUFFIXES = frozenset({".log", ".out", ".err"})
# Hidden files often contain keys and program settings; Hydra's folder is part of the run.
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
    """The run's files, sorted by path, without the folders of other runs."""
    others = {str(path) for path in other_runs}
    found: list[FoundFile] = []
    for visited, (relative, entry) in enumerate(_walk(folder, others)):
        if visited >= MAX_VISITED or len(found) >= MAX_FILES:
            return Listing(tuple(sorted(found, key=lambda file: file.path)), is_complete=False)
        with suppress(OSError):
            information = entry.stat()
            if stat.S_ISREG(information.st_mode):
                found.append(FoundFile(relative, information.st_size, information.st_mtime, kind_of(relative)))
    return Listing(tuple(sorted(found, key=lambda file: file.path)), is_complete=True)


def _walk(folder: Path, others: Collection[str]) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Walks the files breadth first. Does not follow links to folders, which may lead outside or in circles."""
    level = [(str(folder), "")]
    for _ in range(MAX_DEPTH):
        below: list[tuple[str, str]] = []
        for path, prefix in level:
            try:
                entries = sorted(os.scandir(path), key=lambda entry: entry.name)
            except OSError:
                continue
            for entry in entries:
                if is_hidden(entry.name) or not is_unicode(entry.name):
                    continue
                with suppress(OSError, RuntimeError):  # RuntimeError: circular links, before Python 3.13
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
    """Opens a regular file for reading, not a pipe, a device or a hidden file."""
    if "\\" in relative or relative.startswith("/"):
        raise OutsideError(f"want the path of a file inside the run's folder, got {relative[:200]!r}")
    if any(part.startswith(".") and is_hidden(part) and part not in (".", "..") for part in relative.split("/")):
        raise OutsideError(f"hidden files are not shown, got {relative[:200]!r}")
    try:
        file = open_in_folder(folder, relative)
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


def is_unicode(name: str) -> bool:
    """Whether the name is valid Unicode, so that clients can request the file by it."""
    return name.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in name)
