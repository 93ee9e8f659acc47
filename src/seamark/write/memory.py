"""Memory for copies of large arrays, used again and again.

Fresh from the system, memory costs a page fault for every 4 KB: twenty times what it costs to copy into it. So what a
copy was made in is kept when the copy is no longer needed, up to a bound, and taken for the next one.
"""

from __future__ import annotations

import mmap
import threading
from contextlib import suppress

MAX_KEPT_BYTES = 64 << 20
# Sizes are rounded up to one of eight between a power of two and the next: arrays of about one size share memory.
_STEPS = 8
# Linux 5.14; the constant is not in Python's mmap.
_MADV_POPULATE_WRITE = 23


class Pool:
    """What was used last is taken first, and what was not used for longest goes when there is too much.

    Never waits for its lock: a copy may come to its end anywhere, also in a signal handler that interrupts this code.
    """

    def __init__(self, max_bytes: int = MAX_KEPT_BYTES) -> None:
        self._max_bytes = max_bytes
        self.forget()

    def take(self, nbytes: int) -> mmap.mmap:
        """At least so many bytes, whatever is in them."""
        size = _rounded(nbytes)
        if self._lock.acquire(blocking=False):
            try:
                for at in reversed(range(len(self._kept))):
                    if len(self._kept[at]) == size:
                        return self._kept.pop(at)
            finally:
                self._lock.release()
        return _mapped(size)

    def give_back(self, memory: mmap.mmap) -> None:
        """Nobody may refer to it any more."""
        if len(memory) > self._max_bytes or not self._lock.acquire(blocking=False):
            return
        try:
            self._kept.append(memory)
            while self.kept_bytes > self._max_bytes:
                del self._kept[0]
        finally:
            self._lock.release()

    def forget(self) -> None:
        """The system gets back what is kept. Also for a forked child: the lock's holder may not have come along."""
        self._lock = threading.Lock()
        self._kept: list[mmap.mmap] = []

    @property
    def kept_bytes(self) -> int:
        return sum(map(len, self._kept))


def _rounded(nbytes: int) -> int:
    step = max(mmap.PAGESIZE, (1 << (nbytes - 1).bit_length()) // (2 * _STEPS))
    return -(-nbytes // step) * step


def _mapped(size: int) -> mmap.mmap:
    if not hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, size)
    # Private: a forked child gets a copy, as of everything else.
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    # All pages at once cost less than one by one. Huge ones would cost least, but where memory is fragmented the
    # training waits until there are some.
    for advice in (getattr(mmap, "MADV_NOHUGEPAGE", None), _MADV_POPULATE_WRITE):
        if advice is not None:
            with suppress(OSError, ValueError):  # a system that does not know it
                memory.madvise(advice)
    return memory


# One for the process, however many writers it has.
pool = Pool()
