"""Rows as files: metadata and positions as CSV, the vectors as .npy, all as Parquet."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import Embedding, FloatMatrix, RowColumn
from seamark.plugin import RequestError
from seamark.plugin.table_export import arrow_column, texts_of
from seamark.store import NoPyarrowError, escape_formula, load_pyarrow

ROW, VECTOR = "row", "vector"
POSITIONS = ("picture_x", "picture_y", "picture_z")
PARQUET_GROUP_ROWS = 65_536
MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "npy": "application/octet-stream",
}


def export_csv(embedding: Embedding, rows: RowColumn, positions: FloatMatrix | None = None) -> bytes:
    """The row numbers, the positions in a picture and the metadata."""
    columns = embedding.metadata.columns
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    placed = position_columns(positions, rows)
    writer.writerow([ROW, *placed, *(escape_formula(column.name) for column in columns)])
    places = [[f"{value:.9g}" if value == value else "" for value in column.tolist()] for column in placed.values()]
    texts = [[escape_formula(text) for text in texts_of(column, rows)] for column in columns]
    writer.writerows(zip(rows.tolist(), *places, *texts, strict=True))
    return stream.getvalue().encode(errors="replace")


def position_columns(positions: FloatMatrix | None, rows: RowColumn) -> dict[str, NDArray[np.float32]]:
    if positions is None:
        return {}
    return {POSITIONS[axis]: positions[rows, axis] for axis in range(positions.shape[1])}


def export_npy(embedding: Embedding, rows: RowColumn) -> bytes:
    values = embedding.vectors.values
    chosen = values if len(rows) == len(values) else values[rows]
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, np.lib.format.header_data_from_array_1_0(chosen))
    return b"".join([header.getvalue(), chosen.data])  # one copy: there may be gigabytes


def export_parquet(embedding: Embedding, rows: RowColumn, positions: FloatMatrix | None = None) -> bytes:
    """The row numbers, the positions in a picture, the metadata and the vectors, in groups of rows."""
    try:
        pyarrow = load_pyarrow()
    except NoPyarrowError as error:
        raise RequestError(str(error), code="not_supported") from error
    sink = io.BytesIO()
    writer: Any = None
    for start in range(0, max(1, len(rows)), PARQUET_GROUP_ROWS):
        table = arrow_table(pyarrow, embedding, rows[start : start + PARQUET_GROUP_ROWS], positions)
        writer = writer or pyarrow.parquet.ParquetWriter(sink, table.schema)
        writer.write_table(table)
    writer.close()
    return sink.getvalue()


def arrow_table(pyarrow: Any, embedding: Embedding, rows: RowColumn, positions: FloatMatrix | None) -> Any:
    vectors = embedding.vectors
    names = {ROW, VECTOR, *POSITIONS}
    columns: dict[str, Any] = {ROW: pyarrow.array(rows)}
    for name, values in position_columns(positions, rows).items():
        columns[name] = pyarrow.array(values, mask=np.isnan(values))
    for column in embedding.metadata.columns:
        name = column.name if column.name not in names else f"metadata {column.name}"
        columns[name] = arrow_column(pyarrow, column, rows)
    flat = pyarrow.array(np.ascontiguousarray(vectors.values[rows]).reshape(-1))
    columns[VECTOR] = pyarrow.FixedSizeListArray.from_arrays(flat, vectors.dimensions)
    return pyarrow.table(columns)
