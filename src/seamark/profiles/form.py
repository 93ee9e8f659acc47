"""Trace: the one form of every profile: tracks with nested slices, counters, flows and instants, as columns.

Times are whole nanoseconds since `origin_ns`. A track is a thread, a stream of a device or a line of events; its
slices nest, and each depth of a track is a row: slices of a row do not overlap. Slices that overlap without nesting
are moved to a deeper row. All columns of slices are ordered by row and then by start, so that a row is one range.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

Times = NDArray[np.int64]
SliceIndices = NDArray[np.int64]
NO_SLICE = -1


class ProfileError(ValueError):
    """A profile that cannot be read or analysed. The message is a sentence for people."""


TrackType = Literal["thread", "stream", "line", "async"]
# What the arguments of a slice are: the text of a JSON object, or an XEvent message.
ArgumentFormat = Literal["json", "xevent"]


class Track(msgspec.Struct, frozen=True):
    """A thread, a stream of a device, or a line of an XPlane."""

    id: int  # its position in Trace.tracks
    type: TrackType
    name: str
    process: str  # the name of the process or device above it
    pid: str
    tid: str
    is_device: bool  # a GPU, a TPU, …
    device: int  # of a device: its number; else -1
    host: str  # "rank 0" or the host's name if the trace has several; else ""
    first_row: int
    rows: int  # how deep its slices nest
    slices: int
    sort_key: int


class NameEntry(msgspec.Struct, frozen=True):
    """A name that slices have, with the category that the file gives them: `kernel`, `cpu_op`, …"""

    text: str
    category: str


class Counter(msgspec.Struct, frozen=True):
    """A number over time: times and values are `Trace.counter_times[first : first + points]`."""

    id: int
    name: str  # "GPU 0 memory: allocated"
    process: str
    unit: str  # "bytes", "" …
    first: int
    points: int


class SliceField(NamedTuple):
    """A number that some slices (or instants) have among their arguments."""

    indices: SliceIndices  # ascending
    values: NDArray[Any]  # int64, or float64 if the file has fractions


class ArgumentText(Protocol):
    """The text that `argument_start` and `argument_size` are positions in."""

    def read(self, start: int, size: int) -> bytes:
        """Raises OSError, and ProfileError if the file was changed."""


@dataclass(frozen=True, eq=False)
class Trace:
    """Never changed. The columns are in memory or mapped from the cache."""

    origin_ns: int  # since 1970, or since some other moment if the file does not say
    tracks: list[Track]
    names: list[NameEntry]
    # One entry for each slice.
    start: Times
    duration: Times  # never negative
    self_time: Times  # without the slices directly below it
    name: NDArray[np.uint32]
    parent: NDArray[np.int32]  # the slice around it in the same track, or NO_SLICE
    argument_start: NDArray[np.uint64]  # where its arguments begin in the source
    argument_size: NDArray[np.uint32]  # 0: it has none
    # One entry for each row, and one more for row_start: row i has the slices row_start[i] : row_start[i + 1].
    row_start: NDArray[np.int64]
    row_track: NDArray[np.int32]
    row_depth: NDArray[np.int32]
    # For windows of many slices: the index of the longest slice of each block of 16, of 256, …; see core/trace/pyramid.
    longest: tuple[NDArray[np.uint32], ...]
    # "correlation", "External id", "bytes", … : kFieldNames of core/trace/build/fields.h
    fields: Mapping[str, SliceField]
    counters: list[Counter] = field(default_factory=list)
    counter_times: Times = field(default_factory=lambda: np.empty(0, np.int64))
    counter_values: NDArray[np.float64] = field(default_factory=lambda: np.empty(0, np.float64))
    # Arrows between slices, such as a launch and its kernel.
    flow_from: SliceIndices = field(default_factory=lambda: np.empty(0, np.int64))
    flow_to: SliceIndices = field(default_factory=lambda: np.empty(0, np.int64))
    instant_time: Times = field(default_factory=lambda: np.empty(0, np.int64))
    instant_name: NDArray[np.uint32] = field(default_factory=lambda: np.empty(0, np.uint32))
    instant_track: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    # "Addr", "Bytes", "Total Allocated", "Total Reserved", "Device Type", "Device Id" of `[memory]` instants
    instant_fields: Mapping[str, SliceField] = field(default_factory=dict)
    # Everything beside the events: deviceProperties, distributedInfo, …; statistics of XPlanes
    metadata: Mapping[str, Any] = field(default_factory=dict)
    argument_format: ArgumentFormat = "json"
    # None: the arguments cannot be read. See arguments.py.
    arguments: ArgumentText | None = None
    problems: tuple[str, ...] = ()

    @property
    def slices(self) -> int:
        return len(self.start)

    @cached_property
    def end(self) -> Times:
        return self.start + self.duration

    @cached_property
    def span(self) -> tuple[int, int]:
        """From the first start to the last end."""
        if not self.slices:
            return 0, 0
        return int(self.start.min()), int(self.end.max())

    @cached_property
    def row(self) -> NDArray[np.int32]:
        """The row of each slice."""
        return np.repeat(np.arange(len(self.row_track), dtype=np.int32), np.diff(self.row_start))

    @cached_property
    def track(self) -> NDArray[np.int32]:
        """The track of each slice."""
        return np.repeat(self.row_track, np.diff(self.row_start))

    @cached_property
    def depth(self) -> NDArray[np.int32]:
        return np.repeat(self.row_depth, np.diff(self.row_start))

    def text(self, slice: int) -> str:
        return self.names[int(self.name[slice])].text

    def field(self, name: str) -> SliceField:
        """Empty if no slice has it."""
        return self.fields.get(name, EMPTY_FIELD)

    def slices_of_track(self, track: Track) -> range:
        first = int(self.row_start[track.first_row])
        return range(first, int(self.row_start[track.first_row + track.rows]))


EMPTY_FIELD = SliceField(np.empty(0, np.int64), np.empty(0, np.int64))
