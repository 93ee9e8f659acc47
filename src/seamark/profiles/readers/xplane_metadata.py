"""What an XSpace has beside its events: hosts, errors, stats of planes, the metadata that arguments refer to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from seamark._core import index_xplane_metadata
from seamark.profiles.readers.message_fields import LENGTH, Buffer, MessageField, fields_of, text_of

MAX_TEXTS = 20
MAX_BYTES_SHOWN = 200


class PlaneEntry(msgspec.Struct, frozen=True):
    """A plane, as stored in Trace.metadata["planes"]."""

    name: str
    metadata_start: int  # the part of the file that has the metadata of its events and stats
    metadata_end: int
    stats: dict[str, Any]


class HloModule(msgspec.Struct, frozen=True):
    """A compiled program: where its HloProto is in the file."""

    name: str
    program_id: int | None
    start: int
    size: int


class SpaceEntry(msgspec.Struct, frozen=True):
    hosts: list[str]
    errors: list[str]
    warnings: list[str]
    planes: list[PlaneEntry]
    modules: list[HloModule]


class EventMetadata(NamedTuple):
    name: str
    display_name: str
    stats: list[tuple[int, int]]  # where they are


class PlaneMetadata:
    """Names of events and stats by id, decoded when they are needed: a plane may have 100,000."""

    def __init__(self, part: Buffer) -> None:
        self.part = part
        events, stats = index_xplane_metadata(part)
        self._events, self._stats = events.reshape(-1, 3), stats.reshape(-1, 3)
        self._stat_names: dict[int, str] = {}

    def event(self, id: int) -> EventMetadata | None:
        place = _find(self._events, id)
        return None if place is None else _event_metadata(self.part, *place)

    def events(self) -> Iterator[EventMetadata]:
        for _, start, end in self._events.tolist():
            yield _event_metadata(self.part, start, end)

    def stat_name(self, id: int) -> str:
        name = self._stat_names.get(id)
        if name is None:
            place = _find(self._stats, id)
            # The name has the same number as in the metadata of an event.
            name = f"stat {id}" if place is None else _event_metadata(self.part, *place).name
            self._stat_names[id] = name
        return name


def _find(table: NDArray[np.int64], id: int) -> tuple[int, int] | None:
    """The last one of an id counts, as in every map of protobuf."""
    at = int(np.searchsorted(table[:, 0], id, "right")) - 1
    return (int(table[at, 1]), int(table[at, 2])) if at >= 0 and table[at, 0] == id else None


def read_space(data: Buffer) -> SpaceEntry:
    texts: dict[int, list[str]] = {2: [], 3: [], 4: []}  # errors, warnings, host names
    planes: list[PlaneEntry] = []
    modules: list[HloModule] = []
    for field in fields_of(data):
        if field.type == LENGTH and field.number in texts and len(texts[field.number]) < MAX_TEXTS:
            texts[field.number].append(text_of(data, field))
        elif field.type == LENGTH and field.number == 1:
            plane, metadata = _read_plane(data, field)
            planes.append(plane)
            if plane.name == "/host:metadata":
                modules += _modules_of(metadata, plane.metadata_start)
    return SpaceEntry(texts[4], texts[2], texts[3], planes, modules)


def _read_plane(data: Buffer, plane: MessageField) -> tuple[PlaneEntry, PlaneMetadata]:
    name = ""
    start, end, before = plane.start, plane.start, plane.start
    stats: list[MessageField] = []
    for field in fields_of(data, plane.start, plane.end):
        if field.type == LENGTH:
            if field.number == 2:
                name = text_of(data, field)
            elif field.number in (4, 5):
                start = start if end > start else before
                end = field.end
            elif field.number == 6:
                stats.append(field)
            before = field.end
    metadata = PlaneMetadata(data[start:end])
    values = [decode_stat(data, stat.start, stat.end, metadata) for stat in stats]
    return PlaneEntry(name, start, end, {key: value for key, value in values if key}), metadata


def _event_metadata(data: Buffer, start: int, end: int) -> EventMetadata:
    texts = {2: "", 4: ""}
    stats: list[tuple[int, int]] = []
    for field in fields_of(data, start, end):
        if field.type == LENGTH and field.number in texts:
            texts[field.number] = text_of(data, field)
        elif field.type == LENGTH and field.number == 5:
            stats.append((field.start, field.end))
    return EventMetadata(texts[2], texts[4], stats)


def decode_stat(data: Buffer, start: int, end: int, metadata: PlaneMetadata) -> tuple[str, Any]:
    """The name, "" if there is none, and the value."""
    name = ""
    value: Any = None
    for field in fields_of(data, start, end):
        if field.number == 1:
            name = metadata.stat_name(field.signed)
        elif field.number == 2:
            value = field.real
        elif field.number == 3:
            value = field.value
        elif field.number == 4:
            value = field.signed
        elif field.number == 5:
            value = text_of(data, field)
        elif field.number == 6:
            value = _describe_bytes(bytes(data[field.start : field.end]))
        elif field.number == 7:
            value = metadata.stat_name(field.signed)
    return name, value


def _describe_bytes(content: bytes) -> str:
    try:
        text = content[:MAX_BYTES_SHOWN].decode()
        if text.isprintable() and len(content) <= MAX_BYTES_SHOWN:
            return text
    except UnicodeDecodeError:
        pass
    return f"{len(content)} bytes"


def _modules_of(metadata: PlaneMetadata, offset: int) -> list[HloModule]:
    """`offset` is where the metadata is in the file."""
    found: list[HloModule] = []
    part = metadata.part
    for event in metadata.events():
        program, place = None, None
        for start, end in event.stats:
            name, value = decode_stat(part, start, end, metadata)
            if name in ("Hlo Proto", "hlo_proto"):
                place = next((field for field in fields_of(part, start, end) if field.number == 6), None)
            elif name == "program_id" and isinstance(value, int):
                program = value
        if place is not None:
            found.append(HloModule(event.name, program, offset + place.start, place.end - place.start))
    return found
