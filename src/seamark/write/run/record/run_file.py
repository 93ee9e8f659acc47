"""run.json on disk: replaced atomically, and written by one process only."""

from __future__ import annotations

import os
import secrets
import socket
import threading
from pathlib import Path

from seamark import liveness
from seamark.format import run_record
from seamark.format.replace_file import replace_file, write_beside
from seamark.format.run_record import RunRecord, RunRecordError, Writer


class LostRunError(RuntimeError):
    """Another process has taken over the run."""


def read(folder: Path, *, mention: str = "") -> RunRecord | None:
    """None if there is no valid run.json, or if it does not contain `mention`."""
    try:
        data = (folder / run_record.FILE_NAME).read_bytes()
        # Searching is much cheaper than parsing thousands of files.
        return run_record.loads(data) if mention.encode() in data else None
    except (OSError, RunRecordError, UnicodeDecodeError):
        return None


def this_writer() -> Writer:
    pid = os.getpid()
    return Writer(secrets.token_hex(8), socket.gethostname(), pid, liveness.this_machine(), liveness.process_start(pid))


def write_ended(folder: Path, record: RunRecord) -> None:
    """Writes run.json of a run that has ended, such as a finished trial of a study.

    `record` has its `status`, `started_at`, `ended_at`, `objectives` and `error`.
    """
    record.writer = this_writer()
    record.heartbeat_at = record.heartbeat_at or record.ended_at or record.started_at
    RunFile(folder, record).take_over()


class RunFile:
    """`record` is written next; hold `lock` to change it."""

    def __init__(self, folder: Path, record: RunRecord) -> None:
        self.folder, self.record = folder, record
        self.lock = threading.RLock()  # reentrant: a signal handler may interrupt its holder
        self._path = folder / run_record.FILE_NAME
        self._is_mine = True

    def create(self) -> None:
        """Raises FileExistsError if there is one already."""
        data = self._data()
        temporary = write_beside(self._path, data)
        try:
            os.link(temporary, self._path)
        except FileExistsError:
            self._is_mine = False
            raise
        except OSError:  # a file system without links
            with self._path.open("xb") as file:
                file.write(data)
        finally:
            temporary.unlink(missing_ok=True)

    def take_over(self) -> None:
        """Replaces the file of an earlier process, which detects it by the session."""
        replace_file(self._path, self._data())

    def write(self, *, durable: bool = False) -> None:
        """Raises OSError if the write fails, and LostRunError if another process has taken over the run."""
        if not self._is_mine:
            raise LostRunError(f"another process has taken over the run: '{self._path}'")
        current = read(self.folder)
        if current is not None and current.writer.session != self.record.writer.session:
            self._is_mine = False
            raise LostRunError(f"process {current.writer.pid} on {current.writer.host} has taken over the run")
        replace_file(self._path, self._data(), durable=durable)

    def _data(self) -> bytes:
        with self.lock:
            return run_record.dumps(self.record).encode()
