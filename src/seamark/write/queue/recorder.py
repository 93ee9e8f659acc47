"""Recorder: a bounded queue in front of an event file, and a thread that empties it into the file.

When the disk stalls or is full, events wait in the queue and the newest are dropped once it is full, so the events that
are kept have no gaps. Waiting events are written when the disk accepts them again. Events that still wait on close()
are lost. `dropped` counts all of them, and a warning reports the problem once.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from os import PathLike, fspath
from queue import Empty, SimpleQueue

from seamark import _core
from seamark.write.append.event_file import TRANSIENT_ERRNOS, EventFile
from seamark.write.queue import memory
from seamark.write.queue.event_queue import EncodeEvent, EventQueue
from seamark.write.queue.lifetime.hooks import finalize_worker, register_recorder
from seamark.write.queue.lifetime.listeners import ProcessListener
from seamark.write.queue.warn_once import WarnOnce

logger = logging.getLogger(__name__)

# A point is on disk within a second: half of it is the delay, the rest is for the write on a busy machine.
DRAIN_SECS = 0.5
# The delay after a write that failed.
RETRY_SECS = 2.0
FLUSH_TIMEOUT_SECS = 30.0
# An orchestrator that sends SIGTERM kills the process some seconds later.
SIGNAL_TIMEOUT_SECS = 5.0
# A million scalars with usual tags, and several seconds of pictures.
MAX_SCALAR_BYTES = 64 << 20
MAX_PAYLOAD_BYTES = 256 << 20


class FlushRequest:
    """Asks the thread to write everything, and with `last` to close the file. `done` is set after the attempt."""

    def __init__(self, *, last: bool) -> None:
        self.last = last
        self.done = threading.Event()
        self.all_written = False


class Recorder(ProcessListener):
    """One event file and the queue in front of it. Thread-safe; a forked child writes to a new file."""

    def __init__(
        self,
        folder: str | PathLike[str],
        *,
        max_queue: int = 10,
        flush_secs: float = 120,
        filename_suffix: str = "",
        writer: str = "seamark",
        max_scalar_bytes: int = MAX_SCALAR_BYTES,
        max_payload_bytes: int = MAX_PAYLOAD_BYTES,
    ) -> None:
        self.folder = fspath(folder)
        self._suffix = filename_suffix
        self._writer = writer
        self._drain_secs = max(0.0, min(flush_secs, DRAIN_SECS))
        self.warn_once = WarnOnce(logger, self.folder)
        self._queue = EventQueue(
            max_payloads=max_queue,
            max_scalar_bytes=max_scalar_bytes,
            max_payload_bytes=max_payload_bytes,
            warn_once=self.warn_once,
        )
        # Native: adds one point without blocking. Pass every status but 0 to `signal`.
        self.add_scalar = self._queue.add_scalar
        self._lost = 0
        self._reset()
        self._open_early()
        register_recorder(self)

    def _reset(self) -> None:
        """Starts without a thread and without a file."""
        self._inbox: SimpleQueue[FlushRequest | bool] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._start_lock = threading.RLock()  # reentrant: a signal handler may interrupt its holder
        self._drain_lock = threading.RLock()
        self._file: EventFile | None = None
        self._has_failed = False  # the last write; its events still wait
        self._drained_at = 0.0

    # Called by the program's threads

    def signal(self, status: int) -> None:
        """Wakes the thread if an added event needs it. Takes the status that adding returned."""
        if status == _core.ADD_FIRST:
            self._wake(at_once=False)
        elif status == _core.ADD_SHOULD_FLUSH:
            self._wake(at_once=True)
        elif status == _core.ADD_DROPPED:
            self.warn_once.warn("queue", "events arrive faster than they can be written; the newest are dropped")

    def add_event(self, event: bytes) -> None:
        """Adds a small serialized Event."""
        status = self._queue.add_event(event)
        if status:
            self.signal(status)

    def add_payload(self, encode: EncodeEvent, nbytes: int) -> None:
        """Adds an event that is slow to encode. The thread calls `encode`, which must hold copies of its data."""
        status = self._queue.add_payload(encode, nbytes)
        if status:
            self.signal(status)

    def add_task(self, task: Callable[[], None], nbytes: int) -> None:
        """Adds other work for the thread, such as writing files beside the event file."""

        def run() -> bytes:
            task()
            return b""

        self.add_payload(run, nbytes)

    @property
    def dropped(self) -> int:
        """Events that are not, and will not be, in the file."""
        return self._queue.dropped + self._lost

    @property
    def path(self) -> str:
        """The current file; empty when there is none."""
        file = self._file
        return "" if file is None else str(file.path)

    def flush(self, timeout_secs: float = FLUSH_TIMEOUT_SECS) -> bool:
        """Returns True once the operating system has all events logged before.

        Otherwise warns and returns False: at once when a write fails, so that a full disk does not stop a training, or
        after the timeout when the disk stalls. Unwritten events stay in memory.
        """
        return self._request_flush(timeout_secs, last=False)

    def close(self, timeout_secs: float = FLUSH_TIMEOUT_SECS) -> bool:
        """Flushes and stops the thread. Unwritten events are lost; events logged later go to a new file."""
        try:
            return self._request_flush(timeout_secs, last=True)
        finally:
            memory.pool.clear()

    def _request_flush(self, timeout_secs: float, *, last: bool) -> bool:
        if self._thread is None and not self._has_waiting():
            # Nothing was logged since the file was created: no thread is needed.
            if last:
                self._close_file()
            return True
        request = FlushRequest(last=last)
        self._inbox.put(request)
        if not self._ensure_thread():
            self._serve(request)  # the interpreter is shutting down and starts no threads
        elif not request.done.wait(timeout_secs):
            self.warn_once.warn("disk", f"the disk did not accept all events within {timeout_secs:g} s")
        return request.all_written

    def _has_waiting(self) -> bool:
        file = self._file
        return not self._queue.is_empty or (file is not None and file.has_unwritten)

    def _wake(self, *, at_once: bool) -> None:
        # The request comes before the check: an ending thread clears `_thread` before it empties the inbox.
        self._inbox.put(at_once)
        self._ensure_thread()

    def _ensure_thread(self) -> bool:
        if self._thread is not None and self._thread.is_alive():
            return True
        with self._start_lock:
            if self._thread is None or not self._thread.is_alive():
                finalize_worker()
                thread = threading.Thread(target=self._work, name="seamark-writer", daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # the interpreter is shutting down
                    return False
                self._thread = thread
        return True

    # Called when the process ends or forks

    def before_exit(self) -> None:
        self.close()

    def before_signal(self, name: str, *, is_fatal: bool) -> None:
        self.flush(SIGNAL_TIMEOUT_SECS)

    def before_exec(self) -> None:
        self.flush(SIGNAL_TIMEOUT_SECS)

    def after_fork_in_child(self) -> None:
        """The parent writes the waiting events; the child creates a file with its first event."""
        file = self._file
        self._reset()
        self._queue.clear_after_fork()
        if file is not None:
            file.close()

    # Called by the recorder's thread

    def _work(self) -> None:
        self._drained_at = time.monotonic()
        while True:
            request = self._next_request()
            if not isinstance(request, FlushRequest):
                self._drain()
                continue
            if request.last:
                self._end(request)
                return
            self._serve(request)

    def _end(self, request: FlushRequest) -> None:
        """From here on a caller starts a new thread; the drain lock serializes the two."""
        self._thread = None
        self._serve(request)
        with suppress(Empty):
            while True:
                further = self._inbox.get_nowait()
                if isinstance(further, FlushRequest):
                    self._serve(further)
                else:
                    self._drain()

    def _next_request(self) -> FlushRequest | bool:
        """Waits for a request, then for the drain delay, so that many small writes become one."""
        deadline = None
        if self._has_waiting():
            # Events logged during the last write wait no longer than others; a failed write is retried later.
            deadline = self._drained_at + (RETRY_SECS if self._has_failed else self._drain_secs)
        while True:
            try:
                request = self._inbox.get(timeout=None if deadline is None else max(0.0, deadline - time.monotonic()))
            except Empty:
                return True
            if isinstance(request, FlushRequest) or (request and not self._has_failed):
                return request
            if deadline is None:
                deadline = time.monotonic() + self._drain_secs

    def _serve(self, request: FlushRequest) -> None:
        try:
            self._drain()
            request.all_written = not self._has_failed
            if request.last:
                self._close_file()
        finally:
            request.done.set()

    def _drain(self) -> None:
        """Writes all waiting events in order. After an I/O error they stay; the next drain tries again."""
        with self._drain_lock:
            self._drained_at = time.monotonic()
            try:
                if self._has_waiting():
                    self._ready_file().append(self._queue.take_all())
            except OSError as error:
                self._has_failed = True
                self.warn_once.warn("disk", f"events cannot be written and wait in memory ({error})")
            else:
                self._has_failed = False
                self.warn_once.reset("disk")

    def _ready_file(self) -> EventFile:
        """The file, after it has accepted earlier leftovers. If that fails, nothing is taken from the queue."""
        file, unwritten = self._file, b""
        if file is not None and file.is_removed():
            self.warn_once.warn("removed", "the event file was removed; a new one is created")
            unwritten = b"".join(file.take_unwritten())
            file.close()
            self._file = file = None
        if file is None:
            self._file = file = EventFile(self.folder, suffix=self._suffix, writer=self._writer)
        file.append(unwritten)
        return file

    def _close_file(self) -> None:
        """Counts the events that the disk has not accepted as lost."""
        with self._drain_lock:
            file, self._file = self._file, None
            lost = self._queue.discard_all() if self._has_failed else 0
            if file is not None:
                lost += len(file.take_unwritten())
                file.close()
            self._has_failed = False
            if lost:
                self._lost += lost
                self.warn_once.warn("lost", f"{lost} events could not be written and are lost")

    def _open_early(self) -> None:
        """Creates the file, so that viewers see the run at once and a bad path raises in the constructor."""
        try:
            self._file = EventFile(self.folder, suffix=self._suffix, writer=self._writer)
        except OSError as error:
            if error.errno not in TRANSIENT_ERRNOS:
                raise
            self._has_failed = True
            self.warn_once.warn("disk", f"the event file cannot be created yet, events wait in memory ({error})")
        if self._has_waiting():
            self._drain()  # warns why the file's first record was not written
