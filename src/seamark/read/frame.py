"""Columns of equal length as NumPy arrays, convertible to pandas, Polars and Arrow without copying."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

# The requirement to install for a library, if it is not the library itself.
EXTRAS = {"pyarrow": "seamark[parquet]", "duckdb": "seamark[sql]"}


class MissingLibraryError(ImportError):
    """A required library is not installed; the message says how to install it."""


@dataclass(frozen=True, slots=True)
class Coded:
    """A dictionary-encoded column of text: row i is `names[codes[i]]`."""

    names: list[str]
    codes: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.codes)

    def array(self) -> NDArray[np.object_]:
        names: NDArray[np.object_] = np.array([*self.names, None], dtype=object)[:-1]
        return names[self.codes]


@dataclass(frozen=True, slots=True)
class Partial:
    """Numbers with absent values: NaN in NumPy and pandas, null in Polars and Arrow."""

    values: NDArray[np.float64]
    present: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.values)

    def array(self) -> NDArray[np.float64]:
        return np.where(self.present, self.values, np.nan)


Column: TypeAlias = "NDArray[Any] | Coded | Partial | Sequence[Any]"
"""An array of numbers, encoded text, or any objects with None for absent values."""


class Frame(Mapping[str, NDArray[Any]]):
    """`frame["step"]` is a NumPy array. Arrays are read-only, and may be views of the index: copy them to modify."""

    def __init__(self, columns: Mapping[str, Column]) -> None:
        self._columns = dict(columns)
        lengths = {name: len(column) for name, column in self._columns.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"columns differ in length: {lengths}")
        self._rows = next(iter(lengths.values()), 0)
        for name, column in self._columns.items():
            if isinstance(column, np.ndarray):
                # Even for copies, so that it does not depend on how a run was written.
                self._columns[name] = view = column.view()
                view.flags.writeable = False

    @property
    def rows(self) -> int:
        return self._rows

    @property
    def columns(self) -> list[str]:
        return list(self._columns)

    def __getitem__(self, name: str) -> NDArray[Any]:
        try:
            column = self._columns[name]
        except KeyError:
            raise KeyError(f"no column {name!r}; there are {', '.join(self._columns) or 'none'}") from None
        if isinstance(column, Coded | Partial):
            return column.array()
        return column if isinstance(column, np.ndarray) else objects(column)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.rows:,} rows of {', '.join(self._columns) or 'nothing'}>"

    def numpy(self) -> dict[str, NDArray[Any]]:
        """Every column as an array; text columns have the dtype object."""
        return {name: self[name] for name in self._columns}

    def pandas(self, *, copy: bool = False) -> pandas.DataFrame:
        """Shares memory with this frame and is read-only, unless `copy` is set."""
        pd = library("pandas")
        columns = {}
        for name, column in self._columns.items():
            if isinstance(column, Coded):
                values = pd.Categorical.from_codes(column.codes, list(map(encodable, column.names)))
            elif isinstance(column, np.ndarray):
                values = column
            elif isinstance(column, Partial):
                values = column.array()
            else:
                values = pd.Series(list(column), dtype=pandas_dtype(column))
            columns[encodable(name)] = values
        frame: pandas.DataFrame = pd.DataFrame(columns, copy=copy)
        return frame

    def polars(self) -> polars.DataFrame:
        """Shares memory with this frame."""
        pl = library("polars")
        series = [_polars_series(pl, name, column) for name, column in self._columns.items()]
        frame: polars.DataFrame = pl.DataFrame(series)
        return frame

    def arrow(self) -> pyarrow.Table:
        """Shares memory with this frame; text columns are dictionary-encoded."""
        pa = library("pyarrow")
        arrays = {encodable(name): _arrow_array(pa, column) for name, column in self._columns.items()}
        table: pyarrow.Table = pa.table(arrays)
        return table


def library(name: str) -> Any:
    """Imports a library on first use. MissingLibraryError if it is not installed."""
    try:
        return import_module(name)
    except ImportError as error:
        # A library that is installed but broken raises its own error.
        if isinstance(error, ModuleNotFoundError) and error.name == name:
            wanted = EXTRAS.get(name, name)
            raise MissingLibraryError(
                f"this needs {name}, which is not installed here: pip install '{wanted}'", name=name
            ) from None
        raise


def objects(values: Sequence[Any]) -> NDArray[np.object_]:
    """An array with one object per value, even if the values are lists of equal length."""
    array: NDArray[np.object_] = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def encodable(text: str) -> str:
    """Escapes lone surrogates, which file names and JSON keys may contain and libraries reject."""
    return text.encode(errors="backslashreplace").decode()


def pandas_dtype(values: Sequence[Any]) -> str:
    """The pandas dtype for these values, ignoring None."""
    found = {type(value) for value in values if value is not None}
    if found and found <= {int, float}:
        return "float64"
    if found == {bool} and None not in values:
        return "bool"
    return "object"


def _plain(values: Sequence[Any]) -> list[Any]:
    """Values of one type, for libraries with typed columns: floats, booleans, lists of text, or else text."""
    found = {type(value) for value in values if value is not None}
    if found <= {int, float}:
        return [None if value is None else float(value) for value in values]
    if found == {bool}:
        return list(values)
    if found <= {list, tuple}:
        return [None if value is None else [encodable(str(item)) for item in value] for value in values]
    return [None if value is None else encodable(str(value)) for value in values]


def _polars_series(pl: Any, name: str, column: Column) -> Any:
    if isinstance(column, Coded):
        names = pl.Series([encodable(text) for text in column.names], dtype=pl.String)
        return names.cast(pl.Categorical).gather(column.codes).alias(encodable(name))
    if isinstance(column, np.ndarray):
        return pl.Series(encodable(name), column)
    if isinstance(column, Partial):
        return pl.Series(encodable(name), column.values).set(pl.Series(~column.present), None)
    values = _plain(column)
    return pl.Series(encodable(name), values, dtype=pl.String if not any(v is not None for v in values) else None)


def _arrow_array(pa: Any, column: Column) -> Any:
    if isinstance(column, Coded):
        names = pa.array([encodable(text) for text in column.names], pa.string())
        return pa.DictionaryArray.from_arrays(column.codes, names)
    if isinstance(column, np.ndarray):
        return pa.array(column)
    if isinstance(column, Partial):
        return pa.array(column.values, mask=~column.present)
    values = _plain(column)
    return pa.array(values, None if any(v is not None for v in values) else pa.string())
