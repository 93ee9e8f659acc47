"""The lines of metadata.tsv, from labels, rows, columns or a table of pandas, Polars or Arrow."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from seamark.write.encode.arrays import as_copy

# TensorBoard skips empty lines, which would shift all labels that follow.
EMPTY_LINE = "(none)"


@dataclass(frozen=True)
class LabelLines:
    """Lines as torch's writer forms them."""

    text: list[str]

    @classmethod
    def of(cls, metadata: Sequence[Any], header: Sequence[str] | None) -> LabelLines:
        if not header:
            return cls([str(label) for label in metadata])
        rows = [header, *metadata]
        for row in rows:
            if len(row) != len(header):
                raise ValueError(f"every label needs a value per column: got {len(row)}, want {len(header)}: {row!r}")
        return cls(["\t".join(str(cell) for cell in row) for row in rows])

    def lines(self) -> list[str]:
        return self.text


@dataclass(frozen=True)
class MetadataTable:
    """Columns by name, copied; their text is formed when they are written."""

    columns: dict[str, Sequence[Any]]

    def lines(self) -> list[str]:
        """One line per row. As TensorBoard expects it, only several columns have a header."""
        columns = [_cells(column) for column in self.columns.values()]
        rows = ["\t".join(cells) for cells in zip(*columns, strict=True)]
        lines = [line if line.strip() else EMPTY_LINE for line in rows]
        if len(columns) == 1:
            return lines
        return ["\t".join(_cell(name) for name in self.columns), *lines]


def metadata_table(metadata: Any, rows: int) -> MetadataTable:
    """Raises ValueError or TypeError if the metadata does not have one value per row."""
    columns = {str(name): _copied(column, name) for name, column in _columns(metadata).items()}
    if not columns:
        raise ValueError("the metadata has no columns: leave it out instead")
    for name, column in columns.items():
        if len(column) != rows:
            of_column = f" of column '{name}'" if len(columns) > 1 else ""
            raise ValueError(f"every point needs its metadata: got {len(column)} values{of_column} for {rows} points")
    return MetadataTable(columns)


def _columns(metadata: Any) -> Mapping[Any, Any]:
    if isinstance(metadata, Mapping):
        return metadata
    if hasattr(metadata, "column_names") and hasattr(metadata, "to_pydict"):  # pyarrow
        return dict(metadata.to_pydict())
    if hasattr(metadata, "get_columns"):  # Polars
        return {column.name: column.to_list() for column in metadata.get_columns()}
    if hasattr(metadata, "itertuples"):  # pandas
        return {name: metadata[name].tolist() for name in metadata.columns}
    if isinstance(metadata, str | bytes) or not isinstance(metadata, Iterable):
        raise TypeError(
            "metadata is a list of labels, a list of dicts, a dict of columns or a table: "
            f"got {type(metadata).__name__}"
        )
    if isinstance(metadata, Sequence) and metadata and all(isinstance(row, Mapping) for row in metadata):
        names = dict.fromkeys(name for row in metadata for name in row)
        return {name: [row.get(name) for row in metadata] for name in names}
    return {"label": metadata}


def _copied(column: Any, name: Any) -> Sequence[Any]:
    if not hasattr(column, "shape"):
        cells = list(column)
        if cells and isinstance(cells[0], list | tuple | dict | set):
            got = type(cells[0]).__name__
            raise TypeError(f"a label is text or a number: got {got} in column '{name}'; give a dict of columns")
        return cells
    values = as_copy(column)
    if values.ndim != 1:
        raise ValueError(f"a column of metadata has one dimension: got shape {list(values.shape)} for '{name}'")
    # float32 as its shortest text, not as the float64 next to it.
    return list(values) if values.dtype in (np.float32, np.float16) else list(values.tolist())


def _cells(column: Sequence[Any]) -> list[str]:
    return [_cell(value) for value in column]


def _cell(value: Any) -> str:
    """Neither tabs nor line breaks: the format has no way to quote them."""
    if value is None or (isinstance(value, float | np.floating) and math.isnan(value)):
        return ""
    return " ".join(str(value).split()) if isinstance(value, str) else str(value)
