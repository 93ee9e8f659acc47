"""Threads for blocks of matrices. The server's OpenBLAS has one thread, because several of them wait by spinning."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

THREADS = min(8, os.cpu_count() or 1)


def map_in_threads(function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """The results in the order of the items."""
    waiting = list(items)
    if len(waiting) < 2 or THREADS < 2:
        return [function(item) for item in waiting]
    with ThreadPoolExecutor(min(THREADS, len(waiting))) as pool:
        return list(pool.map(function, waiting))


def spans(count: int, parts: int = THREADS) -> list[slice]:
    """As many parts of about the same size as there are threads; fewer of a small count."""
    size = max(1, -(-count // parts))
    return [slice(start, min(count, start + size)) for start in range(0, count, size)]
