"""Temporary folders: removed when they are no longer used, and by the next process if theirs was killed."""

from __future__ import annotations

import fcntl
import functools
import logging
import os
import shutil
import tempfile
import weakref
from pathlib import Path

LOG = logging.getLogger(__name__)
PREFIX = "seamark-tmp-"
LOCK_NAME = ".lock"


def make_temporary_folder(purpose: str) -> tempfile.TemporaryDirectory[str]:
    """Lasts as long as the object or the process."""
    _remove_left_ones_once()
    folder = tempfile.TemporaryDirectory(prefix=f"{PREFIX}{purpose}-", ignore_cleanup_errors=True)
    weakref.finalize(folder, os.close, _lock(Path(folder.name)))
    return folder


def _lock(folder: Path) -> int:
    """Held until the process ends in any way."""
    descriptor = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    return descriptor


@functools.cache
def _remove_left_ones_once() -> None:
    try:
        remove_left_folders(Path(tempfile.gettempdir()))
    except OSError as error:
        LOG.info("temporary folders of ended processes are not removed: %s", error)


def remove_left_folders(parent: Path) -> None:
    """Those of this user whose process has ended."""
    with os.scandir(parent) as entries:
        found = [entry for entry in entries if entry.name.startswith(PREFIX) and entry.is_dir(follow_symlinks=False)]
    for entry in found:
        if entry.stat(follow_symlinks=False).st_uid == os.getuid() and _is_left(Path(entry.path)):
            shutil.rmtree(entry.path, ignore_errors=True)


def _is_left(folder: Path) -> bool:
    """Whether nobody holds its lock. A folder without one is being made."""
    try:
        descriptor = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True
