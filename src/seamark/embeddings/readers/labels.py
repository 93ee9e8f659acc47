"""Files of metadata: TSV as TensorBoard reads it, CSV and Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from seamark.embeddings.form import EmbeddingError
from seamark.embeddings.metadata import SourceColumn, Table
from seamark.embeddings.readers import arrow_files
from seamark.embeddings.readers.csv_files import parse_rows, separator_of
from seamark.embeddings.readers.text import line_blocks
from seamark.embeddings.texts import TextsBuilder, pack, pack_columns
from seamark.tables.limits import check_columns
from seamark.tables.readers import arrow_open

LABELS_SUFFIXES = (".tsv", ".csv", ".parquet", ".arrow", ".feather")
MAX_LABELS_BYTES = 1 << 30
SINGLE_COLUMN = "label"
# What JavaScript's trim takes away, with which TensorBoard tells empty lines. Python's strip takes U+0085, too.
BLANK = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))
# csv's own limit is 128 KB.
MAX_CELL_CHARACTERS = 16 << 20

csv.field_size_limit(MAX_CELL_CHARACTERS)


def read_labels(path: Path, points: int) -> Table:
    """The metadata in a file beside the vectors."""
    suffix = path.suffix.lower()
    if suffix in arrow_open.SUFFIXES:
        return arrow_files.whole_table(path)
    size = path.stat().st_size
    if size > MAX_LABELS_BYTES:
        raise EmbeddingError(f"the metadata are too large: they have {size:,} bytes, want at most {MAX_LABELS_BYTES:,}")
    return csv_table(path, points) if suffix == ".csv" else tsv_table(path, points)


def tsv_table(path: Path, points: int) -> Table:
    """As in TensorBoard one column has no header, more columns have one. Cells have no quotes."""
    first, lines, filled = count_lines(path)
    if not lines:
        return Table([], 0)
    columns = first.count("\t") + 1
    check_columns(columns, EmbeddingError)
    # An empty line is a point without a label if only then every point has a line.
    keeps_empty = lines - (columns > 1) == points
    rows = lines if keeps_empty else filled
    blocks = line_lists(path, rows, keeps_empty=keeps_empty)
    if columns == 1 and rows != points + 1:
        return Table([SourceColumn(SINGLE_COLUMN, pack(line for block in blocks for line in block))], rows)
    return columns_below(blocks, max(0, rows - 1))


def count_lines(path: Path) -> tuple[str, int, int]:
    """The first line, the number of lines without the empty ones at the end, and that of those with a text."""
    first, lines, filled, last = None, 0, 0, 0
    for block in decoded_lines(path):
        first, lines_before = block[0] if first is None else first, lines
        filled += sum(1 for line in block if line.strip(BLANK))
        lines += len(block)
        while block and not block[-1]:
            block.pop()
        last = lines_before + len(block) if block else last
    return first or "", last, filled


def decoded_lines(path: Path) -> Iterator[list[str]]:
    with path.open("rb") as stream:
        for data in line_blocks(stream):
            text = data.decode("utf-8", errors="replace").replace("\r\n", "\n")
            yield text.removesuffix("\n").split("\n")


def line_lists(path: Path, rows: int, *, keeps_empty: bool) -> Iterator[list[str]]:
    """The first so many lines, with or without the empty ones."""
    for block in decoded_lines(path):
        lines = block if keeps_empty else [line for line in block if line.strip(BLANK)]
        if lines[:rows]:
            yield lines[:rows]
        rows -= len(lines)
        if rows <= 0:
            return


def columns_below(blocks: Iterator[list[str]], rows: int) -> Table:
    """The columns below a line with their names."""
    names: list[str] = []
    builders: list[TextsBuilder] = []
    for lines in blocks:
        if not names:
            names = lines.pop(0).split("\t")
            builders = [TextsBuilder() for _ in names]
        for builder, cells in zip(builders, cells_of(lines, len(names)), strict=True):
            builder.add(cells)
    columns = [SourceColumn(name, builder.build()) for name, builder in zip(names, builders, strict=True)]
    return Table(columns, rows)


def cells_of(lines: list[str], columns: int) -> Iterator[list[str]]:
    """By column, one after the other; cells that a line does not have are empty."""
    if lines and all(line.count("\t") == columns - 1 for line in lines):
        cells = "\t".join(lines).split("\t")
        yield from (cells[at::columns] for at in range(columns))
        return
    split = [line.split("\t") for line in lines]
    yield from ([row[at] if at < len(row) else "" for row in split] for at in range(columns))


def whole_lines(path: Path) -> Iterator[str]:
    """Lines of bounded length, with their ends."""
    with path.open("rb") as stream:
        for data in line_blocks(stream):
            yield from io.StringIO(data.decode("utf-8", errors="replace"), newline="")


def csv_table(path: Path, points: int) -> Table:
    lines = whole_lines(path)
    first = next(lines, "")
    rows = parse_rows(chain([first], lines), separator_of(first) if first.count(",") + first.count(";") else ",")
    header = next(rows, None)
    if header is None:
        return Table([], 0)
    check_columns(len(header), EmbeddingError)
    if len(header) > 1:
        columns = pack_columns(rows, len(header))
        return Table([SourceColumn(*pair) for pair in zip(header, columns, strict=True)], len(columns[0]))
    (values,) = pack_columns(chain([header], rows), 1)
    if len(values) == points + 1:
        return Table([SourceColumn(header[0], values[1:])], points)
    return Table([SourceColumn(SINGLE_COLUMN, values)], len(values))
