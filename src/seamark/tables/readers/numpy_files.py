""".npy (structured, or a matrix) and .npz (an array for each column). Objects in them are never unpickled."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.format.npz import ArrayError, read_array, read_arrays
from seamark.tables.build import named_column, number_column
from seamark.tables.column import Column, Table, TableError
from seamark.tables.limits import MAX_FILE_BYTES, check_cells
from seamark.tables.names import distinct_names
from seamark.tables.pictures import Pictures, are_pictures, is_pixels
from seamark.tables.readers.compressed import read_bytes

NUMBER_KINDS = "biuf"


def read_npy(path: Path) -> Table:
    try:
        array = read_array(io.BytesIO(read_bytes(path)), MAX_FILE_BYTES)
    except ArrayError as error:
        raise TableError(str(error)) from error
    if array.dtype.names is not None:
        if array.ndim != 1:
            raise TableError(f"the array has {array.ndim} dimensions: want 1 for an array with named fields")
        return table_of_arrays({name: array[name] for name in array.dtype.names})
    return table_of_arrays({"column": array})


def read_npz(path: Path) -> Table:
    try:
        arrays = read_arrays(read_bytes(path), MAX_FILE_BYTES)
    except ArrayError as error:
        raise TableError(str(error)) from error
    return table_of_arrays(arrays)


def table_of_arrays(arrays: Mapping[str, NDArray[Any]]) -> Table:
    """Arrays of the length that most have; a matrix is a column for each of its own."""
    lengths = [len(array) for array in arrays.values() if array.ndim]
    if not lengths or not max(lengths):
        raise TableError("the table has no rows")
    rows = max(set(lengths), key=lambda length: (lengths.count(length), length))
    pictures = Pictures()
    columns: list[Column] = []
    problems: list[str] = []
    for name, array in arrays.items():
        if array.ndim == 0 or len(array) != rows:
            got = "one value" if array.ndim == 0 else f"{len(array):,} values"
            problems.append(f"the array '{name}' is left out: it has {got}, the others have {rows:,}")
            continue
        found = list(_columns(name, array, pictures))
        check_cells(rows, len(columns) + len(found))
        if not found:
            problems.append(f"the array '{name}' is left out: it has shape {list(array.shape)} of {array.dtype}")
        columns += found
    if not columns:
        raise TableError(f"the file has no columns: {'; '.join(problems)}")
    names = distinct_names(column.name for column in columns)
    renamed = [Column(name, c.type, c.numbers, c.codes, c.names) for name, c in zip(names, columns, strict=True)]
    return Table(rows, tuple(renamed), tuple(problems), pictures.read if pictures else None)


def _columns(name: str, array: NDArray[Any], pictures: Pictures) -> Iterator[Column]:
    if array.ndim in (3, 4) and is_pixels(array):
        yield pictures.column(name, list(array))
    elif array.ndim == 2 and array.dtype.kind in NUMBER_KINDS:
        check_cells(*array.shape)
        for at in range(array.shape[1]):
            yield number_column(f"{name} {at}", array[:, at])
    elif array.ndim == 1:
        column = _column(name, array, pictures)
        if column is not None:
            yield column


def _column(name: str, array: NDArray[Any], pictures: Pictures) -> Column | None:
    if array.dtype.kind in NUMBER_KINDS:
        return number_column(name, array)
    if array.dtype.kind in "Mm":
        array = np.where(np.isnat(array), "", array.astype(str))
    if array.dtype.kind == "S":
        if are_pictures(array.tolist()):
            return pictures.column(name, array.tolist())
        array = np.char.decode(array, "utf-8", "replace")
    if array.dtype.kind != "U":
        return None
    texts, codes = np.unique(array, return_inverse=True)
    codes = np.where(texts[codes] == "", -1, codes)
    return named_column(name, codes.astype(np.int32), texts.tolist())
