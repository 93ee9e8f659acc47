"""BucketUpload: a run that is written to a folder on this machine and sent to a bucket from there.

The folder waits in the spool until the bucket has everything. What a killed program left is sent by the next one that
writes to the same bucket, or by `seamark push`.
"""

from __future__ import annotations

import fcntl
import itertools
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from seamark.backoff import Backoff
from seamark.format.bucket_address import parse_bucket
from seamark.upload import spool
from seamark.upload.bucket_pusher import BucketPusher
from seamark.upload.errors import UploadError
from seamark.upload.sender import RunSender

LOCK_FILE = ".seamark-bucket.lock"
FINISH_SECS, KILLED_SECS = 30.0, 3.0
logger = logging.getLogger(__name__)
_numbers = itertools.count()


def new_folder(address: str) -> Path:
    """A folder of the spool for one writer. Raises OSError."""
    folder = spool.bucket_dir(address) / f"{int(time.time())}-{os.getpid()}-{next(_numbers)}"
    folder.mkdir(parents=True)
    return folder


class BucketUpload:
    """`warn` gets a key and a sentence, at most once per problem. The program never waits, except at the end."""

    def __init__(
        self,
        address: str,
        folder: Path,
        *,
        warn: Callable[[str, str], None],
        recovered: Callable[[str], None],
        is_online: bool = True,
    ) -> None:
        self.address, self.folder = parse_bucket(address), folder
        # Held until the process ends, and before others can find the folder, so that they leave it alone.
        self._lock = (folder / LOCK_FILE).open("w")
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        spool.write_note(folder, spool.Note(self.address))
        pusher = BucketPusher(self.address, folder, report=warn)
        self._sender = RunSender(pusher, warn=warn, recovered=recovered)
        self._is_online = is_online
        if is_online:
            self._sender.start()
            threading.Thread(target=send_left, args=(self.address,), name="seamark-left", daemon=True).start()

    page = ""  # only team servers have one

    @property
    def logdir(self) -> str:
        return self.address.rpartition("/")[0]

    def flush(self) -> bool:
        return self._is_online and self._sender.flush(FINISH_SECS)

    def finish(self, *, is_killed: bool = False) -> None:
        """Sends the rest for a bounded time; a run that the bucket has completely leaves the spool."""
        if self._is_online and self._sender.finish(KILLED_SECS if is_killed else FINISH_SECS):
            spool.remove_spooled(self.folder)
        elif not is_killed:
            problem = "not everything was sent to the bucket"
            remedy = "seamark push, or the next program that writes to it, sends the rest"
            print(f"seamark: {problem}; {remedy}: '{self.folder}'", file=sys.stderr)
        self._lock.close()


def send_left(address: str) -> None:
    """Sends what killed programs left for the bucket of this address. A daemon thread: it never delays the program."""
    bucket = bucket_of(address)
    backoff = Backoff()
    while True:
        try:
            for spooled in list(spool.spooled_runs()):
                if bucket_of(spooled.note.address) == bucket:
                    send_spooled(spooled, report=lambda key, sentence: logger.warning("%s", sentence))
            return
        except UploadError:  # the run of this program says why
            time.sleep(backoff.failed())
        except OSError as error:
            logger.warning("what waits for a bucket cannot be read (%s): '%s'", error.strerror, spool.spool_dir())
            return


def bucket_of(address: str) -> tuple[str, str]:
    return urlsplit(address)[:2]


def send_spooled(spooled: spool.SpooledRun, *, report: Callable[[str, str], None]) -> int | None:
    """Sends a run that a program left, which then leaves the spool. Returns the number of files; None if a program
    writes it still. Raises UploadError and OSError.
    """
    with locked(spooled.folder) as is_over:
        if not is_over:
            return None
        pusher = BucketPusher(spooled.note.address, spooled.folder, report=report)
        waiting = pusher.unsent()
        pusher.push(is_last=True)
        spool.remove_spooled(spooled.folder)
        return len(waiting)


@contextmanager
def locked(folder: Path) -> Iterator[bool]:
    """Whether no program writes the run any more. While it lasts, no other sends it. Raises OSError."""
    with (folder / LOCK_FILE).open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True
