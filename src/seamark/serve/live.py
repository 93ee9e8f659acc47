"""Live push: one thread listens to the store, every open page gets what changed as server-sent events."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator
from dataclasses import asdict

from seamark.serve.answers import json_bytes
from seamark.store import Delta, Store

HEARTBEAT_SECS = 15.0
PROGRESS_SECS = 0.2
IDLE_SECS = 1.0
# A page that does not take this many messages is told to read everything again instead.
QUEUE_LENGTH = 256
RESYNC = b'event: change\ndata: {"version":0,"resync":true,"tags":[]}\n\n'

Queue = asyncio.Queue[bytes | None]


class Live:
    """Owns the listening thread. `start` inside the event loop; `close` from anywhere, also from a signal handler."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queues: set[Queue] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing = threading.Event()
        self._progress = b""
        self._thread = threading.Thread(target=self._listen, name="seamark-live", daemon=True)

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        # Here and not in the thread: from the first page on nothing is missed.
        self._subscription = self._store.subscribe()
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        self._post(None)

    async def messages(self) -> AsyncIterator[bytes]:
        """What one page is sent, until it goes away or the server ends."""
        queue: Queue = asyncio.Queue(QUEUE_LENGTH)
        self._queues.add(queue)
        try:
            # The page waits one second before it connects again after a lost line.
            yield b"retry: 1000\n\n"
            if self._progress:
                yield self._progress
            while not self._closing.is_set():
                try:
                    message = await asyncio.wait_for(queue.get(), HEARTBEAT_SECS)
                except TimeoutError:
                    message = b": still here\n\n"
                if message is None:
                    return
                yield message
        finally:
            self._queues.discard(queue)

    def _listen(self) -> None:
        loading = True
        try:
            while not self._closing.is_set():
                loading = self._report_progress() if loading else False
                delta = self._subscription.get(PROGRESS_SECS if loading else IDLE_SECS)
                if delta is not None:
                    self._post(change_message(delta))
        finally:
            self._subscription.close()

    def _report_progress(self) -> bool:
        progress = self._store.progress()
        message = b"event: progress\ndata: " + json_bytes(asdict(progress)) + b"\n\n"
        if message != self._progress:
            self._progress = message
            self._post(message)
        return progress.loading

    def _post(self, message: bytes | None) -> None:
        # The loop may be gone already when the server ends: then nobody listens any more.
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._hand_out, message)

    def _hand_out(self, message: bytes | None) -> None:
        for queue in self._queues:
            overflows = queue.full()
            if overflows or message is None:
                while not queue.empty():
                    queue.get_nowait()
            queue.put_nowait(RESYNC if overflows and message is not None else message)


def change_message(delta: Delta) -> bytes:
    """Names what changed. The points themselves are fetched by the charts that are on screen, at their own width."""
    tags = sorted({tag for tags in delta.appended.values() for tag in tags})
    change = {
        "version": delta.version,
        "runs_added": sorted(delta.runs_added),
        "runs_removed": sorted(delta.runs_removed),
        "runs_reset": sorted(delta.runs_reset),
        "resync": bool(delta.runs_added or delta.runs_removed or delta.runs_reset),
        "tags": tags,
    }
    return b"id: %d\nevent: change\ndata: %s\n\n" % (delta.version, json_bytes(change))
