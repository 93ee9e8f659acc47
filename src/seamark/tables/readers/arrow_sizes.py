"""What Parquet and Arrow files become in memory, from the headers that pyarrow allocates by: those of their pages.

The footer of a file is not believed. Raises BudgetError before pyarrow reads what is too much.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from seamark.format.budget import check_fits, check_time
from seamark.tables.column import TableError

if TYPE_CHECKING:
    import pyarrow
    import pyarrow.parquet

# A number of a nested column, with its two levels.
NESTED_VALUE_BYTES = 8
HEADER_BYTES = 1 << 10
MAX_HEADER_BYTES = 1 << 20
MAX_HEADER_DEPTH = 16
MAX_PAGES = 1_000_000
# Fields of Parquet's PageHeader.
UNPACKED_SIZE, PACKED_SIZE, COUNTED_HEADERS, NUMBER_OF_VALUES = 2, 3, (5, 8), 1
# Slots of Arrow's flatbuffers.
MESSAGE_HEADER, DICTIONARY_DATA, BATCH_BUFFERS, BATCH_COMPRESSION = 2, 1, 2, 3
DICTIONARY_BATCH, RECORD_BATCH = 2, 3
BUFFER_BYTES = 16


class Page(NamedTuple):
    unpacked_bytes: int
    values: int  # 0 for a page of a dictionary


def check_parquet(path: Path, metadata: pyarrow.parquet.FileMetaData, columns: Iterable[int]) -> None:
    """`columns` are the leaves that will be read."""
    chosen = list(columns)
    with path.open("rb") as stream:
        for number in range(metadata.num_row_groups):
            group, nested_values = metadata.row_group(number), 0
            for at in chosen:
                for page in pages_of(stream, group.column(at)):
                    check_fits(page.unpacked_bytes)
                    if metadata.schema.column(at).max_repetition_level:
                        nested_values += page.values
            check_fits(NESTED_VALUE_BYTES * nested_values)


def pages_of(stream: BinaryIO, chunk: pyarrow.parquet.ColumnChunkMetaData) -> Iterator[Page]:
    starts = [chunk.data_page_offset, *([chunk.dictionary_page_offset] if chunk.has_dictionary_page else [])]
    at = min(filter(None, starts), default=0)
    if not at:  # the file begins with its magic: a column without rows has no page
        return
    end = at + chunk.total_compressed_size
    for _ in range(MAX_PAGES):
        if at >= end:
            return
        check_time()
        fields, size = page_header(stream, at)
        packed = _number(fields, PACKED_SIZE)
        headers = (fields.get(name) for name in COUNTED_HEADERS)
        values = next((_number(header, NUMBER_OF_VALUES) for header in headers if isinstance(header, dict)), 0)
        yield Page(_number(fields, UNPACKED_SIZE), values)
        at += size + packed
    raise TableError(f"the file has too many pages: want at most {MAX_PAGES:,} in a column")


def page_header(stream: BinaryIO, at: int) -> tuple[dict[int, Any], int]:
    """The fields by their number, and the size of the header."""
    size = HEADER_BYTES
    while size <= MAX_HEADER_BYTES:
        stream.seek(at)
        data = stream.read(size)
        try:
            return _struct(data, 0, 0)
        except IndexError:
            if len(data) < size:
                break
            size *= 8
    raise TableError("the file cannot be read: a page of it has no header")


def _number(fields: dict[int, Any], name: int) -> int:
    value = fields.get(name)
    if not isinstance(value, int) or value < 0:
        raise TableError("the file cannot be read: the header of a page is damaged")
    return value


def _struct(data: bytes, at: int, depth: int) -> tuple[dict[int, Any], int]:
    """Thrift's compact protocol: numbers and structs by the number of their field; what else there is has None."""
    if depth > MAX_HEADER_DEPTH:
        raise TableError("the file cannot be read: the header of a page is damaged")
    fields: dict[int, Any] = {}
    number = 0
    while True:
        head = data[at]
        at += 1
        if not head:
            return fields, at
        if head >> 4:
            number += head >> 4
        else:
            number, at = _zigzag(data, at)
        fields[number], at = _value(data, at, head & 15, depth)


