"""Threads that decode pictures: few, so that memory stays bounded, and apart from those that answer other requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

LIGHT_AT_ONCE = 2
# What one light task may decode. A picture or an animation that takes more waits for others of its kind only.
MAX_LIGHT_PIXELS = 12_000_000

T = TypeVar("T")


class TooHeavyError(Exception):
    """The task would decode more pixels than it may."""


class DecodingThreads:
    """Two for pictures of a usual size and one for large ones. They start when they are needed."""

    def __init__(self) -> None:
        self._light = ThreadPoolExecutor(LIGHT_AT_ONCE, thread_name_prefix="seamark-pictures")
        self._heavy = ThreadPoolExecutor(1, thread_name_prefix="seamark-large-pictures")

    async def run(self, task: Callable[[int | None], T]) -> T:
        """`task` gets the number of pixels it may decode, None for any, and raises TooHeavyError beyond."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._light, task, MAX_LIGHT_PIXELS)
        except TooHeavyError:
            return await loop.run_in_executor(self._heavy, task, None)


def check_weight(pixels: int, max_pixels: int | None) -> None:
    if max_pixels is not None and pixels > max_pixels:
        raise TooHeavyError
