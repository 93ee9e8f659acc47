"""Parquet, Arrow and Feather files. Needs pyarrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from seamark.format.budget import hold
from seamark.tables.build import column_of_names, column_of_values, named_column, number_column
from seamark.tables.column import Column, Table, TableError
from seamark.tables.limits import check_cells
from seamark.tables.names import distinct_names
from seamark.tables.pictures import Pictures, are_pictures
from seamark.tables.readers.arrow_open import PARQUET, arrow_errors, is_numeric, open_arrow
from seamark.tables.readers.arrow_sizes import check_parquet

if TYPE_CHECKING:
    import pyarrow

INDEX_NAME = "__index_level_0__"  # as pandas names its index
MAX_STRUCT_DEPTH = 8


def read_arrow(path: Path) -> Table:
    with arrow_errors():
        return table_of_arrow(_read(path))


def _read(path: Path) -> pyarrow.Table:
    import pyarrow

    if path.suffix.lower() == PARQUET:
        import pyarrow.parquet

        with pyarrow.parquet.ParquetFile(path) as file:
            check_cells(file.metadata.num_rows, file.metadata.num_columns)
            check_parquet(path, file.metadata, range(file.metadata.num_columns))
            return pyarrow.Table.from_batches(_held(file.iter_batches()), file.schema_arrow)
    with open_arrow(path) as reader:
        table = pyarrow.Table.from_batches(_held(reader), reader.schema)
        check_cells(len(table), len(table.schema))
        table.validate(full=True)  # wrong offsets would be followed
        return table


def _held(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    for batch in batches:
        hold(batch.nbytes)
        yield batch


def table_of_arrow(table: pyarrow.Table) -> Table:
    """Structs become one column for each field, as "image.bytes"."""
    table = _flattened(table)
    if not len(table):
        raise TableError("the table has no rows")
    check_cells(len(table), len(table.schema))
    pictures = Pictures()
    columns, problems = [], []
    for at, name in enumerate(distinct_names(table.schema.names)):
        values = table.column(at)
        column = _column("index" if name == INDEX_NAME else name, values, pictures)
        if column is None:
            problems.append(f"the column '{name}' is left out: its type is {values.type}")
        else:
            columns.append(column)
    return Table(len(table), tuple(columns), tuple(problems), pictures.read if pictures else None)


def _flattened(table: pyarrow.Table) -> pyarrow.Table:
    import pyarrow.types as types

    for _ in range(MAX_STRUCT_DEPTH):
        if not any(types.is_struct(field.type) for field in table.schema):
            return table
        table = table.flatten()
    return table


def _column(name: str, values: pyarrow.ChunkedArray, pictures: Pictures) -> Column | None:
    import pyarrow
    import pyarrow.types as types

    type = values.type
    if is_numeric(type) or types.is_boolean(type):
        return _numbers(name, values)
    if types.is_decimal(type):
        return _numbers(name, values.cast(pyarrow.float64()))
    if types.is_null(type):
        return Column(name, "number", numbers=np.full(len(values), np.nan))
    if types.is_dictionary(type) or types.is_string(type) or types.is_large_string(type):
        return _names(name, values)
    if types.is_temporal(type):
        return _names(name, values.cast(pyarrow.string()))
    if types.is_binary(type) or types.is_large_binary(type) or types.is_fixed_size_binary(type):
        items = values.to_pylist()
        if are_pictures(items):
            return pictures.column(name, items)
        return column_of_names(name, [None if item is None else item.decode(errors="replace") for item in items])
    if types.is_list(type) or types.is_large_list(type) or types.is_fixed_size_list(type):
        return column_of_values(name, values.to_pylist())
    return None


def _numbers(name: str, values: pyarrow.ChunkedArray) -> Column:
    import pyarrow
    import pyarrow.types as types

    if types.is_boolean(values.type):
        numbers = values.cast(pyarrow.int8()).to_numpy()
        return Column(name, "boolean", numbers=np.ascontiguousarray(numbers, np.float64))
    if values.null_count and types.is_integer(values.type):
        # NumPy has no missing integer; a long key must not lose its last digits on the way.
        return column_of_values(name, values.to_pylist())
    numbers = values.to_numpy()
    return number_column(name, numbers)


def _names(name: str, values: Any) -> Column:
    import pyarrow
    import pyarrow.types as types

    if not types.is_dictionary(values.type):
        values = values.dictionary_encode()
    if types.is_dictionary(values.type) and not types.is_string(values.type.value_type):
        return column_of_values(name, values.cast(values.type.value_type).to_pylist())
    encoded = values.unify_dictionaries().combine_chunks()
    if isinstance(encoded, pyarrow.ChunkedArray):  # of several chunks in old versions
        encoded = encoded.chunk(0)
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32)
    texts = encoded.dictionary.to_pylist()
    is_empty = np.array([*(not text for text in texts), True])
    return named_column(
        name, np.where(is_empty[codes], -1, codes).astype(np.int32), ["" if t is None else t for t in texts]
    )
