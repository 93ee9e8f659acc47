"""Rows as files: CSV, JSON lines and Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import msgspec

from seamark.plugin import RequestError
from seamark.plugin.table_export import arrow_column, texts_of
from seamark.store import NoPyarrowError, escape_formula, load_pyarrow
from seamark.tables.column import Column, Rows
from seamark.tables.names import distinct_names

ROW = "row"
MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "jsonl": "application/x-ndjson",
}


def export_csv(columns: Sequence[Column], rows: Rows) -> bytes:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow([escape_formula(name) for name in names_of(columns)])
    texts = [_texts(column, rows) for column in columns]
    writer.writerows(zip(rows.tolist(), *texts, strict=True))
    return stream.getvalue().encode(errors="replace")


def _texts(column: Column, rows: Rows) -> list[str]:
    if column.type == "boolean":
        return ["" if value is None else str(value).lower() for value in (column.value(row) for row in rows.tolist())]
    texts = texts_of(column, rows)
    return list(texts) if column.numbers is not None else [escape_formula(text) for text in texts]


def export_jsonl(columns: Sequence[Column], rows: Rows) -> bytes:
    """Numbers that JSON does not have are null."""
    names = names_of(columns)
    encoder = msgspec.json.Encoder()
    values = ([row, *(column.value(row) for column in columns)] for row in rows.tolist())
    return encoder.encode_lines([dict(zip(names, row, strict=True)) for row in values])


def export_parquet(columns: Sequence[Column], rows: Rows) -> bytes:
    try:
        pyarrow = load_pyarrow()
    except NoPyarrowError as error:
        raise RequestError(str(error), code="not_supported") from error
    arrays = [pyarrow.array(rows)]
    for column in columns:
        array = arrow_column(pyarrow, column, rows)
        arrays.append(array.cast(pyarrow.bool_()) if column.type == "boolean" else array)
    sink = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(arrays, names=names_of(columns)), sink)
    return sink.getvalue()


def names_of(columns: Sequence[Column]) -> list[str]:
    """With the number of the row first. Computed columns have no `=`."""
    return distinct_names([ROW, *(column.name.removeprefix("=") for column in columns)])
