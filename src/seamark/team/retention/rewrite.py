"""Rewrites an event file without the payloads of some kinds.

Every other record is copied byte for byte. The new file is written beside the old one, read back and compared, and only
then takes its place, so that a crash leaves the old file or the new one.
"""

from __future__ import annotations

import bisect
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from seamark import _core
from seamark.format.messages import Event
from seamark.kinds.payload import read_varint
from seamark.team.ingest.journal import sync_folder
from seamark.team.retention.event_rows import EventRows, read_event_rows
from seamark.upload.fingerprint import exact_hash, fingerprint

# Without "tfevents" in its name, so that nobody takes it for an event file.
UNFINISHED_PREFIX = ".seamark-rewrite-"
# Puts a new content, a file beside it, in place of a file of this length.
PutInPlace = Callable[[Path, int], None]
# A record has its length and a checksum in front of the message, and a checksum behind it.
MESSAGE_START, MESSAGE_END = 12, 4
# Field numbers: Event.summary, Summary.value.
SUMMARY, VALUE = 5, 1


class RewriteError(Exception):
    """The new file is not what it has to be; the old one was not touched."""


class Original(msgspec.Struct, frozen=True):
    """What an uploader knows of a file before it was rewritten."""

    length: int
    fingerprint: str
    hash: str


class Plan(msgspec.Struct, frozen=True):
    """What rewriting a file would drop."""

    bytes_before: int
    dropped: dict[str, int]  # bytes by kind
    offsets: list[int]  # of the payloads, ascending
    metadata: dict[str, bytes]  # of each tag, for later files of the run

    @property
    def dropped_bytes(self) -> int:
        return sum(self.dropped.values())


def plan_rewrite(path: Path, drops: Callable[[str], bool], inherited: Mapping[str, bytes]) -> Plan:
    """Raises OSError."""
    data = mapped(path)
    rows = read_event_rows(data, inherited)
    dropped: dict[str, int] = {}
    offsets: list[int] = []
    for (tag, kind), found in rows.payloads.items():
        if drops(kind):
            dropped[kind] = dropped.get(kind, 0) + rows.payload_bytes[tag, kind]
            offsets += found
    return Plan(len(data), dropped, sorted(offsets), rows.metadata)


def length_without(path: Path, offsets: list[int]) -> int:
    """How long the file is without the payloads at these offsets. Raises RewriteError, DecodeError or OSError."""
    return sum(len(part) for part in kept_parts(mapped(path), offsets))


def rewrite(
    path: Path,
    drops: Callable[[str], bool],
    inherited: Mapping[str, bytes],
    *,
    put_in_place: PutInPlace,
) -> Original:
    """Raises RewriteError, DecodeError, OSError or what `put_in_place` raises."""
    plan = plan_rewrite(path, drops, inherited)
    unfinished = path.with_name(f"{UNFINISHED_PREFIX}{hashlib.blake2b(path.name.encode(), digest_size=8).hexdigest()}")
    status, data = path.stat(), mapped(path)

    try:
        with unfinished.open("wb") as file:
            for part in kept_parts(data, plan.offsets):
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        check_same(data, mapped(unfinished), drops, inherited)
        original = original_of(path, len(data))
        os.utime(unfinished, ns=(status.st_atime_ns, status.st_mtime_ns))
        put_in_place(unfinished, len(data))
        sync_folder(path.parent)
    finally:
        unfinished.unlink(missing_ok=True)
    return original


def original_of(path: Path, length: int) -> Original:
    with path.open("rb") as file:
        return Original(length, fingerprint(file.fileno(), length).hex(), exact_hash(file.fileno(), length).hex())


def kept_parts(data: memoryview, offsets: list[int]) -> Iterator[bytes | memoryview]:
    """The file in pieces, without the payloads at these offsets."""
    ends = _core.record_ends(data)
    position = 0  # up to which everything was copied
    for index in sorted({bisect.bisect_right(ends, offset) for offset in offsets}):
        start = ends[index - 1] if index else 0
        yield data[position:start]
        position = ends[index]
        yield without_payloads(bytes(data[start:position]), [at - start for at in offsets if start <= at < position])
    yield data[position:]  # with what is damaged or incomplete at the end


def without_payloads(record: bytes, offsets: list[int]) -> bytes:
    """A record without the values that hold these offsets; nothing if it has no others."""
    event = Event.FromString(record[MESSAGE_START:-MESSAGE_END])
    if not event.HasField("summary"):
        return b""  # a graph, run metadata or a log message is all that its record has
    ranges = value_ranges(record)
    if len(ranges) != len(event.summary.value):
        raise RewriteError("a record has an unusual form")
    for index in reversed(range(len(ranges))):
        if any(ranges[index].start <= offset < ranges[index].stop for offset in offsets):
            del event.summary.value[index]
    return _core.frame(event.SerializeToString()) if event.summary.value else b""


def value_ranges(record: bytes) -> list[range]:
    """Where each value of the summary is in its record."""
    message = range(MESSAGE_START, len(record) - MESSAGE_END)
    return [value for summary in fields(record, message, SUMMARY) for value in fields(record, summary, VALUE)]


def fields(data: bytes, within: range, wanted: int) -> Iterator[range]:
    """The contents of the fields with this number that have a length, in protobuf's encoding."""
    at = within.start
    while at < within.stop:
        key, at = read_varint(data, at, "an event")
        match key & 7:
            case 0:
                _, at = read_varint(data, at, "an event")
            case 1:
                at += 8
            case 2:
                length, at = read_varint(data, at, "an event")
                if key >> 3 == wanted:
                    yield range(at, at + length)
                at += length
            case 5:
                at += 4
            case other:
                raise RewriteError(f"a record has a field of the unknown type {other}")


def check_same(
    data: memoryview, copy: memoryview, drops: Callable[[str], bool], inherited: Mapping[str, bytes]
) -> None:
    """Every curve, and every payload of another kind, must be in the copy. Raises RewriteError."""
    old, new = read_event_rows(data, inherited), read_event_rows(copy, inherited)
    is_same = old.curves() == new.curves() and kept_payloads(old, drops) == kept_payloads(new, drops)
    if not is_same or any(drops(kind) for _, kind in new.payloads):
        raise RewriteError("the new file does not have the same curves; the old one stays")


def kept_payloads(rows: EventRows, drops: Callable[[str], bool]) -> dict[tuple[str, str], tuple[int, int]]:
    """How many payloads of each kept series there are, and their bytes."""
    return {key: (len(offsets), rows.payload_bytes[key]) for key, offsets in rows.payloads.items() if not drops(key[1])}


def mapped(path: Path) -> memoryview:
    """The content of a file, as long as somebody has a part of it. Raises OSError."""
    with path.open("rb") as file:
        length = os.fstat(file.fileno()).st_size
        return _core.FileMap(file.fileno(), length).memory() if length else memoryview(b"")


def remove_unfinished(folders: Iterable[Path]) -> None:
    """What a crash left."""
    for folder in folders:
        for path in folder.glob(f"{UNFINISHED_PREFIX}*"):
            path.unlink(missing_ok=True)
