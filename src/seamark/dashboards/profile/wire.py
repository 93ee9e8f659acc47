"""What the routes of Profile take and send.

What the analyses find is in seamark.profiles.results.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from seamark.plugin import RequestStruct, ResponseStruct
from seamark.plugin.parameters import RunParameter
from seamark.profiles.form import Track
from seamark.profiles.results import CounterEntry, Steps

# Seventy years: one event at 0 among others since 1970 makes a trace that long.
Nanoseconds = Annotated[int, Meta(ge=-(2**60), le=2**61)]
SliceIndex = Annotated[int, Meta(ge=0, le=2**31)]
CaptureName = Annotated[str, Meta(description="The capture, from /captures.")]
HostName = Annotated[str, Meta(description='The host or rank, from /captures; "": the first one.')]
State = Literal["reading", "ready", "failed"]
SubTab = Literal[
    "overview",
    "trace",
    "operators",
    "kernels",
    "memory",
    "input",
    "modules",
    "distributed",
    "compile",
    "roofline",
    "compare",
]


# Which profiles there are


class HostEntry(ResponseStruct):
    host: str
    bytes: int


class CaptureEntry(ResponseStruct):
    run: str
    name: str
    time: float  # seconds since 1970
    hosts: list[HostEntry]
    is_remainder: bool  # of a schedule that ended with the training; the page opens the capture before it


class CapturesResponse(ResponseStruct):
    captures: list[CaptureEntry]  # by run, the newest first
    more: bool


class ProfileParameters(RequestStruct, kw_only=True):
    run: RunParameter
    capture: CaptureName
    host: HostName = ""
    # Steps drawn by hand: "start-end,start-end" in nanoseconds; "": those that were found.
    steps: Annotated[str, Meta(max_length=20_000)] = ""


class StateResponse(ResponseStruct):
    """While a trace is read for the first time."""

    state: State
    bytes_read: int
    bytes_total: int
    problem: str


class InfoResponse(ResponseStruct):
    origin_ns: int
    start_ns: int
    end_ns: int
    slices: int
    bytes: int
    tracks: list[Track]
    counters: list[CounterEntry]
    steps: Steps
    sub_tabs: list[SubTab]  # those that the trace has data for
    problems: list[str]


# Trace


class FindingsParameters(ProfileParameters, kw_only=True):
    all_ranks: bool = False  # also if reading the others takes long


class WindowParameters(ProfileParameters, kw_only=True):
    """Slices of some rows between two times; those that are narrower than a pixel are merged into blocks.

    The response has columns: row, start, duration, name, activity, slice (the longest of a block), count.
    """

    start: Nanoseconds = 0
    end: Nanoseconds = 0
    width: Annotated[int, Meta(ge=1, le=16_384)] = 1000  # pixels
    rows: str = ""  # "0-12,40-41"; "": all


class NamesParameters(ProfileParameters, kw_only=True):
    ids: Annotated[str, Meta(max_length=100_000)]  # of names: "3,17"


class NamesResponse(ResponseStruct):
    names: list[str]


class CounterParameters(ProfileParameters, kw_only=True):
    """One counter between two times, downsampled: columns time, min, max, last."""

    counter: int
    start: Nanoseconds = 0
    end: Nanoseconds = 0
    width: Annotated[int, Meta(ge=1, le=16_384)] = 1000


class SliceParameters(ProfileParameters, kw_only=True):
    slice: SliceIndex


class FlowParameters(ProfileParameters, kw_only=True):
    """The arrows from and to a slice: columns from, to, from_row, to_row, from_time, to_time."""

    slice: SliceIndex


class SearchParameters(ProfileParameters, kw_only=True):
    """Slices by name in order of time: columns slice, row, start, duration; the header has total and longest."""

    text: Annotated[str, Meta(max_length=10_000)]
    is_regex: bool = False
    limit: Annotated[int, Meta(ge=1, le=1_000_000)] = 10_000


class NearParameters(ProfileParameters, kw_only=True):
    """The slice before, after, above or below one; -1 if there is none."""

    slice: SliceIndex
    direction: Literal["previous", "next", "parent", "child"]


class NearResponse(ResponseStruct):
    slice: int


class AreaBounds(ProfileParameters, kw_only=True):
    start: Nanoseconds
    end: Nanoseconds
    tracks: str = ""  # "0,3,4"; "": all


class AreaParameters(AreaBounds, kw_only=True):
    by: Literal["name", "activity", "track"] = "name"


class FlameParameters(AreaBounds, kw_only=True):
    """The slices of an area as a tree of names, a StackTree."""


class ExportParameters(AreaBounds, kw_only=True):
    """The slices of an area as a Chrome trace."""


# Tables


class StepParameters(ProfileParameters, kw_only=True):
    step: Annotated[int, Meta(ge=0, le=1_000_000)] = 0  # position in the list of steps


class OperatorParameters(ProfileParameters, kw_only=True):
    group: Literal["name", "shapes"] = "name"


class CompareParameters(ProfileParameters, kw_only=True):
    other_run: RunParameter
    other_capture: CaptureName
    other_host: HostName = ""


class ComparedTableParameters(CompareParameters, kw_only=True):
    """Rows of a comparison as CSV."""

    table: Literal["operators", "kernels"]


class TableParameters(ProfileParameters, kw_only=True):
    """A table as CSV."""

    table: Literal[
        "steps",
        "operators",
        "operators_by_shapes",
        "call_tree",
        "kernels",
        "memory",
        "memory_operators",
        "input",
        "modules",
        "distributed",
        "collectives",
        "compile",
        "roofline",
    ]
