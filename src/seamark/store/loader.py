"""Reads files in parallel, newest first, and counts how far it is."""

from __future__ import annotations

import heapq
import itertools
import os
import threading
import time
from collections.abc import Callable

from seamark._core import FileReader
from seamark.store.event_file import EventFile, Outcome, Visit
from seamark.store.file_state import UNREAD
from seamark.store.series_table import SeriesEntry
from seamark.store.status import Progress

# After this much a file goes back into the queue, so that a big one does not keep newer ones waiting.
SLICE_BYTES = 64 << 20
READ_BYTES = 512 << 10  # two such blocks stay in the cache of one core
MAX_WORKERS = 8
CLOSE_SECS = 5.0


class Loader:
    """A file is in the hands of at most one worker; asked for meanwhile, it is visited once more after that."""

    def __init__(
        self,
        *,
        workers: int | None,
        on_visit: Callable[[EventFile, Visit], None],
        on_idle: Callable[[], None],
        on_loaded: Callable[[], None],
    ) -> None:
        self._on_visit = on_visit
        self._on_idle = on_idle
        self._on_loaded = on_loaded
        self._wake = threading.Condition()
        self._heap: list[tuple[int, int, EventFile]] = []
        self._serial = itertools.count()
        self._queued: set[EventFile] = set()
        self._active: set[EventFile] = set()
        self._again: dict[EventFile, int] = {}
        self._bytes_done = self._bytes_total = self._files_done = self._files_total = 0
        self._is_list_complete = False
        self._is_closing = False
        self._is_abandoned = False  # nobody is there any more for what is still read
        self.loaded = threading.Event()
        count = workers or min(MAX_WORKERS, os.cpu_count() or 1)
        self._threads = [
            threading.Thread(target=self._work, name=f"seamark-loader-{i}", daemon=True) for i in range(max(1, count))
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Waits for what is being read now, but not for ever: a disk may hang, or a file be made to take long."""
        with self._wake:
            self._is_closing = True
            self._wake.notify_all()
        give_up_at = time.monotonic() + CLOSE_SECS
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, give_up_at - time.monotonic()))
        self._is_abandoned = any(thread.is_alive() for thread in self._threads)
        self.loaded.set()  # nobody waits for what will not come

    @property
    def is_busy(self) -> bool:
        return bool(self._heap or self._active)

    def add(self, file: EventFile, size: int, *, is_read: bool) -> None:
        """Counts a file that turned up; `is_read` if the index knows all of it."""
        with self._wake:
            self._files_total += 1
            self._set_progress(file, size if is_read else file.state.consumed, size)
            if is_read:
                self._mark_read(file)

    def remove(self, file: EventFile) -> None:
        with self._wake:
            file.is_dropped = True
            self._set_progress(file, 0, 0)
            self._mark_read(file)
            self._files_total -= 1
            self._files_done -= 1
        self._check_loaded()

    def enqueue(self, file: EventFile, mtime_ns: int) -> None:
        """Has the file visited soon; files changed last come first."""
        with self._wake:
            if file in self._active:
                self._again[file] = mtime_ns
            elif file not in self._queued:
                self._push(file, mtime_ns)

    def read_anew(self, file: EventFile, seed: tuple[SeriesEntry, ...] = ()) -> None:
        """Forgets the file and has it visited; until that is done it counts as not read."""
        with self._wake:
            if file.is_dropped:
                return
            if file.is_read:
                file.is_read = False
                self._files_done -= 1
            file.forget(seed)
        self.enqueue(file, time.time_ns())

    def complete_list(self) -> None:
        """All files of the first walk are known: when they are read, the store is loaded."""
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
            except Exception as error:  # one file must not stop the others, nor leave a page waiting for ever
                file.trouble = str(error) or type(error).__name__
                visit = Visit(Outcome.UNREADABLE)
            self._give_back(file, visit, mtime_ns)

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
            if not file.is_dropped:
                self._count(file, visit)
                if visit.outcome is Outcome.MORE or again is not None:
                    self._push(file, again or mtime_ns)
            is_idle = not self.is_busy
        self._check_loaded()
        if is_idle:
            self._on_idle()

    def _count(self, file: EventFile, visit: Visit) -> None:
        size = visit.size or file.progress_total
        is_done = visit.outcome is not Outcome.MORE and not _is_forgotten(file, visit)
        self._set_progress(file, size if is_done else visit.position, size)
        if is_done:
            self._mark_read(file)

    def _push(self, file: EventFile, mtime_ns: int) -> None:
        heapq.heappush(self._heap, (-mtime_ns, next(self._serial), file))
        self._queued.add(file)
        self._wake.notify()

    def _set_progress(self, file: EventFile, done: int, total: int) -> None:
        self._bytes_done += done - file.progress_done
        self._bytes_total += total - file.progress_total
        file.progress_done, file.progress_total = done, total

    def _mark_read(self, file: EventFile) -> None:
        if not file.is_read:
            file.is_read = True
            self._files_done += 1

    def _check_loaded(self) -> None:
        if self.loaded.is_set():
            return
        with self._wake:
            is_loaded = self._is_list_complete and self._files_done == self._files_total
            if not is_loaded or self.loaded.is_set():
                return
            self.loaded.set()
        self._on_loaded()


def _is_forgotten(file: EventFile, visit: Visit) -> bool:
    """Whether what this visit read was thrown away before the file was given back."""
    return visit.outcome is Outcome.CAUGHT_UP and file.state.identity == UNREAD
