"""TFRecord files of tf.Example. No TensorFlow is needed."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from google.protobuf.message import DecodeError

from seamark._core import masked_crc32c
from seamark.format.messages import Example
from seamark.tables.build import column_of_values
from seamark.tables.column import Column, Table, TableError
from seamark.tables.limits import check_cells, check_columns
from seamark.tables.pictures import Pictures, are_pictures
from seamark.tables.readers.compressed import read_bytes

SUFFIXES = (".tfrecord", ".tfrecords", ".tfrecord.gz", ".tfrecords.gz")
LENGTH = struct.Struct("<QI")  # the length of a record and its checksum
CHECKSUM = struct.Struct("<I")
# A longer list is left out: as text it would help nobody.
MAX_LIST = 16
Values = list[Any]


def read_tf_examples(path: Path) -> Table:
    data = read_bytes(path)
    values: dict[str, Values] = {}
    problems: list[str] = []
    row = 0
    try:
        for row, record in enumerate(records(data)):
            _add(values, row, record)
        rows = row + 1
    except CutOffError as error:
        if not values:
            raise
        rows = max(map(len, values.values()))
        problems.append(f"{error}: the {rows:,} records before it are read")
    if not values:
        raise TableError("the file has no tf.Example with features")
    check_cells(rows, len(values))
    return _table(values, rows, problems)


class CutOffError(TableError):
    """The last record is incomplete."""


def records(data: bytes) -> Iterator[bytes]:
    """The payloads. Raises TableError for a damaged record, with its number."""
    view, at, number = memoryview(data), 0, 0
    while at < len(data):
        number += 1
        if at + LENGTH.size > len(data):
            raise CutOffError(f"record {number:,} is cut off")
        length, checksum = LENGTH.unpack_from(data, at)
        if masked_crc32c(view[at : at + 8]) != checksum:
            hint = "" if number > 1 else "; this may not be a TFRecord file"
            raise TableError(f"the length of record {number:,} is damaged{hint}")
        start = at + LENGTH.size
        end = start + length
        if end + CHECKSUM.size > len(data):
            raise CutOffError(f"record {number:,} is cut off")
        if masked_crc32c(view[start:end]) != CHECKSUM.unpack_from(data, end)[0]:
            raise TableError(f"record {number:,} is damaged: its checksum is wrong")
        yield bytes(view[start:end])
        at = end + CHECKSUM.size


def _add(values: dict[str, Values], row: int, record: bytes) -> None:
    try:
        features = Example.FromString(record).features.feature
    except DecodeError as error:
        raise TableError(f"record {row + 1:,} is no tf.Example") from error
    for name, feature in features.items():
        source = feature.WhichOneof("kind")
        items = list(getattr(feature, source).value) if source else []
        column = values.get(name)
        if column is None:
            check_columns(len(values) + 1)
            column = values[name] = []
        column += [None] * (row - len(column))
        column.append(items[0] if len(items) == 1 else items or None)


def _table(values: dict[str, Values], rows: int, problems: list[str]) -> Table:
    pictures = Pictures()
    columns: list[Column] = []
    for name in sorted(values):  # the order of a map is not defined
        items = values[name] + [None] * (rows - len(values[name]))
        longest = max((len(item) for item in items if isinstance(item, list)), default=0)
        if longest > MAX_LIST:
            problems.append(f"the feature '{name}' is left out: it has lists of up to {longest:,} values")
        else:
            columns.append(_column(name, items, pictures))
    if not columns:
        raise TableError(f"the file has no feature with single values: {problems[0]}")
    return Table(rows, tuple(columns), tuple(problems), pictures.read if pictures else None)


def _column(name: str, items: Sequence[Any], pictures: Pictures) -> Column:
    if are_pictures(items):
        return pictures.column(name, [item if isinstance(item, bytes) else None for item in items])
    return column_of_values(name, [_decoded(item) for item in items])


def _decoded(value: Any) -> Any:
    if isinstance(value, list):
        return [_decoded(part) for part in value]
    return value.decode(errors="replace") if isinstance(value, bytes) else value
