"""Parquet and Arrow files: a column of lists of numbers is the vectors, or all columns of numbers. Needs pyarrow."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import EmbeddingError, FloatMatrix
from seamark.embeddings.metadata import SourceColumn, Table
from seamark.embeddings.readers.matrix import Matrix, as_float32, check_shape, rows_per_block
from seamark.embeddings.readers.table_layout import Layout, layout_of
from seamark.embeddings.texts import BLOCK, Texts, pack
from seamark.format.budget import pass_through
from seamark.tables.limits import check_columns
from seamark.tables.readers.arrow_open import (
    PARQUET,
    arrow_errors,
    is_numeric,
    open_arrow,
    read_schema,
)
from seamark.tables.readers.arrow_sizes import check_parquet

if TYPE_CHECKING:
    import pyarrow

# Rows at a time, before their number of dimensions is known.
BATCH_ROWS = 4096
BATCH_VALUES = 4 << 20


def read_layout(path: Path) -> tuple[Layout, bool]:
    """The columns with vectors, and whether it is one column of lists."""
    with arrow_errors(EmbeddingError):
        return schema_layout(read_schema(path))


def schema_layout(schema: pyarrow.Schema) -> tuple[Layout, bool]:
    check_names(schema.names)
    lists = [at for at, field in enumerate(schema) if is_list_of_numbers(field.type)]
    if lists:
        return Layout(lists[:1], [at for at in range(len(schema)) if at not in lists], is_numbered=False), True
    return layout_of(schema.names, [is_numeric(field.type) for field in schema]), False


def is_list_of_numbers(type: pyarrow.DataType) -> bool:
    import pyarrow.types as types

    is_list = types.is_list(type) or types.is_large_list(type) or types.is_fixed_size_list(type)
    return bool(is_list) and is_numeric(type.value_type)


def check_names(names: list[str]) -> None:
    """Columns are read by their name."""
    repeated = len(names) - len(set(names))
    if repeated:
        raise EmbeddingError(f"{repeated:,} of the columns have the name of another: give each a name of its own")


def is_text(type: pyarrow.DataType) -> bool:
    import pyarrow.types as types

    return bool(types.is_string(type) or types.is_large_string(type))


def leaves_of(metadata: Any, columns: list[str]) -> list[int]:
    """The columns of numbers and texts in a Parquet file that belong to these columns of its schema."""
    chosen = set(columns)
    paths = (metadata.schema.column(at).path for at in range(metadata.num_columns))
    return [at for at, path in enumerate(paths) if not chosen.isdisjoint(accumulate(path.split("."), "{}.{}".format))]


def rows_at_once(columns: int) -> int:
    return max(1, min(BATCH_ROWS, BATCH_VALUES // max(1, columns)))


def batches(path: Path, columns: list[str]) -> Iterator[pyarrow.RecordBatch]:
    with arrow_errors(EmbeddingError):
        if path.suffix.lower() == PARQUET:
            import pyarrow.parquet

            texts = [name for name in columns if is_text(read_schema(path).field(name).type)]
            with pyarrow.parquet.ParquetFile(path, read_dictionary=texts) as file:
                leaves = leaves_of(file.metadata, columns)
                check_parquet(path, file.metadata, leaves)
                for batch in file.iter_batches(rows_at_once(len(leaves)), columns=columns):
                    pass_through(len(batch) * len(leaves))
                    yield batch
            return
        with open_arrow(path) as reader:
            for part in reader:
                chosen = part.select(columns)
                chosen.validate(full=True)  # wrong offsets would be followed
                size = rows_at_once(len(columns))
                for start in range(0, len(chosen), size):
                    yield chosen.slice(start, size)


def arrow_matrix(path: Path) -> Matrix:
    with arrow_errors(EmbeddingError):
        schema = read_schema(path)
        layout, is_list = schema_layout(schema)
    if not layout.vectors:
        raise EmbeddingError("no column of the file has numbers or lists of numbers")
    fields = [schema.field(at) for at in layout.vectors]
    type = fields[0].type.value_type if is_list else fields[0].type

    def blocks() -> Iterator[FloatMatrix]:
        columns, row = 0, 0
        for batch in batches(path, [field.name for field in fields]):
            block = list_block(batch.column(0), columns, row) if is_list else stacked(batch)
            check_shape((max(1, len(block)), block.shape[1]), "the file")
            columns = block.shape[1]
            row += len(block)
            size = rows_per_block(columns)
            pass_through(block.nbytes)
            for start in range(0, len(block), size):
                yield as_float32(block[start : start + size])

    return Matrix(np.dtype(type.to_pandas_dtype()).name, blocks)


def list_block(column: Any, columns: int, first_row: int) -> NDArray[Any]:
    """A matrix of a column of lists; rows without a list are NaN."""
    import pyarrow.compute as compute

    present = column.is_valid().to_numpy(zero_copy_only=False)
    lengths = compute.list_value_length(column.drop_null()).to_numpy(zero_copy_only=False)
    columns = columns or (int(lengths[0]) if len(lengths) else 1)
    if not columns:
        raise EmbeddingError(f"row {first_row:,} has a list without numbers")
    wrong = np.flatnonzero(lengths != columns)
    if len(wrong):
        row = first_row + int(np.flatnonzero(present)[wrong[0]])
        raise EmbeddingError(f"row {row:,} has {lengths[wrong[0]]:,} numbers, the rows before it have {columns:,}")
    flat: NDArray[Any] = column.drop_null().flatten().to_numpy(zero_copy_only=False).reshape(-1, columns)
    if present.all():
        return flat
    block = np.full((len(column), columns), np.nan, np.float64)
    block[present] = flat
    return block


def stacked(batch: pyarrow.RecordBatch) -> NDArray[np.float64]:
    return np.column_stack([column.to_numpy(zero_copy_only=False).astype(np.float64) for column in batch.columns])


def arrow_metadata(path: Path) -> Table:
    """The columns that are no vectors and have one value for each row."""
    with arrow_errors(EmbeddingError):
        schema = read_schema(path)
        layout, _ = schema_layout(schema)
        return read_columns(path, [schema.field(at).name for at in layout.metadata])


def whole_table(path: Path) -> Table:
    """All columns as metadata."""
    with arrow_errors(EmbeddingError):
        return read_columns(path, read_schema(path).names)


def read_columns(path: Path, names: list[str]) -> Table:
    import pyarrow

    check_names(names)
    check_columns(len(names), EmbeddingError)
    if not names:
        return Table([], 0)
    table = pyarrow.Table.from_batches(batches(path, names))
    columns = [SourceColumn(name, values_of(table.column(at))) for at, name in enumerate(names)]
    return Table(columns, len(table))


def texts_of(chunk: pyarrow.Array) -> Iterator[Any]:
    """The values of a chunk. Those of a dictionary are made once, however many rows have them."""
    if not hasattr(chunk, "indices"):
        for start in range(0, len(chunk), BLOCK):
            yield from chunk.slice(start, BLOCK).to_pylist()
        return
    names = [*chunk.dictionary.to_pylist(), None]
    yield from (names[-1 if code is None else code] for code in chunk.indices.to_pylist())


def values_of(column: pyarrow.ChunkedArray) -> Texts | NDArray[np.float64]:
    if is_numeric(column.type):
        return np.asarray(column.to_numpy(), np.float64)
    values = (value for chunk in column.iterchunks() for value in texts_of(chunk))
    return pack(value if isinstance(value, str) or value is None else str(value) for value in values)