def _value(data: bytes, at: int, type: int, depth: int, *, in_list: bool = False) -> tuple[Any, int]:
    if type in (1, 2):
        return None, at + in_list
    if type == 3:
        return None, at + 1
    if type in (4, 5, 6):
        return _zigzag(data, at)
    if type == 7:
        return None, at + 8
    if type == 8:
        size, at = _varint(data, at)
        return None, at + size
    if type in (9, 10):
        head = data[at]
        count, at = (head >> 4, at + 1) if head >> 4 != 15 else _varint(data, at + 1)
        for _ in range(count):
            _, at = _value(data, at, head & 15, depth + 1, in_list=True)
            data[at - 1]  # a count beyond the end
        return None, at
    if type == 12:
        return _struct(data, at, depth + 1)
    raise TableError("the file cannot be read: the header of a page is damaged")


def _zigzag(data: bytes, at: int) -> tuple[int, int]:
    value, at = _varint(data, at)
    return value >> 1 ^ -(value & 1), at


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
    return value, at


def check_messages(messages: Iterable[pyarrow.ipc.Message]) -> None:
    """Of an Arrow file or stream: packed buffers begin with the size that pyarrow makes room for."""
    dictionary_bytes = 0
    for message in messages:
        check_time()
        size, is_dictionary = unpacked_size(message.metadata.to_pybytes(), memoryview(message.body or b""))
        check_fits(dictionary_bytes + size)
        dictionary_bytes += size if is_dictionary else 0


def unpacked_size(metadata: bytes, body: memoryview) -> tuple[int, bool]:
    """Of the buffers that are packed: the others are mapped. And whether it is a dictionary, which is kept."""
    try:
        message = _Table(metadata, struct.unpack_from("<I", metadata, 0)[0])
        type = message.byte(MESSAGE_HEADER - 1)
        batch = message.table(MESSAGE_HEADER)
        is_dictionary = type == DICTIONARY_BATCH
        if batch is not None and is_dictionary:
            batch = batch.table(DICTIONARY_DATA)
        if batch is None or type not in (DICTIONARY_BATCH, RECORD_BATCH) or not batch.slot(BATCH_COMPRESSION):
            return 0, is_dictionary
        size = 0
        for start, length in batch.buffers():
            if length >= 8:
                (claimed,) = struct.unpack_from("<q", body, start)
                size += max(claimed, 0)  # -1: not packed
        return size, is_dictionary
    except (struct.error, ValueError) as error:
        raise TableError(f"the file cannot be read: a message in it is damaged: {error}") from error


class _Table:
    """A table of a flatbuffer."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data, self._at = data, at
        self._vtable = at - struct.unpack_from("<i", data, at)[0]
        if self._vtable < 0:
            raise ValueError("a table is outside of it")

    def slot(self, number: int) -> int:
        """Where a field is; 0 if there is none."""
        (size,) = struct.unpack_from("<H", self._data, self._vtable)
        if 4 + 2 * number >= size:
            return 0
        (offset,) = struct.unpack_from("<H", self._data, self._vtable + 4 + 2 * number)
        return self._at + offset if offset else 0

    def byte(self, number: int) -> int:
        at = self.slot(number)
        return int(struct.unpack_from("<B", self._data, at)[0]) if at else 0

    def table(self, number: int) -> _Table | None:
        at = self.slot(number)
        return _Table(self._data, at + struct.unpack_from("<I", self._data, at)[0]) if at else None

    def buffers(self) -> Iterator[tuple[int, int]]:
        """Offset and length of each."""
        at = self.slot(BATCH_BUFFERS)
        if not at:
            return
        at += struct.unpack_from("<I", self._data, at)[0]
        (count,) = struct.unpack_from("<I", self._data, at)
        for number in range(count):
            yield struct.unpack_from("<qq", self._data, at + 4 + BUFFER_BYTES * number)
