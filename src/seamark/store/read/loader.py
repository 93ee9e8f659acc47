"""Reads event files in worker threads, the most recently changed first, and counts the progress."""

from __future__ import annotations

import heapq
import itertools
import logging
import os
import threading
import time
from collections.abc import Callable

from seamark._core import FileReader
from seamark.store.discover.roots import printable_path
from seamark.store.read.event_file import EventFile, Outcome, ReadFailure, Visit
from seamark.store.read.file_state import UNREAD
from seamark.store.read.series_table import SeriesEntry
from seamark.store.status import Progress

LOG = logging.getLogger(__name__)
# A file goes back into the queue after this much, so that a large one does not keep newer ones waiting.
SLICE_BYTES = 64 << 20
READ_BYTES = 512 << 10  # two such blocks fit into the cache of one core
MAX_WORKERS = 8
CLOSE_SECS = 5.0


class Loader:
    """Any thread may call it. Its lock guards the queue and each file's `progress`.

    At most one worker visits a file at a time; a file that is enqueued meanwhile is visited once more afterwards.
    """

    def __init__(
        self,
        *,
        workers: int | None,
        on_visit: Callable[[EventFile, Visit], None],
        on_idle: Callable[[], None],
    ) -> None:
        self._on_visit = on_visit
        self._on_idle = on_idle
        self._wake = threading.Condition()
        self._heap: list[tuple[int, int, EventFile]] = []
        self._serial = itertools.count()
        self._queued: set[EventFile] = set()
        self._active: set[EventFile] = set()
        self._again: dict[EventFile, int] = {}
        self._bytes_done = self._bytes_total = self._files_done = self._files_total = 0
        self._is_list_complete = False
        self._is_closing = False
        self._is_abandoned = False  # `close` gave up waiting: results of workers that still read are dropped
        self.loaded = threading.Event()
        count = workers or min(MAX_WORKERS, os.cpu_count() or 1)
        self._threads = [
            threading.Thread(target=self._work, name=f"seamark-loader-{i}", daemon=True) for i in range(max(1, count))
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Waits up to CLOSE_SECS for the files that are being read: a disk may hang."""
        with self._wake:
            self._is_closing = True
            self._wake.notify_all()
        give_up_at = time.monotonic() + CLOSE_SECS
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, give_up_at - time.monotonic()))
        self._is_abandoned = any(thread.is_alive() for thread in self._threads)
        if self._is_abandoned:
            LOG.warning("an event file was still being read %g s after the store was closed", CLOSE_SECS)
        self.loaded.set()  # releases callers of `wait_loaded`

    @property
    def is_busy(self) -> bool:
        return bool(self._heap or self._active)

    def add(self, file: EventFile, size: int, *, is_read: bool) -> None:
        """Counts a new file; `is_read` if the index has all of it."""
        with self._wake:
            self._files_total += 1
            self._set_progress(file, size if is_read else file.state.consumed, size)
            if is_read:
                self._mark_read(file)

    def remove(self, file: EventFile) -> None:
        """Stops counting a file that was removed."""
        with self._wake:
            self._set_progress(file, 0, 0)
            self._mark_read(file)
            self._files_total -= 1
            self._files_done -= 1
        self._check_loaded()

    def enqueue(self, file: EventFile, mtime_ns: int) -> None:
        """Has the file visited soon; files with a later `mtime_ns` come first."""
        with self._wake:
            if file in self._active:
                self._again[file] = mtime_ns
            elif file not in self._queued:
                self._push(file, mtime_ns)

    def reread_from_start(self, file: EventFile, seed: tuple[SeriesEntry, ...] = ()) -> None:
        """Discards the file's content and has it visited; until then it counts as not read."""
        with self._wake:
            if file.is_removed:
                return
            if file.progress.is_read:
                file.progress.is_read = False
                self._files_done -= 1
            file.content.forget(seed)
        self.enqueue(file, time.time_ns())

    def complete_list(self) -> None:
        """The first walk has listed all files: once they are read, the store is loaded."""
        self._is_list_complete = True
        self._check_loaded()

    def progress(self) -> Progress:
        with self._wake:
            return Progress(
                self._bytes_done, self._bytes_total, self._files_done, self._files_total, not self.loaded.is_set()
            )

    def _work(self) -> None:
        reader = FileReader(READ_BYTES)
        while (taken := self._take()) is not None:
            mtime_ns, file = taken
            try:
                visit = file.visit(reader, budget_bytes=SLICE_BYTES)
                if self._is_abandoned:
                    return
                self._on_visit(file, visit)
            except Exception as error:  # one file must not stop the others
                visit = self._failed(file, error)
            self._give_back(file, visit, mtime_ns)

    def _failed(self, file: EventFile, error: Exception) -> Visit:
        reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        file.failure = ReadFailure(reason, is_internal=not isinstance(error, MemoryError))
        LOG.error("reading an event file failed: '%s'", printable_path(file.path), exc_info=error)
        return Visit(Outcome.UNREADABLE)

    def _take(self) -> tuple[int, EventFile] | None:
        with self._wake:
            self._wake.wait_for(lambda: self._heap or self._is_closing)
            if self._is_closing:
                return None
            key, _, file = heapq.heappop(self._heap)
            self._queued.discard(file)
            self._active.add(file)
            return -key, file

    def _give_back(self, file: EventFile, visit: Visit, mtime_ns: int) -> None:
        with self._wake:
            self._active.discard(file)
            again = self._again.pop(file, None)
            if not file.is_removed:
                self._count(file, visit)
                if visit.outcome is Outcome.MORE or again is not None:
                    self._push(file, again or mtime_ns)
            is_idle = not self.is_busy
        self._check_loaded()
        if is_idle:
            self._on_idle()

    def _count(self, file: EventFile, visit: Visit) -> None:
        size = visit.size or file.progress.total_bytes
        is_done = visit.outcome is not Outcome.MORE and not _is_discarded(file, visit)
        self._set_progress(file, size if is_done else visit.position, size)
        if is_done:
            self._mark_read(file)

    def _push(self, file: EventFile, mtime_ns: int) -> None:
        heapq.heappush(self._heap, (-mtime_ns, next(self._serial), file))
        self._queued.add(file)
        self._wake.notify()

    def _set_progress(self, file: EventFile, done_bytes: int, total_bytes: int) -> None:
        self._bytes_done += done_bytes - file.progress.done_bytes
        self._bytes_total += total_bytes - file.progress.total_bytes
        file.progress.done_bytes, file.progress.total_bytes = done_bytes, total_bytes

    def _mark_read(self, file: EventFile) -> None:
        if not file.progress.is_read:
            file.progress.is_read = True
            self._files_done += 1

    def _check_loaded(self) -> None:
        with self._wake:
            if self._is_list_complete and self._files_done == self._files_total:
                self.loaded.set()


def _is_discarded(file: EventFile, visit: Visit) -> bool:
    """Whether the content that this visit read was discarded before the file was given back."""
    return visit.outcome is Outcome.CAUGHT_UP and file.state.identity == UNREAD
