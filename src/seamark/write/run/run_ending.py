"""How a run ends: finish(), an exception, an exit status, a signal, os.exec… or a failed notebook cell."""

from __future__ import annotations

import logging
import sys
import threading
import time
from contextlib import suppress
from types import TracebackType
from typing import Self

from seamark.format.run_record import CRASHED, FINISHED, KILLED, RUNNING, Failure
from seamark.write.queue.lifetime.listeners import ProcessListener
from seamark.write.run.ending import Ending, describe, end_summary, exit_code_of
from seamark.write.run.run_base import RunBase
from seamark.write.run.run_recorder import RunRecorder

logger = logging.getLogger(__name__)


class RunEnding(RunBase, ProcessListener):
    """The last noted ending counts when the run ends."""

    _ending = Ending()
    _has_failed_cell = False

    def finish(self, exit_code: int = 0, quiet: bool | None = None) -> None:
        """Writes the remaining data and marks the run as finished, or as crashed if `exit_code` is not 0."""
        # An earlier notebook cell that failed did not end the run; this call decides how it ends.
        if exit_code or self._has_failed_cell:
            self._note_exit(exit_code, "")
        if quiet is not None and self._recorder is not None:
            self._recorder.announces_end = not quiet
        self.end()

    def end(self) -> None:
        """Ends the run with the ending noted last. A second call does nothing."""
        with self._lock:
            if self._is_over or not self._is_own_process:
                return
            self._is_over = True
        try:
            self._save_at_end()
        except Exception:
            logger.exception("seamark: files cannot be saved at the end of run '%s'", self._record.name)
        self._record_ending(ended=True)
        if self._recorder is not None:
            self._close(self._recorder)
            if self._recorder.announces_end:
                summary = end_summary(self._record, self._recorder.logdir, self._recorder.page)
                with suppress(OSError, ValueError):  # stderr is closed
                    print(f"seamark: {summary}", file=sys.stderr)
        self._end_mirror()
        self._end_upload(is_killed=False)

    def note_failure(self, error: BaseException, trace: TracebackType | None = None) -> None:
        """The run ends as crashed, or as killed after Ctrl-C."""
        if isinstance(error, SystemExit):
            self.on_exit_status(error.code)
        elif isinstance(error, KeyboardInterrupt):
            self._ending = Ending(KILLED, signal="SIGINT")
        else:
            self._ending = Ending(CRASHED, exit_code=1, error=describe(error, trace))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.finish()
        else:
            self.note_failure(error, trace)
            self.end()

    # Called by lifetime

    def before_exit(self) -> None:
        self.end()

    def before_signal(self, name: str, *, is_fatal: bool) -> None:
        if self._is_affected:
            self._ending = Ending(KILLED, signal=name)
            self._write_last()
            if is_fatal:
                self._end_mirror()
                self._end_upload(is_killed=True)

    def before_exec(self) -> None:
        if self._is_affected:
            self._write_last()

    def process_survived(self) -> None:
        if self._is_affected:
            self._ending = Ending()
            self._record_ending(ended=False)
            self._touch()

    def before_fork(self) -> None:
        if self._recorder is not None and self._is_affected:
            self._recorder.before_fork()

    def after_fork_in_child(self) -> None:
        self._lock = threading.RLock()
        if self._recorder is not None:
            self._recorder.after_fork_in_child()

    def on_exception(self, error: BaseException, trace: TracebackType | None) -> None:
        if self._is_affected:
            self.note_failure(error, trace)

    def on_thread_exception(self, thread: str, error: BaseException) -> None:
        """The program goes on without the thread, so the run does too; an alert reports it."""
        if self._is_affected:
            failure = describe(error, error.__traceback__)
            self.alert(f"thread {thread} ended with {failure.type}", f"```\n{failure.traceback}\n```", "error")

    def on_exit_status(self, status: object) -> None:
        if self._is_affected:
            self._note_exit(exit_code_of(status), status if isinstance(status, str) else "")

    def on_notebook_cell(self, error: BaseException | None) -> None:
        """The run counts as crashed until a cell succeeds."""
        if not self._is_affected:
            return
        before = self._ending
        self._has_failed_cell = error is not None
        if error is None:
            self._ending = Ending()
        else:
            self.note_failure(error, error.__traceback__)
        if before != self._ending:
            self._record_ending(ended=False)
            self._touch()

    @property
    def _is_affected(self) -> bool:
        return self.is_live and self._is_own_process

    def _note_exit(self, code: int, message: str) -> None:
        error = Failure("SystemExit", message) if message else None
        self._ending = Ending(CRASHED, exit_code=code, error=error) if code else Ending()

    def _record_ending(self, *, ended: bool) -> None:
        ending, record = self._ending, self._record
        record.status = ending.status if ended or ending.status != FINISHED else RUNNING
        record.exit_code, record.signal, record.error = ending.exit_code, ending.signal, ending.error
        if ended and record.exit_code is None and record.status == FINISHED:
            record.exit_code = 0
        record.ended_at = time.time() if ended else None
        if record.sessions:
            record.sessions[-1].status, record.sessions[-1].ended_at = record.status, record.ended_at

    def _write_last(self) -> None:
        """The process may end now: writes what must be on disk."""
        self._record_ending(ended=True)
        if self._recorder is not None:
            self._recorder.write_last()

    def _close(self, recorder: RunRecorder) -> None:
        try:
            recorder.close()
        except Exception:
            logger.exception("seamark: run '%s' did not end cleanly", self._record.name)
            recorder.write(durable=True)  # otherwise run.json would say "running"

    def _end_mirror(self) -> None:
        if self._mirror is not None:
            with self._warn_once.guard("mirror", "the mirror cannot be closed"):
                self._mirror.finish(self._record.status)

    def _end_upload(self, *, is_killed: bool) -> None:
        if self._recorder is not None and self._recorder.upload is not None:
            with self._warn_once.guard("upload", "the upload cannot be ended"):
                self._recorder.upload.finish(is_killed=is_killed)

    # Defined by the other parts of a run

    def _save_at_end(self) -> None:
        raise NotImplementedError

    def alert(self, title: str, text: str = "", level: str = "info") -> None:
        raise NotImplementedError
