"""RunSender: sends one run while it is written, in a daemon thread. The program never waits for it and never fails.

The run is in its folder, whatever happens to the network: what could not be sent stays there for `seamark push`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from seamark.backoff import Backoff
from seamark.upload.errors import UploadError

# The age of a piece: how long points wait for others to share a request with.
PIECE_SECS = 1.0
# How long the end of a run waits for a server that could not be used until then.
FAILING_SECS = 5.0
# For what does not mend by itself, as a token that was revoked.
REFUSED_SECS = 300.0


class SendsRun(Protocol):
    """What sends the files of a run: to a team server, or to a bucket."""

    pause_secs: float  # before the next call

    def push(self, *, is_last: bool = False, should_stop: Callable[[], bool] = ...) -> None:
        """Raises UploadError."""

    def unsent(self) -> list[Path]:
        """Raises UploadError."""


class RunSender:
    """`warn` gets a key and a sentence, at most once per problem; `recovered` gets the key of a problem that is over.

    Both are called in the sender's thread.
    """

    def __init__(
        self,
        pusher: SendsRun,
        *,
        warn: Callable[[str, str], None],
        recovered: Callable[[str], None],
        close: Callable[[], None] = lambda: None,
    ) -> None:
        self._pusher, self._close = pusher, close
        self._warn, self._recovered = warn, recovered
        self._backoff = Backoff()
        self._wake = threading.Event()
        self._wants_all = False
        self._flushed = threading.Event()
        self._flush_until = 0.0  # somebody waits until then
        self._deadline: float | None = None  # set when the run has ended
        self._is_complete = False
        self._thread = threading.Thread(target=self._run, name="seamark-upload", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def flush(self, timeout_secs: float) -> bool:
        """Sends all that is written, for a bounded time, and goes on. Returns whether everything was sent."""
        if self._backoff.is_failing:
            timeout_secs = min(timeout_secs, FAILING_SECS)
        self._flushed.clear()
        self._flush_until = time.monotonic() + timeout_secs
        self._wants_all = True
        self._wake.set()
        return self._thread.is_alive() and self._flushed.wait(timeout_secs)

    def finish(self, timeout_secs: float) -> bool:
        """Sends the rest, for a bounded time. Returns whether the server has everything."""
        if self._backoff.is_failing:
            timeout_secs = min(timeout_secs, FAILING_SECS)
        self._deadline = time.monotonic() + timeout_secs
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(timeout_secs)
        return self._is_complete

    def _run(self) -> None:
        wait_secs = 0.0
        while not self._is_complete and not self._is_late():
            if self._wake.wait(self._limited(wait_secs)):
                self._wake.clear()
            try:
                wait_secs = self._round()
            except Exception as error:  # a bug must not end a training
                self._warn("upload", f"the run is not uploaded any more ({type(error).__name__}: {error})")
                return
        self._close()

    def _round(self) -> float:
        """Returns how long to wait before the next one."""
        is_last = self._deadline is not None
        wants_all, self._wants_all = self._wants_all, False
        try:
            self._pusher.push(is_last=is_last or wants_all, should_stop=self._is_late)
            if wants_all and not self._pusher.unsent():
                self._flushed.set()
            if is_last and not self._is_late():
                self._is_complete = not self._pusher.unsent()
        except UploadError as error:
            self._wants_all |= wants_all
            self._warn("upload", f"the run cannot be uploaded now and is kept: {error}")
            return self._backoff.failed(error.retry_after_secs if error.is_temporary else REFUSED_SECS)
        self._backoff.succeeded()
        self._recovered("upload")
        return max(PIECE_SECS, self._pusher.pause_secs)

    def _is_late(self) -> bool:
        return self._deadline is not None and time.monotonic() >= self._deadline

    def _limited(self, wait_secs: float) -> float:
        until, now = self._deadline or self._flush_until, time.monotonic()
        if self._deadline is None and (not self._wants_all or now >= until):
            return wait_secs
        # There is no time for long pauses while somebody waits.
        return max(0.0, min(wait_secs, 1.0, until - now))
