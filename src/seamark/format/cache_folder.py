"""Folders of cached files: each written completely or not at all; the least used are removed above a limit."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

UNFINISHED_SUFFIX = ".tmp"
UNFINISHED_AFTER_SECS = 3600.0


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A new file that takes the place of `path` when the block ends without an error."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=UNFINISHED_SUFFIX, delete=False) as file:
        try:
            yield file
            file.close()
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def mark_used(path: Path) -> None:
    os.utime(path)


def remove_least_used(folder: Path, suffixes: tuple[str, ...], max_bytes: int) -> None:
    """Keeps the files that were used last, within the limit; removes what a crashed writer left."""
    now = time.time()
    files: list[tuple[float, int, Path]] = []
    for path in folder.iterdir():
        try:
            status = path.stat()
        except FileNotFoundError:
            continue  # removed by another process
        if path.suffix in suffixes:
            files.append((status.st_mtime, status.st_size, path))
        elif path.suffix == UNFINISHED_SUFFIX and now - status.st_mtime > UNFINISHED_AFTER_SECS:
            path.unlink(missing_ok=True)
    total = 0
    for _, size, path in sorted(files, reverse=True):
        total += size
        if total > max_bytes:
            path.unlink(missing_ok=True)
