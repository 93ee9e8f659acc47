"""WorkerProcess: an own interpreter that runs code of users, with limits on time and memory."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from seamark.examples.predict.frames import Array, Frame, FrameError, decode, encode

WORKER = "seamark.examples.predict.worker"
PRINTED_LINES = 20
PRINTED_LINE_CHARS = 500
POLL_SECS = 0.05
INTERRUPT_SECS = 2.0
# A line that the process prints behind the output of a call that failed.
MARK = re.compile(r"seamark-[0-9a-f]{16}")
# The server's settings and those of programs that log. The token of the server is in no variable.
PRIVATE_PREFIXES = ("SEAMARK_", "TENSORBOARD_")


class ProcessEndedError(Exception):
    """The process ended before it answered. `status` as subprocess has it: negative for a signal."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the process ended with {status}")
        self.status = status


class CallTimeoutError(Exception):
    """No answer within the time limit. The process was killed."""


class CallCancelledError(Exception):
    """The caller does not need the answer any more."""


class WorkerProcess:
    """For one thread at a time, except `kill`. Starts with the constructor."""

    def __init__(self, folder: Path | None, memory_mb: int) -> None:
        requests, self._requests = os.pipe()
        self._responses, responses = os.pipe()
        lifeline, self._lifeline = os.pipe()
        self._close = weakref.finalize(self, close_all, (self._requests, self._responses, self._lifeline))
        self._close.atexit = False  # a call may be under way in another thread
        command = [sys.executable, "-P", "-m", WORKER, str(requests), str(responses), str(lifeline), str(memory_mb)]
        try:
            self._process = subprocess.Popen(
                command,
                cwd=folder,
                env=environment(os.environ),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(requests, responses, lifeline),
                start_new_session=True,
            )
        except BaseException:
            self._close()
            raise
        finally:
            for descriptor in (requests, responses, lifeline):
                os.close(descriptor)
        os.set_blocking(self._requests, False)
        os.set_blocking(self._responses, False)
        self._printed: deque[str] = deque(maxlen=PRINTED_LINES)
        self._mark = ""  # the last one that was read
        self._has_read = threading.Condition()
        self._reader = threading.Thread(target=self._read_printed, name="seamark-model-output", daemon=True)
        self._reader.start()
        self.is_alive = True

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def printed(self) -> str:
        """The last lines that the code of users printed."""
        return "\n".join(self._printed)

    def printed_until(self, mark: str) -> str:
        """The same, up to a line that the process printed as a mark: its output may arrive later than its answer."""
        if mark:
            with self._has_read:
                self._has_read.wait_for(lambda: self._mark == mark or not self._reader.is_alive(), INTERRUPT_SECS)
        return self.printed

    def call(
        self,
        header: Mapping[str, Any],
        arrays: Mapping[str, Array],
        *,
        timeout_secs: float,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> Frame:
        """Raises ProcessEndedError, CallTimeoutError or CallCancelledError. A cancelled process may go on living."""
        waiting = _Waiting(self, time.monotonic() + timeout_secs, is_cancelled)
        try:
            for buffer in encode(header, arrays):
                self._write(buffer, waiting)
            frame = decode(lambda count: self._read(count, waiting))
        except (EOFError, BrokenPipeError):
            raise ProcessEndedError(self._ended()) from None
        except FrameError:
            self.kill()
            raise ProcessEndedError(-signal.SIGKILL) from None
        except BaseException:
            self.kill()  # half of a frame may be left in a pipe
            raise
        if waiting.was_interrupted:
            raise CallCancelledError
        return frame

    def interrupt(self) -> None:
        """Raises an exception in the code of users."""
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """With all processes that it started. For any thread."""
        self.is_alive = False
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def end(self) -> None:
        """Kills the process, if nothing else did, so that the system keeps no trace of it. For any thread."""
        if self.is_alive:
            self.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(INTERRUPT_SECS)

    def close(self) -> None:
        self.kill()
        self._process.wait()
        self._reader.join(INTERRUPT_SECS)
        self._close()

    def _ended(self) -> int:
        """Children that live on would keep the pipes open."""
        try:
            status = self._process.wait(INTERRUPT_SECS)
        except subprocess.TimeoutExpired:  # it closed its pipes, but lives
            status = -signal.SIGKILL
        self.kill()
        self._reader.join(INTERRUPT_SECS)
        return status

    def _read(self, count: int, waiting: _Waiting) -> bytearray:
        buffer = bytearray(count)
        view, done = memoryview(buffer), 0
        while done < count:
            try:
                got = os.readv(self._responses, [view[done:]])
            except BlockingIOError:
                waiting.wait(self._responses, select.POLLIN)
                continue
            if not got:
                raise EOFError
            done += got
        return buffer

    def _write(self, buffer: memoryview, waiting: _Waiting) -> None:
        while buffer:
            try:
                buffer = buffer[os.write(self._requests, buffer) :]
            except BlockingIOError:
                waiting.wait(self._requests, select.POLLOUT)

    def _read_printed(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stream:
            # A line without an end must not fill the memory.
            while line := stream.readline(PRINTED_LINE_CHARS):
                text = line.decode(errors="replace").rstrip()
                if MARK.fullmatch(text):
                    with self._has_read:
                        self._mark = text
                        self._has_read.notify_all()
                elif text:
                    self._printed.append(text)


class _Waiting:
    """Waits for a descriptor until the time is over or the call is cancelled."""

    def __init__(self, process: WorkerProcess, deadline: float, is_cancelled: Callable[[], bool]) -> None:
        self._process, self._deadline, self._is_cancelled = process, deadline, is_cancelled
        self.was_interrupted = False

    def wait(self, descriptor: int, event: int) -> None:
        poll = select.poll()
        poll.register(descriptor, event)
        if not self.was_interrupted and self._is_cancelled():
            self.was_interrupted = True
            self._deadline = min(self._deadline, time.monotonic() + INTERRUPT_SECS)
            self._process.interrupt()
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise CallCancelledError if self.was_interrupted else CallTimeoutError
        poll.poll(1000 * min(left, POLL_SECS))


def close_all(descriptors: Iterable[int]) -> None:
    for descriptor in descriptors:
        with contextlib.suppress(OSError):
            os.close(descriptor)


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in variables.items() if not name.startswith(PRIVATE_PREFIXES)}
