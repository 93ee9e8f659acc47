"""The destination of an integration: a folder that it opens and closes, or a writer that the caller closes."""

from __future__ import annotations

import _thread
import datetime
import itertools
import os
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any

from seamark.write.writer.summary_writer import SummaryWriter

# A folder, an existing writer, or None for the default folder (runs/DATE_HOST).
Target = str | os.PathLike[str] | SummaryWriter | None
_numbers = itertools.count()


class Destination:
    """Opens the writer on first use: an unused callback leaves nothing on disk.

    A run has one event file: what it opened stays open until close(), the end of this object or that of the program.
    """

    def __init__(self, target: Target = None, **options: Any) -> None:
        self._given = target if isinstance(target, SummaryWriter) else None
        self._folder = None if target is None or isinstance(target, SummaryWriter) else os.fspath(target)
        self._options = options
        self._opened: SummaryWriter | None = None

    @property
    def writer(self) -> SummaryWriter:
        if self._given is not None:
            return self._given
        if self._opened is None:
            self._opened = SummaryWriter(self._folder, **self._options)
            # After a close, a default folder must not become a second run.
            self._folder = self._opened.log_dir
            close_with(self, self._opened)
        return self._opened

    def flush(self) -> None:
        writer = self._given or self._opened
        if writer is not None:
            writer.flush()

    def close(self) -> None:
        """Closes its own writer; a writer of the caller is only flushed."""
        self.flush()
        if self._opened is not None:
            self._opened.close()
            self._opened = None


def close_with(owner: object, writer: SummaryWriter) -> None:
    """Closes the writer when its owner is collected: a program may create thousands, each with a file and a thread."""
    finalizer = weakref.finalize(owner, close_in_background, writer)
    finalizer.atexit = False  # open writers are closed at exit anyway


def close_in_background(writer: SummaryWriter) -> None:
    # The garbage collector may run in the thread that close() would wait for.
    with suppress(RuntimeError):
        _thread.start_new_thread(writer.close, ())


def fresh_run(folder: Path, name: str) -> str:
    """A new run folder, named after the model and the time."""
    begun = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    # Two trainings may start in the same second, even in two processes.
    return str(folder / f"{name}_{begun}-{os.getpid()}-{next(_numbers)}")
