"""Reads one logged text: an excerpt for the page, or all of it in chunks. A long text is never read at once."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from seamark.format.types import RunName, Tag
from seamark.kinds import text
from seamark.kinds.markdown.rich_text import html_fragment, rich_html
from seamark.kinds.text_spans import Span, shape_of, spans_of
from seamark.store import RunStore

KIND = "text"
# The page shows so much of a text; the rest is a download.
EXCERPT_BYTES = 64 << 10
# Larger payloads are read in chunks.
MAX_WHOLE_BYTES = 1 << 20
CHUNK_BYTES = 1 << 20
# Strings are short, so several are read and sent at once.
READ_AHEAD_BYTES = 64 << 10


@dataclass(frozen=True)
class Excerpt:
    """What the page shows of a text. `rows` has one cell if the text is a single string."""

    rows: list[list[str]]
    is_table: bool
    size: int  # bytes of all strings, in UTF-8
    is_cut: bool
    note: str = ""
    is_html: bool = False

    def html(self) -> str:
        if not self.is_table:
            return html_fragment(self.rows[0][0]) if self.is_html else rich_html(self.rows[0][0])
        lines = ["".join(f"<td>{rich_html(cell)}</td>" for cell in row) for row in self.rows]
        return f"<table><tbody>{''.join(f'<tr>{line}</tr>' for line in lines)}</tbody></table>"


class LoggedText:
    """A text in its event file."""

    def __init__(self, store: RunStore, run: RunName, tag: Tag, index: int, *, length: int) -> None:
        self._store, self._run, self._tag, self._index = store, run, tag, index
        self._length = length
        self._ahead_start, self._ahead = 0, b""

    @property
    def is_long(self) -> bool:
        return self._length > MAX_WHOLE_BYTES

    def whole(self) -> text.Text:
        return text.decode(self._store.payload(self._run, self._tag, KIND, self._index))

    def read(self, start: int, size: int) -> bytes:
        if size > READ_AHEAD_BYTES:
            return self._part(start, size)
        offset = start - self._ahead_start
        if offset < 0 or offset + size > len(self._ahead):
            self._ahead_start, self._ahead, offset = start, self._part(start, READ_AHEAD_BYTES), 0
        return self._ahead[offset : offset + size]

    def _part(self, start: int, size: int) -> bytes:
        return self._store.payload_part(self._run, self._tag, KIND, self._index, start=start, size=size)

    def spans(self) -> Iterator[Span]:
        return spans_of(self.read, self._length)

    def excerpt(self) -> Excerpt:
        if self.is_long:
            return self._excerpt_of_long()
        whole = self.whole()
        strings = whole.strings
        flat: list[str] = strings.ravel().tolist()
        size = sum(len(string.encode("utf-8", "replace")) for string in flat)
        if len(flat) == 1:  # torch and tensorboardX log one string as a list of one
            string, is_cut = cut_string(flat[0])
            return Excerpt([[string]], is_table=False, size=size, is_cut=is_cut, is_html=whole.is_html)
        note = ""
        if strings.ndim > 2:
            note = f"This text has {strings.ndim} dimensions, a table has two: the first slice is shown."
            is_empty = 0 in strings.shape[:-2]
            strings = np.empty((0, 0), object) if is_empty else strings[(0,) * (strings.ndim - 2)]
        rows = strings[:, None] if strings.ndim == 1 else strings
        return table_excerpt(rows.tolist(), size, note=note)

    def _excerpt_of_long(self) -> Excerpt:
        shape = shape_of(self.read, self._length)
        width = shape[-1] if len(shape) > 1 else 1
        cells: list[str] = []
        taken = 0
        first = Span(0, 0)
        for position, span in enumerate(self.spans()):
            first = span if position == 0 else first
            size = min(span.length, EXCERPT_BYTES - taken)
            cells.append(decode_start(self.read(span.start, size)))
            taken += size
            if taken >= EXCERPT_BYTES or position >= EXCERPT_BYTES // 16:
                break
        is_alone = len(cells) == 1 and (not shape or set(shape) == {1})
        if is_alone:
            return Excerpt([cells], is_table=False, size=first.length, is_cut=first.length > taken)
        rows = [cells[at : at + width] for at in range(0, len(cells), width)] if width else []
        return Excerpt(rows, is_table=True, size=self._length, is_cut=True)

    def chunks(self) -> Iterator[bytes]:
        """The whole text for a file: a string as it is, a table as tab-separated lines."""
        return join_small(self._pieces())

    def _pieces(self) -> Iterator[bytes]:
        if not self.is_long:
            strings = self.whole().strings
            if strings.size == 1:
                yield str(strings.ravel()[0]).encode("utf-8", "replace")
            else:
                rows = strings.reshape(-1, strings.shape[-1]) if strings.ndim > 1 else strings[:, None]
                for row in rows:
                    yield ("\t".join(map(one_line, row)) + "\n").encode("utf-8", "replace")
            return
        shape = shape_of(self.read, self._length)
        width = (shape[-1] if len(shape) > 1 else 1) or 1
        for position, span in enumerate(self.spans()):
            if position > 0:
                yield b"\n" if position % width == 0 else b"\t"
            yield from self.chunks_of(span)

    def chunks_of(self, span: Span) -> Iterator[bytes]:
        for at in range(span.start, span.start + span.length, CHUNK_BYTES):
            yield self.read(at, min(CHUNK_BYTES, span.start + span.length - at))


def join_small(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in fewer pieces: sending a piece takes longer than making one."""
    waiting = bytearray()
    for piece in pieces:
        waiting += piece
        if len(waiting) >= READ_AHEAD_BYTES:
            yield bytes(waiting)
            waiting.clear()
    if waiting:
        yield bytes(waiting)


def table_excerpt(rows: list[list[str]], size: int, *, note: str) -> Excerpt:
    shown: list[list[str]] = []
    taken = 0
    for row in rows:
        cells = [cut_string(cell)[0] for cell in row]
        taken += sum(map(len, cells)) + 16 * len(cells)
        if taken > EXCERPT_BYTES and shown:
            break
        shown.append(cells)
    if len(shown) < len(rows):
        note = f"{note} {len(shown):,} of {len(rows):,} rows are shown.".strip()
    return Excerpt(shown, is_table=True, size=size, is_cut=len(shown) < len(rows), note=note)


def cut_string(string: str) -> tuple[str, bool]:
    if len(string) * 4 <= EXCERPT_BYTES:
        return string, False
    data = string.encode("utf-8", "replace")
    return (decode_start(data[:EXCERPT_BYTES]), True) if len(data) > EXCERPT_BYTES else (string, False)


def decode_start(data: bytes) -> str:
    """Drops an incomplete character at the end."""
    return codecs.getincrementaldecoder("utf-8")("replace").decode(data)


def one_line(cell: str) -> str:
    return cell.replace("\t", " ").replace("\r\n", " ").replace("\n", " ")
