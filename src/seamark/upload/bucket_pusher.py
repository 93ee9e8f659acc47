"""BucketPusher: sends the files of a run to a bucket, and what is added to them later.

As `Pusher` does for a team server, so that `RunSender` drives both.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from seamark import _core
from seamark.object_stores.failures import failure_reason
from seamark.object_stores.opening import open_object_store
from seamark.upload.bucket_parts import Progress, next_part, part_name
from seamark.upload.errors import UploadError
from seamark.upload.local_runs import is_event_file

MAX_PART_BYTES = 8 << 20
# The age of a part: at first points are in the bucket soon, later there are not too many parts.
FIRST_AGE_SECS, MAX_AGE_SECS = 10.0, 300.0
AGE_SHARE = 0.02  # of the age of the run
# Files that are rewritten, as run.json, are sent whole. A larger one is not sent.
MAX_OTHER_BYTES = 64 << 20
TIMEOUT_SECS = 30


class BucketPusher:
    """One thread uses it. `report` is called with a key and a sentence for each problem that does not stop it."""

    pause_secs = 0.0

    def __init__(self, address: str, folder: Path, *, report: Callable[[str, str], None]) -> None:
        self._address, self._folder, self._report = address, folder, report
        self._store: Any = None
        self._progress = Progress(folder)
        self._others: dict[str, tuple[int, int]] = {}  # size and time of the content that was sent
        self._started_at = time.monotonic()
        self._sent_at: float | None = None

    def push(self, *, is_last: bool = False, should_stop: Callable[[], bool] = lambda: False) -> None:
        """Sends what is old enough, and with `is_last` everything. Raises UploadError."""
        now = time.monotonic()
        age_secs = min(MAX_AGE_SECS, max(FIRST_AGE_SECS, AGE_SHARE * (now - self._started_at)))
        if not is_last and self._sent_at is not None and now - self._sent_at < age_secs and not self._is_large():
            return
        for file in files_below(self._folder):
            if should_stop():
                return
            if is_event_file(file):
                self._send_parts(file, should_stop)
            else:
                self._send_whole(file)
        self._sent_at = now

    def unsent(self) -> list[Path]:
        return [self._folder / file for file in files_below(self._folder) if self._waiting(file)]

    def _is_large(self) -> bool:
        return any(self._waiting(file) >= MAX_PART_BYTES for file in files_below(self._folder) if is_event_file(file))

    def _waiting(self, file: str) -> int:
        """How many bytes the bucket lacks."""
        try:
            stat = (self._folder / file).stat()
        except OSError:
            return 0
        if is_event_file(file):
            offset = self._progress.of(file).offset
            # What is not a whole record is never sent: a killed program leaves such an end.
            return len(next_part(self._folder / file, offset, MAX_PART_BYTES)) if stat.st_size > offset else 0
        is_sent = self._others.get(file) == (stat.st_size, stat.st_mtime_ns)
        return 0 if is_sent or stat.st_size > MAX_OTHER_BYTES else max(1, stat.st_size)

    def _send_parts(self, file: str, should_stop: Callable[[], bool]) -> None:
        path, sent = self._folder / file, self._progress.of(file)
        while not should_stop():
            try:
                records = next_part(path, sent.offset, MAX_PART_BYTES)
            except OSError as error:
                self._report(file, f"this file cannot be read ({error.strerror}): '{path}'")
                return
            if not records:
                return
            # The first part begins with the version record of the file itself.
            header = b"" if sent.offset == 0 else _core.encode_file_version(time.time(), b"seamark")
            self._put(part_name(file, sent.parts), header + records)
            sent.offset += len(records)
            sent.parts += 1
            self._save()

    def _send_whole(self, file: str) -> None:
        path = self._folder / file
        try:
            stat = path.stat()
            if self._others.get(file) == (stat.st_size, stat.st_mtime_ns):
                return
            if stat.st_size > MAX_OTHER_BYTES:
                self._report(file, f"a file of more than {MAX_OTHER_BYTES >> 20} MB is not sent: '{path}'")
                return
            data = path.read_bytes()
        except OSError:
            return  # it was removed or replaced: the next time
        self._put(file, data)
        self._others[file] = (stat.st_size, stat.st_mtime_ns)

    def _save(self) -> None:
        try:
            self._progress.save()
        except OSError as error:
            # The part would be sent twice under another start.
            raise UploadError(f"the progress cannot be saved ({error.strerror})", is_temporary=True) from None

    def _put(self, name: str, data: bytes) -> None:
        import obstore
        from obstore.exceptions import BaseError

        try:
            if self._store is None:
                # The sender repeats what failed, with growing pauses.
                self._store = open_object_store(
                    self._address, timeout_secs=TIMEOUT_SECS, max_retries=0, retry_secs=TIMEOUT_SECS
                )
            obstore.put(self._store, name, data)
        except (BaseError, OSError, ValueError) as error:
            sentence = f"the bucket cannot be written ({failure_reason(error)}): '{self._address}'"
            raise UploadError(sentence, is_temporary=True) from None


def files_below(run: Path) -> Iterator[str]:
    """Yields the files of a run by their path in its folder, without hidden ones, which are our own."""
    for found, folders, names in os.walk(run):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(found, name)
            if not name.startswith(".") and path.is_file():
                yield path.relative_to(run).as_posix()
