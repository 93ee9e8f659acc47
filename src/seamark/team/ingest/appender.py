"""Appender: the one thread that writes uploaded files.

It takes all requests that wait, makes them durable in the journal with one fdatasync, appends them to their files, and
then answers them. So 200 trainers need as many disk flushes as one.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future

from seamark.plugin import RequestError
from seamark.team.database import DatabaseError
from seamark.team.ingest.batch import FULL_DISK, Batch, Upload
from seamark.team.ingest.checkpoints import Checkpoints
from seamark.team.ingest.durable import Durable
from seamark.team.ingest.log_files import LogFiles
from seamark.team.ingest.run_rows import RunRows
from seamark.upload.wire import PieceResult

LOG = logging.getLogger(__name__)
# Beyond this, uploads are rejected until the disk has caught up.
MAX_WAITING_BYTES = 64 << 20
RETRY_SECS = 5.0
LOG_SECS = 60.0


class Appender:
    def __init__(self, journal: Durable, files: LogFiles, rows: RunRows, checkpoints: Checkpoints) -> None:
        self._journal, self._files, self._rows, self._checkpoints = journal, files, rows, checkpoints
        self._waiting: deque[Upload | tuple[Callable[[], None], Future[None]]] = deque()
        self._waiting_bytes = 0
        self._changed = threading.Condition()
        self._is_closed = False
        self._log_again_at = 0.0
        self._thread = threading.Thread(target=self._run, name="seamark-appender", daemon=True)

    def start(self) -> None:
        """Replays the journal: what was acknowledged before a crash is in the files afterwards. Raises OSError."""
        replayed = 0
        for entries in self._journal.replay():
            for entry in entries:
                self._files.write(entry)
            replayed += len(entries)
        if replayed:
            LOG.info("%d uploaded pieces were restored from the journal", replayed)
        self._checkpoints.complete()
        self._thread.start()

    def submit(self, upload: Upload) -> Future[list[PieceResult]]:
        """The future gets the results when the bytes are durable, or a RequestError. Raises RequestError."""
        with self._changed:
            if self._is_closed or self._waiting_bytes + upload.bytes > MAX_WAITING_BYTES:
                raise busy(
                    "the server stops" if self._is_closed else "the disk of the server is slower than the uploads"
                )
            self._waiting.append(upload)
            self._waiting_bytes += upload.bytes
            self._changed.notify()
        return upload.answer

    def run_exclusively(self, work: Callable[[], None]) -> Future[None]:
        """Runs `work` between uploads, after everything was written: for moving and deleting files of runs."""
        done: Future[None] = Future()
        with self._changed:
            self._waiting.append((work, done))
            self._changed.notify()
        return done

    def close(self) -> None:
        """Answers what waits, and writes everything."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join()
        try:
            self._checkpoints.complete()
        except OSError as error:
            LOG.error("uploaded files cannot be flushed; their journal is kept: %s", error)

    def _run(self) -> None:
        while True:
            with self._changed:
                if not self._waiting and not self._is_closed:
                    self._changed.wait(self._journal.follow_secs)
                if not self._waiting and self._is_closed:
                    return
                batch = list(self._waiting)
                self._waiting.clear()
                self._waiting_bytes = 0
            if not batch:
                self._follow()
            uploads: list[Upload] = []
            for item in batch:
                if isinstance(item, Upload):
                    uploads.append(item)
                    continue
                self._store_all(uploads)
                uploads = []
                self._run_work(*item)
            self._store_all(uploads)

    def _follow(self) -> None:
        try:
            self._journal.follow()
            self._checkpoints.after_batch()
        except (DatabaseError, OSError) as error:
            self._log(f"what other processes stored is not here yet: {error}")

    def _log(self, problem: str) -> None:
        """Senders retry, and so does the problem: it is logged once in a while."""
        if time.monotonic() >= self._log_again_at:
            self._log_again_at = time.monotonic() + LOG_SECS
            LOG.error("%s", problem)

    def _run_work(self, work: Callable[[], None], done: Future[None]) -> None:
        try:
            self._checkpoints.complete()
            work()
            self._rows.forget()
            done.set_result(None)
        except BaseException as error:
            done.set_exception(error)

    def _store_all(self, uploads: list[Upload]) -> None:
        if not uploads:
            return
        try:
            self._rows.prepare(
                {(entry.project_id, entry.run): upload.user_id for upload in uploads for entry in upload.entries},
                limited={upload.project_id for upload in uploads if upload.quota_bytes is not None},
            )
            results: list[list[PieceResult]] = []

            def store() -> None:
                results[:] = Batch(self._journal, self._files, self._rows).store(uploads)

            self._journal.exclusively(store)
            for upload, result in zip(uploads, results, strict=True):
                upload.answer.set_result(result)
            self._checkpoints.after_batch()
        except DatabaseError as error:
            fail(uploads, busy(str(error)))
        except OSError as error:
            self._log(f"uploads cannot be stored: {error}")
            is_full = error.errno in FULL_DISK
            reason = "the disk of the server is full" if is_full else f"its storage failed ({error.strerror})"
            fail(uploads, busy(reason))
        except Exception:
            LOG.exception("uploads cannot be stored")
            fail(uploads, RequestError("the server failed; its log has the details", code="internal"))


def busy(reason: str) -> RequestError:
    sentence = f"uploads cannot be stored now: {reason}; the sender keeps them and retries"
    return RequestError(sentence, code="unavailable", details={"retry_after_secs": RETRY_SECS})


def fail(uploads: list[Upload], error: RequestError) -> None:
    for upload in uploads:
        if not upload.answer.done():
            upload.answer.set_exception(error)
