"""console.log: the program's output, in the run's folder. Printing only appends to a list in memory."""

from __future__ import annotations

import threading
from collections import deque
from pathlib import Path
from typing import Any

from seamark.write.run.console.terminal_lines import TerminalLineFilter

FILE_NAME = "console.log"
MAX_BYTES = 10_000_000
# The end of a long output matters as much as its start: it shows how the run ended.
TAIL_BYTES = 200_000
# Text that waits for a slow disk; further text is dropped and counted.
MAX_PENDING_CHARACTERS = 4_000_000


class ConsoleLog:
    """Collects the text of several streams and appends finished lines to the file."""

    def __init__(self, path: Path, *, max_bytes: int = MAX_BYTES) -> None:
        self._path, self._room = path, max_bytes
        self._lock = threading.RLock()
        self._writing = threading.RLock()
        self._pending: list[tuple[str, str]] = []
        self._pending_characters = 0
        self._filters: dict[str, TerminalLineFilter] = {}
        self._tail: deque[bytes] = deque()
        self._tail_bytes = 0
        self._left_out_bytes = 0  # before the tail
        self._dropped_characters = 0  # after the pending text
        self._is_full = False

    def add(self, stream: str, text: str) -> None:
        with self._lock:
            if self._pending_characters + len(text) > MAX_PENDING_CHARACTERS:
                self._dropped_characters += len(text)
                return
            self._pending.append((stream, text))
            self._pending_characters += len(text)

    def write(self) -> None:
        """Appends the finished lines. After an OSError they are kept for the next call."""
        with self._writing:
            with self._lock:
                pending, self._pending, self._pending_characters = self._pending, [], 0
                dropped, self._dropped_characters = self._dropped_characters, 0
            lines = "".join(
                self._filters.setdefault(stream, TerminalLineFilter()).feed(text) for stream, text in pending
            )
            if dropped:
                lines += f"[{dropped} characters of output are left out here: the disk was too slow]\n"
            self._append(lines)

    def close(self, *, timeout_secs: float = 5.0) -> None:
        """Writes the unfinished lines, and the end of an output that was too long."""
        if not self._writing.acquire(timeout=timeout_secs):
            return  # the other thread waits for a disk that does not respond
        try:
            self.write()
            self._append("".join(line_filter.rest() for line_filter in self._filters.values()))
            if self._is_full and (self._tail or self._left_out_bytes):
                note = f"[{self._left_out_bytes} bytes of output are left out here]\n".encode()
                self._to_file(note + b"".join(self._tail))
                # The process may survive the signal that closed the log, and print more.
                self._tail.clear()
                self._tail_bytes = self._left_out_bytes = 0
        finally:
            self._writing.release()

    def clear_after_fork(self) -> None:
        """In a forked child: the parent writes the pending text."""
        self._lock, self._writing = threading.RLock(), threading.RLock()
        self._pending, self._pending_characters, self._dropped_characters = [], 0, 0

    def _append(self, lines: str) -> None:
        data = lines.encode(errors="replace")
        if not data:
            return
        if not self._is_full and len(data) <= self._room:
            try:
                self._to_file(data)
            except OSError:
                with self._lock:
                    # These are finished lines: filtering them again changes nothing.
                    self._pending.insert(0, ("retry", lines))
                    self._pending_characters += len(lines)
                raise
            self._room -= len(data)
            return
        self._is_full = True
        self._keep_tail(data)

    def _keep_tail(self, data: bytes) -> None:
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
    """Copies the text that a stream such as sys.stdout writes."""

    def __init__(self, stream: Any, name: str, log: ConsoleLog) -> None:
        self._stream, self._name, self._log = stream, name, log
        self._write = stream.write
        # Patches the stream instead of replacing it: logging handlers hold a reference to it.
        stream.write = self._capture

    def _capture(self, text: Any, *rest: Any) -> Any:
        written = self._write(text, *rest)
        if isinstance(text, str):
            self._log.add(self._name, text)
        return written

    def remove(self) -> None:
        """Removes the patch. If another patch wraps it, it stays and copies nothing."""
        self._log = _DISCARD
        if getattr(self._stream, "write", None) == self._capture:
            try:
                del self._stream.write
            except AttributeError:
                self._stream.write = self._write


_DISCARD = ConsoleLog(Path(FILE_NAME), max_bytes=0)
_DISCARD.add = lambda stream, text: None  # type: ignore[method-assign]
