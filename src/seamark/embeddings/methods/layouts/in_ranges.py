"""Shares the work of functions of the core between threads, which stay: an epoch takes only milliseconds."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from seamark.embeddings.threads import THREADS

# Below this a second thread costs more than it saves.
MIN_COUNT = 128


def in_ranges(work: Callable[[int, int], None], count: int) -> None:
    """Calls `work(first, end)` for ranges that together are [0, count); it releases the GIL."""
    parts = min(THREADS, count // MIN_COUNT)
    if parts < 2:
        work(0, count)
        return
    # More ranges than threads: they do not all take the same time.
    bounds = [count * part // (2 * parts) for part in range(2 * parts + 1)]
    for _ in _pool().map(work, bounds[:-1], bounds[1:]):
        pass


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(THREADS, "seamark-layout")
