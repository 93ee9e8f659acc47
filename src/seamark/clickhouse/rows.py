"""Runs of the embedded store as rows of the tables."""

from __future__ import annotations

import hashlib
import math
import time
import zlib
from collections.abc import Mapping
from enum import IntEnum
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from seamark.clickhouse.chunks import chunk_columns
from seamark.clickhouse.native import Column, column_rows
from seamark.clickhouse.parameters import to_bytes
from seamark.clickhouse.schema import SERIES_NUMBERS
from seamark.format.types import RunName, Tag
from seamark.store import RunInfo, SeriesInfo, printable_path
from seamark.store.ask.stored_run import StoredFile, StoredPayloads, StoredRun, StoredScalars
from seamark.store.ask.tensorboard_order import KeptRange

SCALARS = "scalars"
# The statistic `tail` of this many points is stored; others are computed from the points.
STORED_TAIL = 10
SERIES_COLUMNS = tuple(part.split()[0] for part in SERIES_NUMBERS.split(","))
_SERIES_TYPES = dict(part.split() for part in SERIES_NUMBERS.split(","))
_INFO_COLUMNS = tuple(name for name in SERIES_COLUMNS if name in SeriesInfo.__struct_fields__)
_DTYPES = {"UInt8": np.uint8, "UInt32": np.uint32, "UInt64": np.uint64, "Int64": np.int64, "Float64": np.float64}


class RunState(IntEnum):
    LOADING = 0  # its first points are being inserted
    COMPLETE = 1
    DELETED = 2
    UPDATING = 3  # points are being added, or inserted again under `pending_key`; until then the row is as before


class RunRecord(msgspec.Struct, frozen=True):
    """What a run's row has beside its name and key, as MessagePack."""

    path: str
    first_wall: float | None
    last_wall: float | None
    total_bytes: int
    series: int
    points: int
    payloads: int
    files: tuple[StoredFile, ...]
    payload_metadata: tuple[bytes, ...]  # of the payload series of its layout, in their order
    pending_key: int = 0  # of a run that is UPDATING
    payload_store: str = ""  # the bucket or folder of its objects; "" if payloads are in the event files
    former_key: int = 0  # of the same run before it was written again
    # What TensorBoard keeps of the series at a position of the layout, where that is not every point in order of
    # arrival; None if the run was ingested before this was stored.
    tensorboard_ranges: tuple[tuple[int, tuple[KeptRange, ...]], ...] | None = None

    def info(self, name: RunName, *, shown_path: str = "") -> RunInfo:
        """`shown_path` "" is the path itself."""
        return RunInfo(
            name, Path(self.path), shown_path or printable_path(self.path), self.first_wall, self.last_wall,
            len(self.files), self.total_bytes, self.series, self.points, self.payloads,
        )  # fmt: skip


_KEY_FIELDS = ("former_key", "first_wall", "last_wall", "points", "payloads", "payload_store")
# kind, tag and, of scalars, metadata: runs of a sweep share one layout
Layout = tuple[tuple[str, str, bytes], ...]
RECORD_DECODER = msgspec.msgpack.Decoder(RunRecord)
LAYOUT_DECODER = msgspec.msgpack.Decoder(Layout)


def name_hash(*names: str) -> int:
    """Returns a number for names, the same in every process."""
    digest = hashlib.blake2b(digest_size=8)
    for name in names:
        data = to_bytes(name)
        digest.update(len(data).to_bytes(8, "little") + data)
    return int.from_bytes(digest.digest(), "little")


def record_of(run: StoredRun, *, payload_store: str = "") -> RunRecord:
    info = run.info
    return RunRecord(
        str(info.path), info.first_wall, info.last_wall, info.bytes, info.series, info.points, info.payloads,
        tuple(run.files), tuple(run.metadata(*key) for key in run.payload_keys), payload_store=payload_store,
        tensorboard_ranges=tuple((at, ranges) for at, ranges in enumerate(run.tensorboard_ranges()) if ranges),
    )  # fmt: skip


def key_of(project: str, name: RunName, record: RunRecord) -> int:
    """Returns the key of a run that is written as a whole: the same in every ingester that read the same."""
    content = [(file.consumed, file.head, file.tail) for file in record.files]
    identity = (to_bytes(project), to_bytes(name), content, *(getattr(record, field) for field in _KEY_FIELDS))
    return int.from_bytes(hashlib.blake2b(msgspec.msgpack.encode(identity), digest_size=8).digest(), "little")


def layout_of(run: StoredRun) -> Layout:
    scalars = [(SCALARS, str(tag), run.metadata(SCALARS, tag)) for tag in run.scalar_tags]
    return (*scalars, *((kind, str(tag), b"") for kind, tag in run.payload_keys))


def layout_row(layout: Layout) -> tuple[int, bytes]:
    data = msgspec.msgpack.encode(layout)
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little"), data


def month_of(wall: float | None) -> int:
    """Returns 202611 for a time in November 2026, and 0 for one that no calendar has."""
    if wall is None or not math.isfinite(wall) or not 0 <= wall < 2**32:
        return 0
    when = time.gmtime(wall)
    return when.tm_year * 100 + when.tm_mon


