"""Copies files into a run's folder, up to limits on number, size and free disk space."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

MAX_FILES = 10_000
# Disk space that stays free for event files.
MIN_FREE_BYTES = 256 << 20
CHUNK_BYTES = 1 << 20
# Viewers show a folder with such a file as a run.
EVENT_FILE_MARK = "tfevents"


class CopyError(ValueError):
    """Files cannot be copied; the message is one sentence."""


@dataclass
class Copied:
    files: list[Path] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)  # why, per file


def copy_files(pairs: Sequence[tuple[Path, str]], folder: Path, *, max_file_bytes: int) -> Copied:
    """Copies each file to its relative path below `folder`. Files that are too large or not regular are left out."""
    result = Copied()
    wanted: list[tuple[Path, str]] = []
    for source, relative in pairs[:MAX_FILES]:
        reason = _reason_against(source, max_file_bytes)
        if reason:
            result.left_out.append(f"'{source}' {reason}")
        else:
            wanted.append((source, relative))
    if len(pairs) > MAX_FILES:
        result.left_out.append(f"{len(pairs) - MAX_FILES} files are beyond the limit of {MAX_FILES}")
    check_free_space(folder, sum(source.stat().st_size for source, _ in wanted))
    for source, relative in wanted:
        target = folder / inside(relative)
        target.parent.mkdir(parents=True, exist_ok=True)
        # Renamed when complete: readers never see half of a file, and a kill leaves the previous one.
        unfinished = target.with_name(f".{target.name[:100]}.{os.getpid()}.unfinished")
        try:
            shutil.copyfile(source, unfinished)
            unfinished.replace(target)
        finally:
            unfinished.unlink(missing_ok=True)
        result.files.append(target)
    return result


def inside(relative: str) -> str:
    """A relative path without parts that lead out of the folder."""
    parts = [part for part in relative.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return "/".join(parts) or "file"


def check_free_space(folder: Path, nbytes: int) -> None:
    existing = folder
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    free = shutil.disk_usage(existing).free
    if nbytes > 0 and free - nbytes < MIN_FREE_BYTES:
        kept = f"{MIN_FREE_BYTES >> 20} MB"
        raise CopyError(f"{nbytes:,} bytes would leave less than {kept} of the {free:,} that are free: '{folder}'")


def files_below(folder: Path, *, skipped: Path, with_hidden: bool) -> Iterator[tuple[Path, str]]:
    """Yields every file with its relative path, in order. Does not follow links to folders: they may form a cycle."""
    for parent, folders, names in os.walk(folder):
        shown = [name for name in folders if with_hidden or not name.startswith(".")]
        folders[:] = sorted(name for name in shown if Path(parent, name).resolve() != skipped)
        for name in sorted(name for name in names if with_hidden or not name.startswith(".")):
            path = Path(parent, name)
            yield path, path.relative_to(folder).as_posix()


def digest_of(path: Path) -> str:
    hashed = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            hashed.update(chunk)
    return hashed.hexdigest()


def _reason_against(source: Path, max_file_bytes: int) -> str:
    if not source.is_file():
        return "is not a file"
    if EVENT_FILE_MARK in source.name:
        return "is an event file, which would be shown as another run"
    if source.stat().st_size > max_file_bytes:
        return f"has more than {max_file_bytes:,} bytes"
    return ""
