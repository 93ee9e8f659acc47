"""Trace files: the columns of a trace as one file of the cache, which is mapped when the trace is opened again.

Columns in little-endian order, each aligned to 64 bytes; then a header as JSON; then its place and the magic bytes.
The header is last because the columns are written one after another, while the next ones are still in the reader.
"""

from __future__ import annotations

import logging
import os
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from seamark._core import TraceColumns, build_longest
from seamark.format.cache_folder import replacing
from seamark.profiles.form import ArgumentFormat, ArgumentText, Counter, NameEntry, SliceField, Trace, Track
from seamark.profiles.readers.native_trace import ReadTrace, make_counters, make_tracks

LOG = logging.getLogger(__name__)
VERSION = 5
MAGIC = b"SMTRACE\n"
TRAILER = struct.Struct("<QQ8s")  # the header's start and size
ALIGNMENT = 64
FIELD, INSTANT_FIELD, LONGEST = "field:", "instant:", "longest:"
INDICES, VALUES = ":indices", ":values"

Columns = dict[str, NDArray[Any]]


class ColumnPlace(msgspec.Struct, frozen=True):
    name: str
    dtype: str
    start: int
    size: int


class TraceHeader(msgspec.Struct, frozen=True):
    version: int
    origin_ns: int
    tracks: list[Track]
    names: list[tuple[str, str]]
    counters: list[Counter]
    metadata: dict[str, Any]
    argument_format: ArgumentFormat
    problems: list[str]
    columns: list[ColumnPlace] = []


def store_trace(path: Path, read: ReadTrace, arguments: ArgumentText | None) -> Trace:
    """Writes the trace to the cache and maps it; if that fails, for want of space say, it stays in memory."""
    header = make_header(read)
    writer = _TraceWriter(read.columns)
    try:
        with replacing(path) as file:
            writer.write(file, header)
    except OSError as error:
        LOG.warning("a trace is not cached (%s): '%s'", error.strerror or error, path)
        return make_trace(header, writer.take_rest(), arguments)
    mapped = load_trace(path, arguments)
    assert mapped is not None
    return mapped


def load_trace(path: Path, arguments: ArgumentText | None) -> Trace | None:
    """None if there is no such file, or if another version wrote it."""
    try:
        data = np.memmap(path, np.uint8, "r")
        start, size, magic = TRAILER.unpack(data[-TRAILER.size :].tobytes())
        if magic != MAGIC:
            return None
        header = msgspec.json.decode(data[start : start + size].data, type=TraceHeader)
        if header.version != VERSION:
            return None
        columns = {
            place.name: data[place.start : place.start + place.size].view(np.dtype(place.dtype))
            for place in header.columns
        }
    except (OSError, ValueError, struct.error, msgspec.MsgspecError):
        return None
    return make_trace(header, columns, arguments)


def make_header(read: ReadTrace) -> TraceHeader:
    return TraceHeader(
        version=VERSION,
        origin_ns=read.origin_ns,
        tracks=make_tracks(read.columns, read.host),
        names=read.columns.names(),
        counters=make_counters(read.columns),
        metadata=read.metadata,
        argument_format=read.argument_format,
        problems=read.problems,
    )


def make_trace(header: TraceHeader, columns: Mapping[str, NDArray[Any]], arguments: ArgumentText | None) -> Trace:
    plain = {name: column for name, column in columns.items() if ":" not in name}
    levels = [columns[name] for name in columns if name.startswith(LONGEST)]
    return Trace(
        origin_ns=header.origin_ns,
        tracks=header.tracks,
        names=[NameEntry(text, category) for text, category in header.names],
        counters=header.counters,
        metadata=header.metadata,
        argument_format=header.argument_format,
        problems=tuple(header.problems),
        fields=_fields(columns, FIELD),
        instant_fields=_fields(columns, INSTANT_FIELD),
        longest=tuple(levels),
        arguments=arguments,
        **plain,
    )


def _fields(columns: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, SliceField]:
    names = [name.removeprefix(prefix).removesuffix(INDICES) for name in columns if _is_indices(name, prefix)]
    return {name: SliceField(columns[f"{prefix}{name}{INDICES}"], columns[f"{prefix}{name}{VALUES}"]) for name in names}


def _is_indices(name: str, prefix: str) -> bool:
    return name.startswith(prefix) and name.endswith(INDICES)


def columns_of(columns: TraceColumns) -> Iterator[tuple[str, NDArray[Any]]]:
    """(name, column), each taken from the reader when the one before is no longer needed."""
    for name in columns.column_names():
        column = columns.take(name)
        if name == "duration":
            for level, longest in enumerate(build_longest(column)):
                yield f"{LONGEST}{level}", longest
        yield name, column
        del column
    for name in columns.field_names():
        indices, values = columns.take_field(name)
        yield f"{FIELD}{name}{INDICES}", indices
        yield f"{FIELD}{name}{VALUES}", values
        del indices, values
    for name in columns.instant_field_names():
        indices, values = columns.take_instant_field(name)
        yield f"{INSTANT_FIELD}{name}{INDICES}", indices
        yield f"{INSTANT_FIELD}{name}{VALUES}", values


class _TraceWriter:
    """Writes the columns to a file; when that fails, what was written is read from it, and the rest stays in memory."""

    def __init__(self, columns: TraceColumns) -> None:
        self._columns = columns_of(columns)
        self._collected: Columns = {}

    def write(self, file: IO[bytes], header: TraceHeader) -> None:
        """Raises OSError."""
        places: list[ColumnPlace] = []
        try:
            for name, column in self._columns:
                self._collected = {name: column}
                places.append(_write_column(file, name, column))
                self._collected = {}
                del column
            _write_header(file, msgspec.structs.replace(header, columns=places))
        except OSError:
            written = {place.name: _read_column(file.fileno(), place) for place in places}
            self._collected = written | self._collected
            raise

    def take_rest(self) -> Columns:
        """All columns, after write() failed."""
        return self._collected | dict(self._columns)


def _write_column(file: IO[bytes], name: str, column: NDArray[Any]) -> ColumnPlace:
    start = file.tell()
    padding = -start % ALIGNMENT
    file.write(bytes(padding))
    file.write(column.data)
    file.flush()
    return ColumnPlace(name, column.dtype.str, start + padding, column.nbytes)


def _read_column(descriptor: int, place: ColumnPlace) -> NDArray[Any]:
    column = np.empty(place.size, np.uint8)
    done = 0
    while done < place.size:
        done += os.preadv(descriptor, [column.data[done:]], place.start + done)
    return column.view(np.dtype(place.dtype))


def _write_header(file: IO[bytes], header: TraceHeader) -> None:
    text = msgspec.json.encode(header)
    start = file.tell()
    file.write(text)
    file.write(TRAILER.pack(start, len(text), MAGIC))
    file.flush()