class SeriesRows(msgspec.Struct, frozen=True):
    """One scalar series: its points, whether they are in order, and their checksum in order of arrival."""

    points: StoredScalars
    is_regular: bool

    def checksum(self, count: int | None = None) -> int:
        """Of the first `count` points."""
        return checksum_of(self.points, count)

    def columns(self, run: int, tag: Tag, month: int, first: int) -> dict[str, Column]:
        """Returns the points from position `first` on as columns of `points`."""
        chunks = chunk_columns(self.points, first)
        rows = column_rows(chunks["position"])
        return {
            "run": np.full(rows, run, np.uint64),
            "tag": np.full(rows, name_hash(tag), np.uint64),
            "month": np.full(rows, month, np.uint32),
            **chunks,
        }


def checksum_of(rows: StoredScalars | StoredPayloads, count: int | None = None) -> int:
    crc = 0
    for name in rows.__struct_fields__:
        crc = zlib.crc32(np.ascontiguousarray(getattr(rows, name)[:count]).data, crc)
    return crc


def series_rows(points: StoredScalars) -> SeriesRows:
    return SeriesRows(points, is_regular(points))


def is_regular(points: StoredScalars) -> bool:
    """Whether step and time grow from point to point in every line that a chart may draw of them.

    The engine downsamples such series; the order of others depends on more than steps.
    """
    if not np.isfinite(points.walls).all():
        return False
    current = points.replaced == 0
    if current.all() and (points.attempt[:1] == points.attempt[-1:]).all():
        return _grows(points.steps, points.walls)
    lines = [current, *(points.attempt == attempt for attempt in np.unique(points.attempt))]
    return all(_grows(points.steps[line], points.walls[line]) for line in lines)


def _grows(steps: NDArray[np.int64], walls: NDArray[np.float64]) -> bool:
    return bool((steps[1:] > steps[:-1]).all() and (walls[1:] > walls[:-1]).all())


def payload_columns(run: int, kind: str, tag: Tag, month: int, rows: StoredPayloads, first: int) -> dict[str, Column]:
    count = len(rows.steps) - first
    return {
        "run": np.full(count, run, np.uint64),
        "kind": [to_bytes(kind)] * count,
        "tag": [to_bytes(tag)] * count,
        "position": np.arange(first, first + count, dtype=np.uint32),
        "step": rows.steps[first:],
        "wall": rows.walls[first:],
        "byte_offset": rows.offsets[first:],
        "byte_length": rows.lengths[first:],
        "file": rows.file[first:].astype(np.uint32),
        "object": [b""] * count,  # in the event file
        "attempt": rows.attempt[first:].astype(np.uint32),
        "replaced": rows.replaced[first:],
        "month": np.full(count, month, np.uint32),
    }


class SeriesNumbers(msgspec.Struct, frozen=True):
    """The numbers of one series' row, by the name of their column."""

    kind: str
    tag: Tag
    position: int
    values: Mapping[str, Any]


def scalar_numbers(info: SeriesInfo, position: int, rows: SeriesRows, digest: Mapping[str, float]) -> SeriesNumbers:
    points = rows.points
    last = _last_point(rows)
    values = {name: getattr(info, name) for name in _INFO_COLUMNS}
    values |= {f"digest_{name}": value for name, value in digest.items()}
    values |= {
        "points": info.count,
        "checksum": rows.checksum(),
        "nan_count": info.nan,
        "posinf_count": info.posinf,
        "neginf_count": info.neginf,
        "is_regular": rows.is_regular,
        "last_attempt": points.attempt.max(initial=0),
        "max_step": points.steps.max(initial=-(2**63)),
        "last_point_wall": math.nan if last is None else points.walls[last],
    }
    return SeriesNumbers(SCALARS, info.tag, position, values)


def _last_point(rows: SeriesRows) -> int | None:
    """Returns the position of the point with the greatest step, the last written among equals; None without points."""
    points = rows.points
    if rows.is_regular and len(points.steps) and not points.replaced.any():
        return len(points.steps) - 1
    current = np.flatnonzero(points.replaced == 0)
    return int(current[np.lexsort((current, points.steps[current]))[-1]]) if current.size else None


def payload_numbers(info: SeriesInfo, position: int, rows: StoredPayloads) -> SeriesNumbers:
    values = {name: value for name in _INFO_COLUMNS if (value := getattr(info, name)) is not None}
    values |= {"points": info.count, "checksum": checksum_of(rows)}
    return SeriesNumbers(info.kind, info.tag, position, values)


def series_columns(run: int, month: int, version: int, series: list[SeriesNumbers]) -> dict[str, Column]:
    count = len(series)
    columns: dict[str, Column] = {
        "run": np.full(count, run, np.uint64),
        "kind": [to_bytes(one.kind) for one in series],
        "tag": [to_bytes(one.tag) for one in series],
        "position": np.array([one.position for one in series], np.uint32),
        "version": np.full(count, version, np.uint64),
        "month": np.full(count, month, np.uint32),
    }
    for name in SERIES_COLUMNS:
        dtype = _DTYPES[_SERIES_TYPES[name]]
        blank = math.nan if dtype is np.float64 else 0
        columns[name] = np.array([one.values.get(name, blank) for one in series], dtype)
    return columns
