"""Trace: counters, one slice, an area."""

from __future__ import annotations

from seamark.profiles.results.base import Result


class CounterEntry(Result, frozen=True, kw_only=True):
    """A counter of Trace."""

    id: int
    name: str  # "GPU 0 memory: allocated"
    process: str
    unit: str  # "bytes", "" …
    points: int
    limit: int | None  # what the device has; None: not known


class SliceArgument(Result, frozen=True, kw_only=True):
    name: str
    value: str


class SliceLink(Result, frozen=True, kw_only=True):
    relation: str  # "launched by", "launches", "operator", "forward", "backward", "waits for", "awaited by"
    slice: int
    name: str
    track: int
    start_ns: int


class SliceDetails(Result, frozen=True, kw_only=True):
    slice: int
    name: str
    category: str
    activity: int
    track: int
    row: int
    depth: int
    start_ns: int
    duration_ns: int
    self_ns: int
    step: str
    parent: int
    same_name: int  # how many slices have this name
    arguments: list[SliceArgument]
    stack: list[str]  # outermost first
    links: list[SliceLink]


class AreaRow(Result, frozen=True, kw_only=True):
    name: str
    activity: int
    track: int  # -1: several
    count: int
    total_ns: int  # inside the area
    self_ns: int
    longest: int


class Area(Result, frozen=True, kw_only=True):
    rows: list[AreaRow]
    total_ns: int
    count: int
    tracks: int
    overlaps: bool  # tracks overlap: the total exceeds the area
    device_idle_ns: int | None
