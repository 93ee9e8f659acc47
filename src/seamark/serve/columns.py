"""Columns on the wire: a small JSON header, then raw little-endian numbers a browser reads without parsing.

    bytes 0–7    the letters SEAMARK1
    bytes 8–11   length of the header in bytes, u32, a multiple of 8
    bytes 12–15  zero
    then         the header: JSON, UTF-8, filled up with spaces
    then         the columns, each starting on a multiple of 8 bytes

The header's `columns` lists name, type (f64, i64, u64, u32), offset from the end of the header and count of each.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

MEDIA_TYPE = "application/vnd.seamark.columns"
MAGIC = b"SEAMARK1"
ALIGNMENT = 8
TYPE_NAMES = {"<f8": "f64", "<i8": "i64", "<u8": "u64", "<u4": "u32"}


def encode_columns(header: Mapping[str, object], columns: Mapping[str, NDArray[Any]]) -> bytes:
    """One block; the header's own entries may hold anything JSON can."""
    arrays = {name: little_endian(name, column) for name, column in columns.items()}
    entries, offset = [], 0
    for name, array in arrays.items():
        entries.append({"name": name, "type": TYPE_NAMES[array.dtype.str], "offset": offset, "count": array.size})
        offset += padded(array.nbytes)
    text = json.dumps({**header, "columns": entries}, separators=(",", ":"), allow_nan=False).encode()
    text = text.ljust(padded(len(text)))
    return b"".join([MAGIC, struct.pack("<II", len(text), 0), text, *bodies(arrays.values())])


def bodies(arrays: Any) -> Iterator[bytes | memoryview]:
    for array in arrays:
        yield array.data.cast("B") if array.size else b""
        yield bytes(padded(array.nbytes) - array.nbytes)


def little_endian(name: str, column: NDArray[Any]) -> NDArray[Any]:
    array = np.ascontiguousarray(column, dtype=column.dtype.newbyteorder("<"))
    if array.dtype.str not in TYPE_NAMES:
        raise TypeError(f"no type on the wire for {array.dtype}, want one of {', '.join(TYPE_NAMES)}: column '{name}'")
    return array


def padded(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def decode_columns(block: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The other direction, for Python clients and tests."""
    if block[:8] != MAGIC:
        raise ValueError(f"not a block of columns: starts with {block[:8]!r}, want {MAGIC!r}")
    (size,) = struct.unpack_from("<I", block, 8)
    body = 16 + size
    header = json.loads(block[16:body])
    dtypes = {name: dtype for dtype, name in TYPE_NAMES.items()}
    columns = {
        entry["name"]: np.frombuffer(block, dtypes[entry["type"]], entry["count"], body + entry["offset"])
        for entry in header.pop("columns")
    }
    return header, columns
