"""Opens files of a run's folder for reading, and nothing outside of it.

On a shared log directory anyone may leave a link to a file of the person who runs the server. A link is followed only
where it stays in the run's folder or in one of `log_dirs`.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

# O_NONBLOCK: opening a named pipe must not wait for a writer.
_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0)
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | getattr(os, "O_CLOEXEC", 0)
# What opening a link with O_NOFOLLOW fails with: as a file, and as a folder (EMLINK on FreeBSD).
_LINK_ERRNOS = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})


class OutsideError(ValueError):
    """The path leads out of the run's folder; the message is one sentence."""


def open_inside(folder: Path | str, relative: str, *, log_dirs: Sequence[Path] = ()) -> BinaryIO:
    """The regular file `relative` of `folder`. OutsideError where it lies elsewhere, OSError where it cannot be read.

    `folder` itself may be a link: the user or discovery chose it.
    """
    parts = relative.split("/")
    if not relative or "\0" in relative or any(part in ("", ".", "..") for part in parts):
        raise OutsideError(f"a path inside a run's folder has no '.', '..' or empty parts, got {relative[:200]!r}")
    try:
        descriptor = _walk(os.fspath(folder), parts)
    except OSError as error:
        if error.errno not in _LINK_ERRNOS:
            raise
        descriptor = _follow(os.fspath(folder), relative, log_dirs)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise FileNotFoundError(errno.ENOENT, "not a regular file", relative)
    return os.fdopen(descriptor, "rb")


def _follow(folder: str, relative: str, log_dirs: Sequence[Path]) -> int:
    """Some part is a link, or no folder. Walked again by its real path: a link made meanwhile is not followed."""
    real = os.path.realpath(f"{folder}/{relative}")
    for base in (folder, *map(os.fspath, log_dirs)):
        root = os.path.realpath(base)
        inner = os.path.relpath(real, root)
        if inner != "." and inner.partition("/")[0] != "..":
            return _walk(root, inner.split("/"))
    raise OutsideError(f"'{relative[:200]}' is a link that leads out of the run's folder and the log directory")


def _walk(root: str, parts: Sequence[str]) -> int:
    """Opens one part after the other, none of which may be a link. The path cannot be swapped for one in between."""
    descriptor = os.open(root, _FOLDER_FLAGS)
    try:
        for part in parts[:-1]:
            below = os.open(part, _FOLDER_FLAGS | os.O_NOFOLLOW, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        return os.open(parts[-1], _FILE_FLAGS, dir_fd=descriptor)
    finally:
        os.close(descriptor)
