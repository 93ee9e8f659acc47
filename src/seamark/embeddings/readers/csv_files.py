"""CSV files: columns of numbers are the vectors, the others metadata."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark._core import parse_numbers
from seamark.embeddings.form import EmbeddingError, FloatMatrix
from seamark.embeddings.metadata import SourceColumn, Table
from seamark.embeddings.readers.matrix import Matrix, as_float32, check_shape
from seamark.embeddings.readers.table_layout import Layout, layout_of
from seamark.embeddings.readers.text import MAX_LINE_BYTES, MAX_SHOWN_CHARACTERS, check_text_size, line_blocks
from seamark.embeddings.texts import TextsBuilder
from seamark.tables.limits import check_columns

SAMPLE_BYTES = 256 << 10
SAMPLE_ROWS = 100
QUOTE = '"'


class CsvLayout(NamedTuple):
    separator: str
    names: list[str]
    has_header: bool
    layout: Layout


def read_layout(path: Path) -> CsvLayout:
    """Judged by the first rows."""
    with path.open("rb") as stream:
        data = stream.read(SAMPLE_BYTES)
        if len(data) == SAMPLE_BYTES:
            data += stream.readline(MAX_LINE_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise EmbeddingError("the file is not text") from None
    separator = separator_of(text)
    rows = [row for row, _ in zip(parse_rows(text, separator), range(SAMPLE_ROWS), strict=False)]
    if not rows:
        raise EmbeddingError("the file is empty")
    numeric = [all(at < len(row) and is_number(row[at]) for row in rows[1:] or rows) for at in range(len(rows[0]))]
    has_header = is_header(rows[0], numeric) if len(rows) > 1 else False
    names = rows[0] if has_header else [f"column {at}" for at in range(len(rows[0]))]
    layout = layout_of(names, numeric)
    check_columns(len(layout.metadata), EmbeddingError)
    return CsvLayout(separator, names, has_header, layout)


def separator_of(text: str) -> str:
    first = text.partition("\n")[0]
    return max(",;\t", key=first.count)


def parse_rows(source: str | Iterable[str], separator: str) -> Iterator[list[str]]:
    """Of a text, or of lines whose ends are not translated."""
    lines = io.StringIO(source, newline="") if isinstance(source, str) else source
    try:
        yield from filter(None, csv.reader(lines, delimiter=separator))
    except csv.Error as error:
        raise EmbeddingError(f"this is not CSV: {error}") from error


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return cell == ""
    return True


def is_header(first: list[str], numeric: list[bool]) -> bool:
    """Words above numbers, or the numbers of the columns, as pandas writes them."""
    above = [cell for cell, is_numeric in zip(first, numeric, strict=True) if is_numeric]
    if not above or not all(is_number(cell) for cell in above):
        return True
    counted = [cell for cell in above if cell]
    return len(counted) > 1 and counted in ([str(at + start) for at in range(len(counted))] for start in (0, 1))


def csv_matrix(path: Path) -> Matrix:
    check_text_size(path)
    found = read_layout(path)
    columns = found.layout.vectors
    if not columns:
        raise EmbeddingError("no column of the file has numbers only")

    def blocks() -> Iterator[FloatMatrix]:
        line = 1
        for text in record_blocks(path):
            body = without_header(text, found) if line == 1 else text
            if body.strip():
                block = parse_block(body, found, line + text[: len(text) - len(body)].count("\n"))
                check_shape(block.shape, "the file")
                yield block
            line += text.count("\n")

    return Matrix("text", blocks)


def csv_metadata(path: Path) -> Table:
    """The columns that are no vectors."""
    found = read_layout(path)
    places = found.layout.metadata
    builders = [TextsBuilder() for _ in places]
    is_first, count = True, 0
    for text in record_blocks(path):
        body = without_header(text, found) if is_first else text
        is_first = False
        rows = list(parse_rows(body, found.separator))
        count += len(rows)
        for builder, at in zip(builders, places, strict=True):
            builder.add([row[at] if at < len(row) else "" for row in rows])
    columns = [SourceColumn(found.names[at], one.build()) for at, one in zip(places, builders, strict=True)]
    return Table(columns, count)


def record_blocks(path: Path) -> Iterator[str]:
    """Text that ends with a whole record: a quoted cell may have line breaks."""
    pending = ""
    with path.open("rb") as stream:
        for data in line_blocks(stream):
            try:
                pending += data.decode("utf-8")
            except UnicodeDecodeError:
                raise EmbeddingError("the file is not text") from None
            if pending.count(QUOTE) % 2 == 0:
                yield pending
                pending = ""
            elif len(pending) > MAX_LINE_BYTES:
                raise EmbeddingError("a quoted cell is not closed")
    if pending:
        raise EmbeddingError("a quoted cell is not closed")


def without_header(text: str, found: CsvLayout) -> str:
    if not found.has_header:
        return text
    stream = io.StringIO(text, newline="")
    line = stream.readline()
    while line.count(QUOTE) % 2 or not line.strip():
        more = stream.readline()
        if not more:
            break
        line += more
    return text[len(line) :]


def parse_block(text: str, found: CsvLayout, first_line: int) -> FloatMatrix:
    columns = found.layout.vectors
    if len(columns) == len(found.names):
        try:
            numbers, count = parse_numbers(text.encode(), found.separator)
        except ValueError:
            count = 0
        if count == len(columns):
            return numbers.reshape(-1, count)
    try:
        values = np.loadtxt(
            io.StringIO(text),
            np.float64,
            delimiter=found.separator,
            comments=None,
            quotechar=QUOTE,
            usecols=columns,
            ndmin=2,
        )
    except ValueError:
        values = parse_slowly(text, found, first_line)
    return as_float32(values)


def parse_slowly(text: str, found: CsvLayout, first_line: int) -> NDArray[np.float64]:
    """Empty cells are NaN; the first cell that is no number is named."""
    rows = []
    for number, row in enumerate(parse_rows(text, found.separator), first_line):
        numbers = []
        for at in found.layout.vectors:
            cell = row[at] if at < len(row) else ""
            try:
                numbers.append(float(cell) if cell else math.nan)
            except ValueError:
                shown = cell[:MAX_SHOWN_CHARACTERS]
                where = f"row {number:,} has '{shown}' in the column '{found.names[at]}'"
                raise EmbeddingError(f"{where}, want a number") from None
        rows.append(numbers)
    return np.array(rows, np.float64)
