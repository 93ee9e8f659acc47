"""Checkpoints: from time to time the uploaded files are flushed to disk, and the journal behind them is deleted.

A thread of its own flushes, so that uploads do not wait for hundreds of files.
"""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path

from seamark.team.database import DatabaseError
from seamark.team.ingest.durable import Durable
from seamark.team.ingest.log_files import LogFiles, sync_files
from seamark.team.ingest.run_rows import RunRows

LOG = logging.getLogger(__name__)
MAX_JOURNAL_BYTES = 64 << 20
# By then the system has written most of it by itself, and flushing takes little time from uploads.
CHECKPOINT_SECS = 300.0
SAVE_SECS = 2.0


class Checkpoints:
    """`after_batch` and `complete` are called by the appender's thread."""

    def __init__(self, journal: Durable, files: LogFiles, rows: RunRows, root: Path) -> None:
        self._journal, self._files, self._rows, self._root = journal, files, rows, root
        self._due_at = time.monotonic() + CHECKPOINT_SECS
        self._flushing = threading.Lock()
        self._wanted: tuple[int, set[Path]] | None = None
        self._changed = threading.Condition()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="seamark-upload-flush", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def after_batch(self) -> None:
        """Starts a checkpoint if one is due."""
        if self._journal.length < MAX_JOURNAL_BYTES and time.monotonic() < self._due_at:
            return
        with self._changed:
            if self._wanted is not None:
                return  # the last one is not done
            self._wanted = self._journal.rotate(), self._files.take_unsynced()
            self._due_at = time.monotonic() + CHECKPOINT_SECS
            self._changed.notify()

    def complete(self) -> None:
        """Flushes everything now and empties the journal. Raises OSError."""
        with self._flushing:
            number, unsynced = self._journal.rotate(), self._files.take_unsynced()
            if self._wanted is not None:
                unsynced |= self._wanted[1]
            try:
                sync_files(unsynced, self._root)
            except OSError:
                self._files.put_back(unsynced)
                raise
            self._journal.drop(number)
            self._wanted = None

    def save_rows(self) -> None:
        try:
            self._rows.save()
        except DatabaseError as error:
            LOG.warning("the sizes of runs are written later: %s", error)

    def close(self) -> None:
        with self._changed:
            self._is_closed = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join()
        self.save_rows()

    def _run(self) -> None:
        while not self._is_closed:
            with self._changed:
                self._changed.wait(SAVE_SECS)
            self.save_rows()
            self._flush()

    def _flush(self) -> None:
        with self._flushing:
            wanted = self._wanted
            if wanted is None:
                return
            try:
                sync_files(wanted[1], self._root)
                self._journal.drop(wanted[0])
            except OSError as error:
                LOG.error("uploaded files cannot be flushed; their journal is kept: %s", error)
                return
            self._wanted = None
