"""Opens files inside a run's folder, and no others.

In a shared log directory anyone can create a link to a private file of the user who runs the server. Links are followed
only if they stay inside the run's folder or one of the log directories.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from seamark.store.discover.roots import LogRoot

# O_NONBLOCK: opening a named pipe must not block.
_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# Errors of opening a link with O_NOFOLLOW: as a file, and as a folder (EMLINK on FreeBSD).
_LINK_ERRNOS = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})


class OutsideError(ValueError):
    """The path leads out of the run's folder; the message is a complete sentence."""


def open_inside(folder: Path | str, relative: str, *, roots: Sequence[LogRoot] = ()) -> BinaryIO:
    """Opens the regular file `relative` of `folder`. Raises OutsideError if it is elsewhere, or OSError.

    `folder` itself may be a link: the user or the walk of the log directory chose it.
    """
    parts = relative.split("/")
    if not relative or "\0" in relative or any(part in ("", ".", "..") for part in parts):
        raise OutsideError(f"a path inside a run's folder has no '.', '..' or empty parts, got {relative[:200]!r}")
    try:
        descriptor = _walk(os.fspath(folder), parts)
    except OSError as error:
        if error.errno not in _LINK_ERRNOS:
            raise
        descriptor = _follow(os.fspath(folder), relative, roots)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise FileNotFoundError(errno.ENOENT, "not a regular file", relative)
    return os.fdopen(descriptor, "rb")


def _follow(folder: str, relative: str, roots: Sequence[LogRoot]) -> int:
    """Opens a path with a link in it by its real path. A link that is created meanwhile is not followed."""
    real = os.path.realpath(f"{folder}/{relative}")
    for base in (folder, *(os.fspath(root.path) for root in roots)):
        root = os.path.realpath(base)
        inner = os.path.relpath(real, root)
        if inner != "." and inner.partition("/")[0] != "..":
            return _walk(root, inner.split("/"))
    raise OutsideError(f"'{relative[:200]}' is a link that leads out of the run's folder and the log directory")


def _walk(root: str, parts: Sequence[str]) -> int:
    """Opens the parts one after the other, none of which may be a link, so that no part can be swapped meanwhile."""
    descriptor = os.open(root, _FOLDER_FLAGS)
    try:
        for part in parts[:-1]:
            below = os.open(part, _FOLDER_FLAGS | os.O_NOFOLLOW, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        return os.open(parts[-1], _FILE_FLAGS, dir_fd=descriptor)
    finally:
        os.close(descriptor)
