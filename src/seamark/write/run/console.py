"""console.log: what the program printed, beside its event files. Whoever prints only appends to a list in memory."""

from __future__ import annotations

import threading
from collections import deque
from pathlib import Path
from typing import Any

from seamark.write.run.folding import Folder

FILE_NAME = "console.log"
MAX_BYTES = 10_000_000
# The end of a long output is worth as much as its start: it says how the run ended.
TAIL_BYTES = 200_000
# While the disk cannot keep up; more is left out and counted.
MAX_PENDING_CHARACTERS = 4_000_000


class ConsoleLog:
    """Takes text of several streams, writes folded lines when it is told to. The file grows at its end only."""

    def __init__(self, path: Path, *, max_bytes: int = MAX_BYTES) -> None:
        self._path, self._room = path, max_bytes
        self._lock = threading.RLock()
        self._writing = threading.RLock()
        self._pending: list[tuple[str, str]] = []
        self._pending_characters = 0
        self._folders: dict[str, Folder] = {}
        self._tail: deque[bytes] = deque()
        self._tail_bytes = 0
        self._left_out_bytes = 0
        self._is_full = False

    def take(self, stream: str, text: str) -> None:
        with self._lock:
            if self._pending_characters + len(text) > MAX_PENDING_CHARACTERS:
                self._left_out_bytes += len(text)
                return
            self._pending.append((stream, text))
            self._pending_characters += len(text)

    def write(self) -> None:
        """Appends the lines that are finished. OSError when the disk does not take them; they are tried again."""
        with self._writing:
            with self._lock:
                pending, self._pending, self._pending_characters = self._pending, [], 0
            lines = "".join(self._folders.setdefault(stream, Folder()).feed(text) for stream, text in pending)
            self._append(lines)

    def close(self, *, timeout_secs: float = 5.0) -> None:
        """Writes what is left: unfinished lines, and the end of an output that was too long."""
        if not self._writing.acquire(timeout=timeout_secs):
            return  # the other thread hangs in a disk that does not answer
        try:
            self.write()
            self._append("".join(folder.rest() for folder in self._folders.values()))
            if self._is_full and (self._tail or self._left_out_bytes):
                note = f"[{self._left_out_bytes} bytes of output are left out here]\n".encode()
                tail = b"".join(self._tail)
                self._tail.clear()
                self._to_file(note + tail)
        finally:
            self._writing.release()

    def forget(self) -> None:
        """In a forked child: what the parent has not written yet is the parent's to write."""
        self._lock, self._writing = threading.RLock(), threading.RLock()
        self._pending, self._pending_characters = [], 0

    def _append(self, lines: str) -> None:
        data = lines.encode(errors="replace")
        if not data:
            return
        if not self._is_full and len(data) <= self._room:
            try:
                self._to_file(data)
            except OSError:
                with self._lock:
                    # Finished lines; folding them again changes nothing.
                    self._pending.insert(0, ("retry", lines))
                    self._pending_characters += len(lines)
                raise
            self._room -= len(data)
            return
        self._is_full = True
        self._keep_for_the_end(data)

    def _keep_for_the_end(self, data: bytes) -> None:
        self._tail.append(data[-TAIL_BYTES:])
        self._tail_bytes += len(self._tail[-1])
        self._left_out_bytes += len(data) - len(self._tail[-1])
        while self._tail_bytes > TAIL_BYTES:
            oldest = self._tail.popleft()
            self._tail_bytes -= len(oldest)
            self._left_out_bytes += len(oldest)

    def _to_file(self, data: bytes) -> None:
        with self._path.open("ab") as file:
            file.write(data)


class Tee:
    """Lets a stream such as sys.stdout write as before, and hears all it writes."""

    def __init__(self, stream: Any, name: str, log: ConsoleLog) -> None:
        self._stream, self._name, self._log = stream, name, log
        self._write = stream.write
        # The stream itself is changed, not replaced: logging handlers hold on to the one they were made with.
        stream.write = self._heard

    def _heard(self, text: Any, *rest: Any) -> Any:
        written = self._write(text, *rest)
        if isinstance(text, str):
            self._log.take(self._name, text)
        return written

    def remove(self) -> None:
        """Takes the ear away, unless somebody has put another one on top: then it stays, deaf."""
        self._log = _DEAF
        if getattr(self._stream, "write", None) == self._heard:
            try:
                del self._stream.write
            except AttributeError:
                self._stream.write = self._write


_DEAF = ConsoleLog(Path(FILE_NAME), max_bytes=0)
_DEAF.take = lambda stream, text: None  # type: ignore[method-assign]
