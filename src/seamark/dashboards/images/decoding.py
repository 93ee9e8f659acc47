"""Threads that decode pictures: few, to bound memory, and separate from those of other requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

LIGHT_AT_ONCE = 2
# A task that decodes more pixels runs in the thread for large pictures.
MAX_LIGHT_PIXELS = 12_000_000

T = TypeVar("T")


class TooHeavyError(Exception):
    """The task would have to decode too many pixels."""


class DecodingThreads:
    """Two threads for most pictures and one for large ones, started when needed."""

    def __init__(self) -> None:
        self._light = ThreadPoolExecutor(LIGHT_AT_ONCE, thread_name_prefix="seamark-pictures")
        self._heavy = ThreadPoolExecutor(1, thread_name_prefix="seamark-large-pictures")

    async def run(self, task: Callable[[int | None], T]) -> T:
        """Runs `task` with a limit of pixels; if it raises TooHeavyError, runs it again without a limit (None)."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._light, task, MAX_LIGHT_PIXELS)
        except TooHeavyError:
            return await loop.run_in_executor(self._heavy, task, None)


def check_weight(pixels: int, max_pixels: int | None) -> None:
    if max_pixels is not None and pixels > max_pixels:
        raise TooHeavyError
