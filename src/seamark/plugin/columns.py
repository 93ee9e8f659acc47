"""The column format: a small JSON header, then raw little-endian numbers that a browser reads without parsing.

    bytes 0–7    SEAMARK1 in ASCII
    bytes 8–11   length of the header in bytes, u32, a multiple of 8
    bytes 12–15  zero
    then         the header: JSON, UTF-8, padded with spaces
    then         the columns, each starting on a multiple of 8 bytes

The header's `columns` lists name, type (f64, f32, i64, i32, u64, u32, u16, u8), offset from the end of the header and
count of each. A column with `"shared": true` is sent once for all runs: run i has its first
offsets[i + 1] - offsets[i] entries.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

MEDIA_TYPE = "application/vnd.seamark.columns"
MAGIC = b"SEAMARK1"
ALIGNMENT = 8
TYPE_NAMES = {
    "<f8": "f64",
    "<f4": "f32",
    "<i8": "i64",
    "<i4": "i32",
    "<u8": "u64",
    "<u4": "u32",
    "<u2": "u16",
    "|u1": "u8",
}
# As float32 a time since 1970 would be off by minutes.
EXACT = frozenset({"wall", "wall_last"})


def encode_columns(
    header: Mapping[str, object], columns: Mapping[str, NDArray[Any]], *, shared: Collection[str] = ()
) -> bytes:
    """One block. The entries of `header` are any JSON."""
    arrays = {name: little_endian(name, column) for name, column in columns.items()}
    entries, offset = [], 0
    for name, array in arrays.items():
        entry = {"name": name, "type": TYPE_NAMES[array.dtype.str], "offset": offset, "count": array.size}
        entries.append({**entry, "shared": True} if name in shared else entry)
        offset += padded(array.nbytes)
    text = json.dumps({**header, "columns": entries}, separators=(",", ":"), allow_nan=False).encode()
    text = text.ljust(padded(len(text)))
    return b"".join([MAGIC, struct.pack("<II", len(text), 0), text, *bodies(arrays.values())])


def encode_batch(blocks: Iterable[bytes | str]) -> bytes:
    """Several blocks in one. The header's `responses` has the size of each block, or the error in its place."""
    results = list(blocks)
    entries = [{"error": result} if isinstance(result, str) else {"bytes": len(result)} for result in results]
    text = json.dumps({"responses": entries}, separators=(",", ":")).encode()
    text = text.ljust(padded(len(text)))
    return b"".join(
        [MAGIC, struct.pack("<II", len(text), 0), text, *(one for one in results if isinstance(one, bytes))]
    )


def bodies(arrays: Iterable[NDArray[Any]]) -> Iterator[bytes | memoryview]:
    for array in arrays:
        yield array.view(np.uint8).data if array.size else b""
        yield bytes(padded(array.nbytes) - array.nbytes)


def little_endian(name: str, column: NDArray[Any]) -> NDArray[Any]:
    array = np.ascontiguousarray(column, dtype=column.dtype.newbyteorder("<"))
    if array.dtype.str not in TYPE_NAMES:
        raise TypeError(f"a column cannot be {array.dtype}, want one of {', '.join(TYPE_NAMES)}: column '{name}'")
    return array


def padded(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def compacted(
    columns: Mapping[str, NDArray[Any]], *, per_run: Collection[str]
) -> tuple[dict[str, NDArray[Any]], set[str]]:
    """Smaller columns: values as float32, integers as narrow as possible, columns that all runs share once."""
    offsets = columns["offsets"].astype(np.int64)
    compact, shared = {}, set()
    for name, column in columns.items():
        if name in per_run:
            compact[name] = column
            continue
        array = narrowed(name, column)
        common = shared_rows(array, offsets) if len(offsets) > 2 else None
        compact[name] = array if common is None else common
        if common is not None:
            shared.add(name)
    return compact, shared


def shared_rows(array: NDArray[Any], offsets: NDArray[np.int64]) -> NDArray[Any] | None:
    """The rows of the longest run, if those of every other run are a prefix of them."""
    lengths = np.diff(offsets)
    longest = int(lengths.argmax())
    rows = array[offsets[longest] : offsets[longest + 1]]
    if not len(rows):
        return rows  # an empty window: no run has a row
    # Most columns differ in the first run: comparing two runs avoids comparing all of them.
    for run in (0, len(lengths) - 1):
        if not np.array_equal(array[offsets[run] : offsets[run + 1]], rows[: lengths[run]]):
            return None
    if lengths.min() == len(rows):
        return rows if bool((array.reshape(-1, len(rows)) == rows).all()) else None
    within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], lengths)
    return rows if np.array_equal(rows[within], array) else None


def narrowed(name: str, column: NDArray[Any]) -> NDArray[Any]:
    if column.dtype.kind == "f":
        return column if name in EXACT else column.astype(np.float32)
    lowest, highest = (int(column.min()), int(column.max())) if column.size else (0, 0)
    dtypes = (np.uint8, np.uint16, np.uint32) if column.dtype.kind == "u" else (np.int32,)
    for dtype in dtypes:
        if np.iinfo(dtype).min <= lowest and highest <= np.iinfo(dtype).max:
            return column.astype(dtype)
    return column


def decode_batch(body: bytes) -> list[bytes | str]:
    """The blocks of a batch, with error sentences in place of those that failed."""
    (size,) = struct.unpack_from("<I", body, 8)
    at, found = 16 + size, list[bytes | str]()
    for entry in json.loads(body[16:at])["responses"]:
        if "error" in entry:
            found.append(entry["error"])
        else:
            found.append(body[at : at + entry["bytes"]])
            at += entry["bytes"]
    return found


def decode_columns(block: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The header and the columns of a block, for Python clients and tests."""
    if block[:8] != MAGIC:
        raise ValueError(f"not a block of columns: it starts with {block[:8]!r}, want {MAGIC!r}")
    (size,) = struct.unpack_from("<I", block, 8)
    body = 16 + size
    header = json.loads(block[16:body])
    dtypes = {name: dtype for dtype, name in TYPE_NAMES.items()}
    entries = header.pop("columns")
    columns = {
        entry["name"]: np.frombuffer(block, dtypes[entry["type"]], entry["count"], body + entry["offset"])
        for entry in entries
    }
    for entry in entries:
        if entry.get("shared"):
            lengths = np.diff(columns["offsets"].astype(np.int64))
            columns[entry["name"]] = np.concatenate([columns[entry["name"]][:length] for length in lengths])
    return header, columns
