"""Reads ranges of lines of a console log without loading the file."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

import numpy as np

from seamark.compare.record.run_folder import Listing, open_inside

CHUNK_BYTES = 1 << 20
# The index has the offset of every STRIDE_LINES-th line, so a window is reached by skipping fewer lines than that.
STRIDE_LINES = 1000
MAX_LINES = 5000
MAX_LINE_CHARACTERS = 10_000
MAX_ANSWER_CHARACTERS = 2_000_000
MAX_MATCHES = 100_000
MAX_INDEXES = 64
NEWLINE = ord("\n")
END_BYTES = 256


@dataclass(frozen=True, slots=True)
class Line:
    number: int  # from 0
    text: str
    is_cut: bool


@dataclass(frozen=True, slots=True)
class Lines:
    """`total` counts the file's lines, `matched` those that match the search. `start` is an index into the latter."""

    total: int
    matched: int
    start: int
    lines: list[Line]
    bytes: int
    is_complete: bool  # False: the search stopped at MAX_MATCHES


@dataclass(slots=True)
class LineIndex:
    """The offsets of the lines of one file. Grows with the file, and is rebuilt if the file was replaced."""

    identity: tuple[int, int] = (0, 0)
    indexed_bytes: int = 0
    newlines: int = 0
    ends_open: bool = False  # the last line has no newline yet
    end: bytes = b""  # the last indexed bytes, to detect a rewritten file
    offsets: list[int] = field(default_factory=lambda: [0])  # the first byte of line k * STRIDE_LINES

    @property
    def lines(self) -> int:
        return self.newlines + self.ends_open


class LineIndexes:
    """The indexes of the most recently read files. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._indexes: OrderedDict[Path, LineIndex] = OrderedDict()

    def of(self, file: BinaryIO, path: Path) -> LineIndex:
        status = os.fstat(file.fileno())
        identity = (status.st_dev, status.st_ino)
        with self._lock:
            known = self._indexes.pop(path, None)
            if known is None or known.identity != identity or not is_grown(known, file):
                known = LineIndex(identity)
            grow(known, file)
            self._indexes[path] = known
            while len(self._indexes) > MAX_INDEXES:
                self._indexes.popitem(last=False)
            return replace(known, offsets=list(known.offsets))


def is_grown(known: LineIndex, file: BinaryIO) -> bool:
    """Whether the file still has the indexed content, judged by its last bytes."""
    file.seek(known.indexed_bytes - len(known.end))
    return file.read(len(known.end)) == known.end


def grow(known: LineIndex, file: BinaryIO) -> None:
    file.seek(known.indexed_bytes)
    while chunk := file.read(CHUNK_BYTES):
        newlines = np.flatnonzero(np.frombuffer(chunk, dtype=np.uint8) == NEWLINE)
        while (line := STRIDE_LINES * len(known.offsets)) <= known.newlines + newlines.size:
            known.offsets.append(known.indexed_bytes + int(newlines[line - known.newlines - 1]) + 1)
        known.newlines += newlines.size
        known.indexed_bytes += len(chunk)
        known.ends_open = not chunk.endswith(b"\n")
        known.end = (known.end + chunk)[-END_BYTES:]


_INDEXES = LineIndexes()


def sources(listing: Listing) -> list[str]:
    """The run's console logs, console.log first."""
    found = [file.path for file in listing.files if file.kind == "console"]
    return sorted(found, key=lambda path: (path != "console.log", path))


def read_lines(folder: Path, source: str, *, start: int = 0, stop: int | None = None, search: str = "") -> Lines:
    """Lines `start` up to `stop` of those that contain `search`. Negative indices count from the end."""
    with open_inside(folder, source) as file:
        known = _INDEXES.of(file, folder / source)
        if search:
            return _searched(file, known, search, start, stop)
        begin, end = window(known.lines, start, stop)
        lines = _read(file, known, begin, end)
        return Lines(known.lines, known.lines, begin, lines, known.indexed_bytes, is_complete=True)


def window(count: int, start: int, stop: int | None) -> tuple[int, int]:
    """The bounds of a slice, at most MAX_LINES long."""
    begin, end, _ = slice(start, stop).indices(count)
    return begin, min(max(begin, end), begin + MAX_LINES)


def _read(file: BinaryIO, known: LineIndex, start: int, stop: int) -> list[Line]:
    if start >= stop:
        return []
    file.seek(known.offsets[start // STRIDE_LINES])
    for _ in range(start % STRIDE_LINES):
        _skip_line(file)
    lines: list[Line] = []
    characters_left = MAX_ANSWER_CHARACTERS
    for number in range(start, stop):
        line = shown_line(number, _limited_line(file))
        characters_left -= len(line.text)
        if lines and characters_left < 0:
            break
        lines.append(line)
    return lines


def _limited_line(file: BinaryIO) -> bytes:
    """Reads a line, and drops the part that is too long to show."""
    limit = 4 * MAX_LINE_CHARACTERS + 4
    line = file.readline(limit)
    if len(line) == limit and not line.endswith(b"\n"):
        _skip_line(file)
    return line


def _skip_line(file: BinaryIO) -> None:
    while (part := file.readline(CHUNK_BYTES)) and not part.endswith(b"\n"):
        pass


def shown_line(number: int, data: bytes) -> Line:
    text = data.rstrip(b"\r\n").decode(errors="replace")
    return Line(number, text[:MAX_LINE_CHARACTERS], len(text) > MAX_LINE_CHARACTERS)


def _searched(file: BinaryIO, known: LineIndex, search: str, start: int, stop: int | None) -> Lines:
    found, is_complete = _matches(file, known.indexed_bytes, search)
    begin, end = window(len(found), start, stop)
    lines: list[Line] = []
    characters_left = MAX_ANSWER_CHARACTERS
    for number, offset in found[begin:end]:
        file.seek(offset)
        line = shown_line(number, _limited_line(file))
        characters_left -= len(line.text)
        if lines and characters_left < 0:
            break
        lines.append(line)
    return Lines(known.lines, len(found), begin, lines, known.indexed_bytes, is_complete)


def _matches(file: BinaryIO, size: int, search: str) -> tuple[list[tuple[int, int]], bool]:
    """Number and offset of each line that contains the text, ignoring the case of A to Z."""
    needle = search.encode(errors="replace").lower()  # bytes.lower() changes A to Z only
    found: list[tuple[int, int]] = []
    number = offset = 0
    rest = b""
    file.seek(0)
    while offset + len(rest) < size:
        chunk = file.read(min(CHUNK_BYTES, size - offset - len(rest)))
        if not chunk:
            break
        block = rest + chunk
        is_last = offset + len(block) >= size
        # Very long lines are searched in parts, so that memory stays bounded.
        end = len(block) if is_last or len(block) > 8 * CHUNK_BYTES else block.rfind(b"\n") + 1
        _matches_in(block[:end].lower(), needle, number, offset, found)
        if len(found) >= MAX_MATCHES:
            return found[:MAX_MATCHES], False
        number += block.count(b"\n", 0, end)
        offset += end
        rest = block[end:]
    return found, True


def _matches_in(block: bytes, needle: bytes, number: int, offset: int, found: list[tuple[int, int]]) -> None:
    at = counted = 0
    while (hit := block.find(needle, at)) >= 0:
        number += block.count(b"\n", counted, hit)
        counted = hit
        begin = block.rfind(b"\n", 0, hit) + 1
        if not found or found[-1][0] != number:
            found.append((number, offset + begin))
        if len(found) >= MAX_MATCHES:
            return
        end = block.find(b"\n", hit)
        if end < 0:
            return
        at = end
