"""Holes: bytes of a copied event file that were given back to the disk, and are fetched again when they are needed.

Where the holes are is asked of the file system, so that there is no list that could be wrong.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys

# What tells whether a file is still the same is read often, and stays: its beginning and its end.
KEPT_BYTES = 64 << 10
# A multiple of the blocks of every file system: a block that is filled in part would look as if all of it were there.
BLOCK_BYTES = 64 << 10
_PUNCH_HOLE_KEEP_SIZE = 0x02 | 0x01  # of Linux' fallocate


def punch(path: str) -> bool:
    """Gives back all but the ends of a file. False where the system cannot; the file is then as before."""
    if sys.platform != "linux":
        return False
    descriptor = os.open(path, os.O_RDWR)
    try:
        before = os.fstat(descriptor)
        start, stop = KEPT_BYTES, (before.st_size - KEPT_BYTES) // BLOCK_BYTES * BLOCK_BYTES
        if stop <= start:
            return True
        libc = ctypes.CDLL(None, use_errno=True)
        libc.fallocate.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64]
        if libc.fallocate(descriptor, _PUNCH_HOLE_KEEP_SIZE, start, stop - start) != 0:
            return False
        # The store knows a file by the time it was changed.
        os.utime(descriptor, ns=(before.st_atime_ns, before.st_mtime_ns))
        return True
    finally:
        os.close(descriptor)


def holes(descriptor: int, start: int, stop: int) -> list[tuple[int, int]]:
    """The holes within a range of a file, which is widened to whole blocks."""
    found: list[tuple[int, int]] = []
    stop = min(-(-stop // BLOCK_BYTES) * BLOCK_BYTES, os.fstat(descriptor).st_size)
    at = start // BLOCK_BYTES * BLOCK_BYTES
    while at < stop:
        hole = os.lseek(descriptor, at, os.SEEK_HOLE)
        if hole >= stop:
            break
        at = _next_data(descriptor, hole, stop)
        found.append((hole, at))
    return found


def _next_data(descriptor: int, hole: int, stop: int) -> int:
    try:
        return min(stop, os.lseek(descriptor, hole, os.SEEK_DATA))
    except OSError as error:
        if error.errno == errno.ENXIO:  # a hole up to the end of the file
            return stop
        raise
