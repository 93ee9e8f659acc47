"""run.json on disk: replaced as a whole, so that a reader never sees half of it, and written by one process only."""

from __future__ import annotations

import os
import secrets
import socket
import threading
from contextlib import suppress
from pathlib import Path

from seamark.format import liveness, run_record
from seamark.format.run_record import RunRecord, RunRecordError, Writer


class LostRunError(RuntimeError):
    """Another process has taken the run over."""


def read(folder: Path, *, mention: str = "") -> RunRecord | None:
    """None when there is no run.json, or none that can be understood, or none with these characters in it."""
    try:
        data = (folder / run_record.FILE_NAME).read_bytes()
        # Looking is much cheaper than parsing, where there are thousands of runs.
        return run_record.loads(data) if mention.encode() in data else None
    except (OSError, RunRecordError, UnicodeDecodeError):
        return None


def this_writer() -> Writer:
    pid = os.getpid()
    return Writer(secrets.token_hex(8), socket.gethostname(), pid, liveness.this_machine(), liveness.process_start(pid))


def write_ended(folder: Path, record: RunRecord) -> None:
    """Writes run.json of a run that is over already, such as a trial that a study reports when it has ended.

    `record` says how it ended: `status`, `started_at`, `ended_at`, `objectives`, `error`.
    """
    record.writer = this_writer()
    record.heartbeat_at = record.heartbeat_at or record.ended_at or record.started_at
    RunFile(folder, record).take_over()


class RunFile:
    """`record` is what will be written next; whoever changes it holds `lock`."""

    def __init__(self, folder: Path, record: RunRecord) -> None:
        self.folder, self.record = folder, record
        self.lock = threading.RLock()  # a signal handler may come in between
        self._path = folder / run_record.FILE_NAME
        self._is_mine = True

    def create(self) -> None:
        """FileExistsError when there is one already."""
        temporary = self._temporary(durable=False)
        try:
            os.link(temporary, self._path)
        except FileExistsError:
            self._is_mine = False
            raise
        except OSError:  # a file system without links
            with self._path.open("x", encoding="utf-8") as file:
                file.write(run_record.dumps(self.record))
        finally:
            temporary.unlink(missing_ok=True)

    def take_over(self) -> None:
        """Writes over what an earlier process left, which notices by the session."""
        self._replace(durable=False)

    def write(self, *, durable: bool = False) -> None:
        """OSError when the disk does not take it; LostRunError when the run is somebody else's by now."""
        if not self._is_mine:
            raise LostRunError(f"another process has taken the run over: '{self._path}'")
        there = read(self.folder)
        if there is not None and there.writer.session != self.record.writer.session:
            self._is_mine = False
            raise LostRunError(f"process {there.writer.pid} on {there.writer.host} has taken the run over")
        self._replace(durable=durable)

    def _replace(self, *, durable: bool) -> None:
        temporary = self._temporary(durable=durable)
        try:
            temporary.replace(self._path)
        except OSError:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise

    def _temporary(self, *, durable: bool) -> Path:
        with self.lock:
            text = run_record.dumps(self.record)
        # Threads of one process must not write to one temporary file either.
        path = self.folder / f".{run_record.FILE_NAME}.{os.getpid()}.{threading.get_ident()}"
        try:
            with path.open("w", encoding="utf-8") as file:
                file.write(text)
                if durable:
                    file.flush()
                    os.fsync(file.fileno())
        except OSError:
            with suppress(OSError):
                path.unlink(missing_ok=True)
            raise
        return path
