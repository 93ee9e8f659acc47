"""ClickHouse's Native format: blocks of named columns, each one contiguous, so that NumPy reads and writes them.

Source: https://clickhouse.com/docs/interfaces/formats/Native, revision 0, as every version sends over HTTP.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

TYPES: dict[str, np.dtype[Any]] = {
    "UInt8": np.dtype("<u1"),
    "UInt32": np.dtype("<u4"),
    "UInt64": np.dtype("<u8"),
    "Int64": np.dtype("<i8"),
    "Float32": np.dtype("<f4"),
    "Float64": np.dtype("<f8"),
}
_NAMES = {dtype: name for name, dtype in TYPES.items()}


class ArrayColumn(NamedTuple):
    """A column of arrays: the elements of all rows, and where each row ends in them."""

    elements: NDArray[Any]
    ends: NDArray[np.uint64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        sizes: NDArray[np.int64] = np.diff(self.ends, prepend=np.uint64(0)).astype(np.int64)
        return sizes


Column = NDArray[Any] | list[bytes] | ArrayColumn


def column_rows(column: Column) -> int:
    return len(column.ends) if isinstance(column, ArrayColumn) else len(column)


def joined_columns(parts: Sequence[Mapping[str, Column]]) -> dict[str, Column]:
    """Returns the rows of all parts, which have the same columns."""
    return {name: _joined([part[name] for part in parts]) for name in parts[0]}


class FormatError(ValueError):
    """The server sent something else than columns of the known types."""


def encode_block(columns: Mapping[str, Column]) -> bytes:
    """Returns one block; text columns are lists of bytes."""
    rows = column_rows(next(iter(columns.values())))
    parts: list[Any] = [_varint(len(columns)), _varint(rows)]
    for name, column in columns.items():
        assert column_rows(column) == rows, name
        parts += [_text(name.encode()), _text(_type_name(column).encode())]
        if isinstance(column, list):
            parts += [part for text in column for part in (_varint(len(text)), text)]
        elif isinstance(column, ArrayColumn):
            parts += [np.ascontiguousarray(column.ends).data, np.ascontiguousarray(column.elements).data]
        else:
            parts.append(np.ascontiguousarray(column).data)
    return b"".join(parts)


def _type_name(column: Column) -> str:
    if isinstance(column, list):
        return "String"
    return f"Array({_NAMES[column.elements.dtype]})" if isinstance(column, ArrayColumn) else _NAMES[column.dtype]


def structure(columns: Mapping[str, Column]) -> str:
    """Returns names and types as statements and external tables have them."""
    return ", ".join(f"{name} {_type_name(column)}" for name, column in columns.items())


def decode_blocks(data: bytes, names: Sequence[str]) -> dict[str, Any]:
    """Returns the columns `names` of all blocks joined: arrays, and lists of bytes for text."""
    found: dict[str, list[Any]] = {name: [] for name in names}
    reader = _Reader(data)
    while reader.at < len(data):
        columns, rows = reader.varint(), reader.varint()
        for _ in range(columns):
            name, type_name = reader.text().decode(), reader.text().decode()
            if name not in found:
                raise FormatError(f"the server sent an unknown column: got {name!r}, want one of {', '.join(names)}")
            found[name].append(reader.column(type_name, rows))
    return {name: _joined(parts) if parts else np.empty(0) for name, parts in found.items()}


def _joined(parts: Sequence[Any]) -> Any:
    if len(parts) == 1:
        return parts[0]
    if isinstance(parts[0], list):
        return [text for part in parts for text in part]
    if isinstance(parts[0], ArrayColumn):
        before = np.cumsum([0, *(len(part.elements) for part in parts[:-1])]).astype(np.uint64)
        ends = [part.ends + start for part, start in zip(parts, before, strict=True)]
        return ArrayColumn(np.concatenate([part.elements for part in parts]), np.concatenate(ends))
    return np.concatenate(parts)


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def text(self) -> bytes:
        length = self.varint()
        self.at += length
        return self._data[self.at - length : self.at]

    def column(self, type_name: str, rows: int) -> Any:
        if type_name == "String":
            return [self.text() for _ in range(rows)]
        if type_name.startswith("Array("):
            ends = self._numbers("UInt64", rows)
            return ArrayColumn(self._numbers(type_name[6:-1], int(ends[-1]) if rows else 0), ends)
        return self._numbers(type_name, rows)

    def _numbers(self, type_name: str, rows: int) -> NDArray[Any]:
        dtype = TYPES.get(type_name)
        if dtype is None:
            raise FormatError(f"the server sent a column of an unknown type: got {type_name!r}")
        start, self.at = self.at, self.at + rows * dtype.itemsize
        if self.at > len(self._data):
            raise FormatError("the answer of the server is cut off; try again")
        return np.frombuffer(self._data, dtype, rows, start)


def _text(text: bytes) -> bytes:
    return _varint(len(text)) + text


def _varint(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
