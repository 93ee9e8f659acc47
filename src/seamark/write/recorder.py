"""What stands between a training loop and an event file: a bounded queue, and a thread that empties it into the file.

The caller's side takes no lock and does no I/O. Scalars are framed at once by the core, into a buffer; a payload (an
image, a histogram) is copied by the caller and encoded by the thread. Order in the file is the order of the calls: a
payload remembers how many bytes of the buffer came before it.

When the disk stalls or is full, the queue fills up to its bounds and then the *newest* events are dropped: what is kept
has no holes in it. What waits is written when the disk takes it again; what still waits on close() is lost. `dropped`
counts both, and a warning says so.
"""

from __future__ import annotations

import errno
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from os import PathLike, fspath
from queue import Empty, SimpleQueue
from typing import NamedTuple

from seamark import _core
from seamark.write import lifetime, memory
from seamark.write.event_file import EventFile, record_ranges
from seamark.write.warn_once import WarnOnce

# A point is on disk within a second: half of it is waited, the rest is for the write itself on a busy machine.
DRAIN_SECS = 0.5
# The pause after a write that failed.
RETRY_SECS = 2.0
FLUSH_TIMEOUT_SECS = 30.0
# A million scalars of usual tags, and the pictures of some seconds.
MAX_SCALAR_BYTES = 64 << 20
MAX_PAYLOAD_BYTES = 256 << 20
BRISK_BYTES = 1 << 20

# What may be over in a moment; other errors on opening are mistakes of the caller's, and raised.
TRANSIENT_ERRNOS = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.ESTALE, errno.ETIMEDOUT, errno.EMFILE, errno.ENFILE}

Encode = Callable[[], bytes]


class Payload(NamedTuple):
    at: int  # its place: bytes of the log that came before it
    encode: Encode  # returns a serialized Event, or nothing; runs in the thread
    nbytes: int


class FlushRequest:
    """Asks the thread to write everything, and with `last` to close the file; `done` is set when it has tried."""

    def __init__(self, *, last: bool) -> None:
        self.last = last
        self.done = threading.Event()
        self.all_written = False


