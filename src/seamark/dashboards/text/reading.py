"""One logged text as the page shows it. Of a long one only the beginning is read, whatever its size."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from seamark.format.types import RunName, Tag
from seamark.kinds import text
from seamark.kinds.rich_text import html_fragment, rich_html
from seamark.kinds.text_spans import Span, shape_of, spans_of
from seamark.store import Store

KIND = "text"
# So much of a text is drawn; the rest is a download.
SHOWN_BYTES = 64 << 10
# Payloads up to this size are decoded at once.
WHOLE_BYTES = 1 << 20
PIECE_BYTES = 1 << 20


@dataclass(frozen=True)
class Shown:
    """`rows` has one cell when it is one string."""

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

    def __init__(self, store: Store, run: RunName, tag: Tag, index: int, *, length: int) -> None:
        self._store, self._run, self._tag, self._index = store, run, tag, index
        self._length = length

    @property
    def is_long(self) -> bool:
        return self._length > WHOLE_BYTES

    def whole(self) -> text.Text:
        return text.decode(self._store.payload(self._run, self._tag, KIND, self._index))

    def read(self, start: int, size: int) -> bytes:
        return self._store.payload_part(self._run, self._tag, KIND, self._index, start=start, size=size)

    def spans(self) -> Iterator[Span]:
        return spans_of(self.read, self._length)

    def shown(self) -> Shown:
        if self.is_long:
            return self._beginning()
        whole = self.whole()
        strings = whole.strings
        flat: list[str] = strings.ravel().tolist()
        size = sum(len(string.encode("utf-8", "replace")) for string in flat)
        if len(flat) == 1:  # torch and tensorboardX log one string as a list of one
            string, is_cut = cut(flat[0])
            return Shown([[string]], is_table=False, size=size, is_cut=is_cut, is_html=whole.is_html)
        note = ""
        if strings.ndim > 2:
            note = f"This text has {strings.ndim} dimensions, a table has two: the first slice of two is shown."
            is_empty = 0 in strings.shape[:-2]
            strings = np.empty((0, 0), object) if is_empty else strings[(0,) * (strings.ndim - 2)]
        rows = strings[:, None] if strings.ndim == 1 else strings
        return table(rows.tolist(), size, note=note)

    def _beginning(self) -> Shown:
        """Of a long text: the first strings, as far as they are shown."""
        shape = shape_of(self.read, self._length)
        width = shape[-1] if len(shape) > 1 else 1
        cells: list[str] = []
        taken = 0
        first = Span(0, 0)
        for place, span in enumerate(self.spans()):
            first = span if place == 0 else first
            size = min(span.length, SHOWN_BYTES - taken)
            cells.append(beginning_of(self.read(span.start, size)))
            taken += size
            if taken >= SHOWN_BYTES or place >= SHOWN_BYTES // 16:
                break
        is_alone = len(cells) == 1 and (not shape or set(shape) == {1})
        if is_alone:
            return Shown([cells], is_table=False, size=first.length, is_cut=first.length > taken)
        rows = [cells[at : at + width] for at in range(0, len(cells), width)] if width else []
        return Shown(rows, is_table=True, size=self._length, is_cut=True)

    def pieces(self) -> Iterator[bytes]:
        """The text for a file: a string as it is, a table as tab-separated lines. Never held whole."""
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
        for place, span in enumerate(self.spans()):
            if place > 0:
                yield b"\n" if place % width == 0 else b"\t"
            yield from self.pieces_of(span)

    def pieces_of(self, span: Span) -> Iterator[bytes]:
        for at in range(span.start, span.start + span.length, PIECE_BYTES):
            yield self.read(at, min(PIECE_BYTES, span.start + span.length - at))


def table(rows: list[list[str]], size: int, *, note: str) -> Shown:
    kept: list[list[str]] = []
    taken = 0
    for row in rows:
        cells = [cut(cell)[0] for cell in row]
        taken += sum(map(len, cells)) + 16 * len(cells)
        if taken > SHOWN_BYTES and kept:
            break
        kept.append(cells)
    if len(kept) < len(rows):
        note = f"{note} {len(kept):,} of {len(rows):,} rows are shown.".strip()
    return Shown(kept, is_table=True, size=size, is_cut=len(kept) < len(rows), note=note)


def cut(string: str) -> tuple[str, bool]:
    if len(string) * 4 <= SHOWN_BYTES:
        return string, False
    data = string.encode("utf-8", "replace")
    return (beginning_of(data[:SHOWN_BYTES]), True) if len(data) > SHOWN_BYTES else (string, False)


def beginning_of(data: bytes) -> str:
    """Without the half of a character at the end."""
    return codecs.getincrementaldecoder("utf-8")("replace").decode(data)


def one_line(cell: str) -> str:
    return cell.replace("\t", " ").replace("\r\n", " ").replace("\n", " ")
