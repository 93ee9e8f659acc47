"""The thread pools that handlers run in. An application owns one set of them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, TypeVar

from starlette.concurrency import run_in_threadpool

from seamark.foreground import FOREGROUND

T = TypeVar("T")
# default: Starlette's pool. heavy: requests that span a thousand runs; few at a time, so that fifty pages need no more
# memory than a few. table: requests that need the table of runs. That reads files of the runs' folders, which may take
# long, and charts must not wait for it.
Pool = Literal["default", "heavy", "table"]
TABLE_THREADS = 4
# Requests with long bodies that are received and answered at the same time; what waits is not read from its socket.
LARGE_BODIES_AT_ONCE = 8


class WorkerPools:
    """Threads start when they are needed."""

    def __init__(self) -> None:
        heavy_threads = max(4, 2 * (os.cpu_count() or 1))
        self._heavy = ThreadPoolExecutor(heavy_threads, thread_name_prefix="seamark-heavy")
        self._table = ThreadPoolExecutor(TABLE_THREADS, thread_name_prefix="seamark-table")
        self.large_bodies = asyncio.Semaphore(LARGE_BODIES_AT_ONCE)

    async def run(self, function: Callable[[], T], *, pool: Pool = "default") -> T:
        """Runs a function off the event loop."""

        def answer() -> T:
            with FOREGROUND.answering():
                return function()

        if pool == "default":
            return await run_in_threadpool(answer)
        executor = self._heavy if pool == "heavy" else self._table
        return await asyncio.get_running_loop().run_in_executor(executor, answer)

    def close(self) -> None:
        """Drops queued work; work that has begun ends by itself."""
        self._heavy.shutdown(wait=False, cancel_futures=True)
        self._table.shutdown(wait=False, cancel_futures=True)