class Recorder:
    """One event file, and what waits to be written to it. Any thread may call it; a forked child gets its own file."""

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
        self._max_queue = max(1, max_queue)
        self._drain_secs = max(0.0, min(flush_secs, DRAIN_SECS))
        self._log = _core.EventLog(
            max_bytes=max_scalar_bytes, max_payload_bytes=max_payload_bytes, brisk_bytes=BRISK_BYTES
        )
        # Native, and called once per point: `signal` is to be called with whatever it returns, unless that is 0.
        self.scalar = self._log.scalar
        self._forget()
        self.warnings = WarnOnce(self.folder)
        self._lost = 0
        self._open_early()
        lifetime.register(self)

    def _forget(self) -> None:
        """As at the beginning, without a thread and without a file."""
        self._payloads: deque[Payload] = deque()
        self._taken = 0
        self._inbox: SimpleQueue[FlushRequest | bool] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._start_lock = threading.RLock()  # a signal handler may come in between
        self._drain_lock = threading.RLock()
        self._file: EventFile | None = None
        self._has_failed = False  # the last write; what it could not write waits
        self._drained_at = 0.0

    # The caller's side

    def signal(self, added: int) -> None:
        """Tells the thread about something added."""
        if added == _core.ADDED_FIRST:
            self._wake(at_once=False)
        elif added == _core.ADDED_BRISK:
            self._wake(at_once=True)
        elif added == _core.ADDED_DROPPED:
            self.warnings.warn("queue", "events come faster than they can be written, and the newest are dropped")

    def add_event(self, event: bytes) -> None:
        """A serialized Event that is small: it waits among the scalars."""
        added = self._log.event(event)
        if added:
            self.signal(added)

    def add_payload(self, encode: Encode, nbytes: int) -> None:
        """Something that takes a while to encode. `encode` must hold what it needs: it runs later, in the thread."""
        if not self._log.reserve(nbytes):
            self.signal(_core.ADDED_DROPPED)
            return
        self._payloads.append(Payload(self._log.end, encode, nbytes))
        waiting = len(self._payloads)
        # Something large is worth a turn of its own: the memory it is in serves the next one.
        is_brisk = nbytes >= BRISK_BYTES or waiting >= self._max_queue
        if waiting == 1 or is_brisk:
            self._wake(at_once=is_brisk)

    def add_task(self, task: Callable[[], None], nbytes: int) -> None:
        """Something else to write, in its turn: files beside the event file."""

        def run() -> bytes:
            task()
            return b""

        self.add_payload(run, nbytes)

    @property
    def dropped(self) -> int:
        """Events that will not be in the file."""
        return self._log.dropped + self._lost

    @property
    def path(self) -> str:
        """The file that is written to now; empty when there is none."""
        file = self._file
        return "" if file is None else str(file.path)

    def flush(self, timeout_secs: float = FLUSH_TIMEOUT_SECS) -> bool:
        """Returns True once everything logged before is with the operating system.

        Returns False, after a warning, when it is not: at once where the disk refuses it, so that a full disk does not
        stop a training, and after the timeout where the disk stalls. What was not written waits in memory.
        """
        return self._ask(timeout_secs, last=False)

    def close(self, timeout_secs: float = FLUSH_TIMEOUT_SECS) -> bool:
        """Flushes and ends the thread. What cannot be written is lost; what is logged later goes to a new file."""
        try:
            return self._ask(timeout_secs, last=True)
        finally:
            memory.pool.forget()

    def _ask(self, timeout_secs: float, *, last: bool) -> bool:
        if self._thread is None and not self._is_waiting():
            # Nothing was logged since the file was made: no reason to start a thread.
            if last:
                self._close_file()
            return True
        request = FlushRequest(last=last)
        self._inbox.put(request)
        if not self._ensure_thread():
            self._serve(request)  # the interpreter is ending: there is nobody else
        elif not request.done.wait(timeout_secs):
            self.warnings.warn("disk", f"the disk has not taken all events within {timeout_secs:g} s")
        return request.all_written

    def _is_waiting(self) -> bool:
        file = self._file
        return bool(self._log.pending or self._payloads or (file is not None and file.has_unwritten))

    def _wake(self, *, at_once: bool) -> None:
        # First the request, then the look at the thread: one that ends says so before its last look at the inbox.
        self._inbox.put(at_once)
        self._ensure_thread()

    def _ensure_thread(self) -> bool:
        if self._thread is not None and self._thread.is_alive():
            return True
        with self._start_lock:
            if self._thread is None or not self._thread.is_alive():
                lifetime.before_first_write()
                thread = threading.Thread(target=self._work, name="seamark-writer", daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # no threads are made while the interpreter ends
                    return False
                self._thread = thread
        return True

    def after_fork_in_child(self) -> None:
        """What waits is the parent's, which writes it; the child begins a file of its own with its first event."""
        file = self._file
        self._forget()
        self._log.clear()
        if file is not None:
            file.close()

    # The thread's side

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
        """From here on, whoever logs starts another thread; the lock keeps the two apart."""
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
        """Waits for something to do, and then a little longer, so that many small writes become one."""
        deadline = None
        if self._is_waiting():
            # What was logged during the last write waits no longer than anything else; a failed write is tried later.
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
        """Writes all that is there, in order. On an I/O error it keeps what it has; the next drain tries again."""
        with self._drain_lock:
            self._drained_at = time.monotonic()
            try:
                if self._is_waiting():
                    self._ready_file().append(self._take_all())
            except OSError as error:
                self._has_failed = True
                self.warnings.warn("disk", f"events cannot be written and wait in memory ({error})")
            else:
                self._has_failed = False
                self.warnings.reset("disk")

    def _ready_file(self) -> EventFile:
        """The file, with nothing left over from before: while that fails, nothing more is taken from the queue."""
        file, unwritten = self._file, b""
        if file is not None and file.is_removed():
            self.warnings.warn("removed", "the event file was removed, a new one is begun")
            unwritten = b"".join(file.take_unwritten())
            file.close()
            self._file = file = None
        if file is None:
            self._file = file = EventFile(self.folder, suffix=self._suffix, writer=self._writer)
        file.append(unwritten)
        return file

    def _take_all(self) -> bytes:
        records = self._log.take()
        start, self._taken = self._taken, self._taken + len(records)
        parts, at = [], 0
        # A payload that came in meanwhile and belongs behind what was taken waits for the next turn.
        while self._payloads and self._payloads[0].at <= self._taken:
            payload = self._payloads.popleft()
            place = max(at, payload.at - start)
            parts += [records[at:place], self._framed(payload)]
            at = place
        parts.append(records[at:])
        return b"".join(parts)

    def _framed(self, payload: Payload) -> bytes:
        try:
            event = payload.encode()
            return _core.frame(event) if event else b""
        except Exception as error:  # a bad picture must not take the thread with it, and all that is logged after
            self._lost += 1
            self.warnings.warn("value", f"a value cannot be logged and is left out ({type(error).__name__}: {error})")
            return b""
        finally:
            self._log.release(payload.nbytes)

    def _close_file(self) -> None:
        """What the disk has not taken by now is lost, and counted."""
        with self._drain_lock:
            file, self._file = self._file, None
            lost = self._discard_queue() if self._has_failed else 0
            if file is not None:
                lost += len(file.take_unwritten())
                file.close()
            self._has_failed = False
            if lost:
                self._lost += lost
                self.warnings.warn("lost", f"{lost} events could not be written and are lost")

    def _discard_queue(self) -> int:
        """Empties the queue, and returns the number of events that were in it."""
        records = self._log.take()
        self._taken += len(records)
        count = sum(1 for _ in record_ranges(records))
        while self._payloads:
            self._log.release(self._payloads.popleft().nbytes)
            count += 1
        return count

    def _open_early(self) -> None:
        """A viewer sees the run at once, and a folder that cannot be made is an error where it is named."""
        try:
            self._file = EventFile(self.folder, suffix=self._suffix, writer=self._writer)
        except OSError as error:
            if error.errno not in TRANSIENT_ERRNOS:
                raise
            self._has_failed = True
            self.warnings.warn("disk", f"the event file cannot be made yet, events wait in memory ({error})")
        if self._is_waiting():
            self._drain()  # tells why the file's first record could not be written
