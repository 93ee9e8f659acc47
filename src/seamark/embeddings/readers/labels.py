"""Files of metadata: TSV as TensorBoard reads it, CSV and Parquet."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from seamark.embeddings.form import EmbeddingError
from seamark.embeddings.metadata import SourceColumn, Table
from seamark.embeddings.readers import arrow_files
from seamark.embeddings.readers.csv_files import parse_rows, separator_of

LABELS_SUFFIXES = (".tsv", ".csv", ".parquet", ".arrow", ".feather")
MAX_LABELS_BYTES = 1 << 30
SINGLE_COLUMN = "label"
# csv's own limit is 128 KB.
MAX_CELL_CHARACTERS = 16 << 20

csv.field_size_limit(MAX_CELL_CHARACTERS)


def read_labels(path: Path, points: int) -> Table:
    """The metadata in a file beside the vectors."""
    suffix = path.suffix.lower()
    if suffix in arrow_files.SUFFIXES:
        return arrow_files.whole_table(path)
    size = path.stat().st_size
    if size > MAX_LABELS_BYTES:
        raise EmbeddingError(f"the metadata are too large: they have {size:,} bytes, want at most {MAX_LABELS_BYTES:,}")
    text = path.read_bytes().decode("utf-8-sig", errors="replace")
    return csv_table(text, points) if suffix == ".csv" else tsv_table(text, points)


def tsv_table(text: str, points: int) -> Table:
    """As in TensorBoard one column has no header, more columns have one. Cells have no quotes."""
    lines = text.replace("\r\n", "\n").rstrip("\n").split("\n")
    if lines == [""]:
        return Table([], 0)
    columns = lines[0].count("\t") + 1
    # An empty line is a point without a label if only then every point has a line.
    if len(lines) - (columns > 1) != points:
        lines = [line for line in lines if line.strip()]
    if columns == 1 and len(lines) != points + 1:
        return Table([SourceColumn(SINGLE_COLUMN, lines)], len(lines))
    names, rows = lines[0].split("\t"), lines[1:]
    if all(line.count("\t") == columns - 1 for line in rows):
        cells = "\t".join(rows).split("\t") if rows else []
        return Table([SourceColumn(name, cells[at::columns]) for at, name in enumerate(names)], len(rows))
    return table_of(names, [line.split("\t") for line in rows])


def csv_table(text: str, points: int) -> Table:
    first = text.partition("\n")[0]
    rows = list(parse_rows(text, separator_of(text) if first.count(",") + first.count(";") else ","))
    if not rows:
        return Table([], 0)
    if len(rows[0]) == 1 and len(rows) != points + 1:
        return table_of([SINGLE_COLUMN], rows)
    return table_of(rows[0], rows[1:])


def table_of(names: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """Cells that a row does not have are missing."""
    columns = [SourceColumn(name, [row[at] if at < len(row) else "" for row in rows]) for at, name in enumerate(names)]
    return Table(columns, len(rows))
