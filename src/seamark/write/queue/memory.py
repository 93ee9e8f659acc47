"""A pool of memory for copies of large arrays.

Fresh memory costs a page fault per 4 KB, which takes twenty times as long as copying into it. So the memory of a copy
that is no longer needed is kept, up to a limit, and reused for the next one.
"""

from __future__ import annotations

import mmap
import threading
from contextlib import suppress

MAX_POOLED_BYTES = 64 << 20
# Sizes are rounded up to one of eight between a power of two and the next, so arrays of similar size share memory.
_SIZES_PER_POWER = 8
# Linux 5.14; Python's mmap has no constant for it.
_MADV_POPULATE_WRITE = 23


class Pool:
    """Reuses the most recently used memory, and frees the least recently used when there is too much.

    Never waits for its lock: a copy may be freed anywhere, also in a signal handler that interrupted this code.
    """

    def __init__(self, max_bytes: int = MAX_POOLED_BYTES) -> None:
        self._max_bytes = max_bytes
        self.clear()

    def take(self, nbytes: int) -> mmap.mmap:
        """At least `nbytes` bytes with arbitrary content."""
        size = _rounded(nbytes)
        if self._lock.acquire(blocking=False):
            try:
                for at in reversed(range(len(self._free))):
                    if len(self._free[at]) == size:
                        return self._free.pop(at)
            finally:
                self._lock.release()
        return _map_memory(size)

    def give_back(self, memory: mmap.mmap) -> None:
        """The caller must hold no reference to it any more."""
        if len(memory) > self._max_bytes or not self._lock.acquire(blocking=False):
            return
        try:
            self._free.append(memory)
            while self.pooled_bytes > self._max_bytes:
                del self._free[0]
        finally:
            self._lock.release()

    def clear(self) -> None:
        """Frees the pooled memory. A forked child calls it too: the lock's holder may not exist in the child."""
        self._lock = threading.Lock()
        self._free: list[mmap.mmap] = []

    @property
    def pooled_bytes(self) -> int:
        return sum(map(len, self._free))


def _rounded(nbytes: int) -> int:
    step = max(mmap.PAGESIZE, (1 << (nbytes - 1).bit_length()) // (2 * _SIZES_PER_POWER))
    return -(-nbytes // step) * step


def _map_memory(size: int) -> mmap.mmap:
    # Private: a forked child gets a copy.
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    # Populating all pages at once is cheaper than one by one. Huge pages would be cheapest, but on fragmented memory
    # the training would wait until the kernel has made some.
    for advice in (getattr(mmap, "MADV_NOHUGEPAGE", None), _MADV_POPULATE_WRITE):
        if advice is not None:
            with suppress(OSError, ValueError):  # a kernel that does not know it
                memory.madvise(advice)
    return memory


# Shared by all writers of the process.
pool = Pool()
