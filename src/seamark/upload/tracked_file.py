"""TrackedFile: what the server has of a local file, and which piece comes next."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple

from seamark.upload import wire
from seamark.upload.fingerprint import exact_hash, fingerprint
from seamark.upload.local_runs import is_event_file

PIECE_BYTES = 1 << 20
# A file that is written again and again, as run.json is, is sent at most this often.
REWRITE_SECS = 5.0
# After a file was refused, or changed while it was sent.
RETRY_SECS = 60.0
MAX_MISMATCHES = 3


class Signature(NamedTuple):
    """A file with the same signature has the same content, as far as its file system tells."""

    inode: int
    modified_ns: int
    size: int


def signature_of(status: os.stat_result) -> Signature:
    return Signature(status.st_ino, status.st_mtime_ns, status.st_size)


class TrackedFile:
    def __init__(self, run: str, file: str, path: Path) -> None:
        self.run, self.file, self.path = run, file, path
        self.is_known = False  # whether the server was asked
        self.sent = 0  # how many bytes of the file the server has; of its new content while it replaces it
        self._prefix = self._next_prefix = b""  # the fingerprint of what was sent, and with the piece under way
        self._replaces: wire.Whole | None = None
        self._done: Signature | None = None
        self._inode = 0
        self._rewritten_at = -REWRITE_SECS
        self._wait_until = 0.0
        self._mismatches = 0

    def waiting_bytes(self, *, is_last: bool = False) -> int:
        """How much is to be sent; 0 for a file that is gone. `is_last`: now or never."""
        status = self._status()
        if status is None or signature_of(status) == self._done or not self._may_send(status, is_last=is_last):
            return 0
        if self._replaces is not None:
            return self._replaces.length - self.sent
        # At least 1: an empty file, and one that was written again, have to be sent, too.
        return max(1, status.st_size - self.sent)

    def question(self) -> wire.FileQuestion | None:
        status = self._status()
        return None if status is None else wire.FileQuestion(self.run, self.file, status.st_size)

    def settle(self, answer: wire.FileAnswer) -> str:
        """Compares with what the server has. Returns "same", "behind", "ahead" (the server has more) or "differs"."""
        try:
            with self.path.open("rb", buffering=0) as opened:
                status = os.fstat(opened.fileno())
                length = min(answer.compared, status.st_size)
                is_prefix = length == answer.compared and (
                    not length or fingerprint(opened.fileno(), length) == answer.hash
                )
                self._replaces, self.is_known, self._inode = None, True, status.st_ino
                self.sent = length if is_prefix else 0
                self._prefix = fingerprint(opened.fileno(), self.sent)
                if not is_prefix or (not is_event_file(self.file) and answer.length > status.st_size):
                    self._start_replacing(opened.fileno(), status.st_size)
                    return "differs"
        except OSError:
            return "same"  # it is gone
        if answer.length >= status.st_size:
            self._done = signature_of(status)
            # An empty file that the server lacks is not distinguished from one that it has: sent once more.
            if not status.st_size:
                self._done = None
        return "same" if answer.length == status.st_size else "ahead" if answer.length > status.st_size else "behind"

    def next_piece(self, max_bytes: int = PIECE_BYTES) -> wire.Piece | None:
        """None if nothing has to be sent now."""
        try:
            with self.path.open("rb", buffering=0) as opened:
                status = os.fstat(opened.fileno())
                if signature_of(status) == self._done:
                    return None
                if not self._continues(opened.fileno(), status):
                    return None
                data = os.pread(opened.fileno(), max(0, min(max_bytes, self._end(status) - self.sent)), self.sent)
                if not data and self._replaces is None and status.st_size:
                    self._done = signature_of(status)
                    return None
                if not is_event_file(self.file):
                    # Of the file that was read: another one may have its name when the answer arrives.
                    self._next_prefix = fingerprint(opened.fileno(), self.sent + len(data))
                return wire.make_piece(self.run, self.file, self.sent, data, replaces=self._replaces)
        except OSError:
            return None  # deleted meanwhile, or unreadable

    def apply(self, piece: wire.Piece, result: wire.PieceResult) -> None:
        """Takes the answer of the server to a piece."""
        if result.outcome in ("stored", "had"):
            self._mismatches = 0
            # The new content of a file continues where an interrupted upload ended; its hash is checked as a whole.
            self.sent = max(result.length, piece.offset) if piece.replaces else piece.offset + piece.length
            self._accepted(piece)
        elif result.outcome == "refused":
            self._wait_until = time.monotonic() + RETRY_SECS
        else:
            self._mismatches += 1
            self.is_known, self._replaces = False, None
            if self._mismatches >= MAX_MISMATCHES:
                self._mismatches, self._wait_until = 0, time.monotonic() + RETRY_SECS

    def forget(self) -> None:
        """The server is asked again."""
        self.is_known, self._done, self._wait_until = False, None, 0.0

    def is_same(self, answer: wire.FileAnswer) -> bool:
        """Whether the server has exactly this file."""
        try:
            with self.path.open("rb", buffering=0) as opened:
                size = os.fstat(opened.fileno()).st_size
                if answer.length != size or answer.compared != size:
                    return False
                return not size or fingerprint(opened.fileno(), size) == answer.hash
        except OSError:
            return True  # what is gone is not missed

    def _accepted(self, piece: wire.Piece) -> None:
        if piece.replaces is not None:
            if self.sent < piece.replaces.length:
                return
            self._replaces, self._rewritten_at = None, time.monotonic()
        self._prefix = self._next_prefix
        if not self.sent:
            status = self._status()
            self._done = signature_of(status) if status is not None and not status.st_size else None

    def _may_send(self, status: os.stat_result, *, is_last: bool) -> bool:
        if time.monotonic() < self._wait_until:
            return False
        is_rewritten = self.is_known and self._replaces is None and not is_event_file(self.file)
        return is_last or not is_rewritten or time.monotonic() >= self._rewritten_at + REWRITE_SECS

    def _continues(self, descriptor: int, status: os.stat_result) -> bool:
        """Prepares to replace a file that was written again. False if the server has to be asked first."""
        if self._replaces is not None:
            if status.st_ino == self._inode and status.st_size >= self._replaces.length:
                return True
            self._inode = status.st_ino
            self._start_replacing(descriptor, status.st_size)
            return True
        if is_event_file(self.file):
            if status.st_ino != self._inode or status.st_size < self.sent:
                self.is_known = False
                return False
            return True
        self._inode = status.st_ino
        if status.st_size < self.sent or fingerprint(descriptor, self.sent) != self._prefix:
            self._start_replacing(descriptor, status.st_size)
        return True

    def _start_replacing(self, descriptor: int, size: int) -> None:
        self._replaces, self.sent = wire.Whole(size, exact_hash(descriptor, size)), 0

    def _end(self, status: os.stat_result) -> int:
        return self._replaces.length if self._replaces is not None else status.st_size

    def _status(self) -> os.stat_result | None:
        try:
            return self.path.stat()
        except OSError:
            return None
