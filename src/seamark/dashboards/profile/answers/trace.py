"""The Trace page: windows, counters, details, search, sums and exports."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.dashboards.profile import wire
from seamark.format.patterns import BadPatternError
from seamark.plugin import RequestError, not_found
from seamark.plugin.columns import encode_columns
from seamark.profiles.analyses.memory.counters import find_counters
from seamark.profiles.analyses.trees.stacks import stack_tree
from seamark.profiles.form import ProfileError, Trace
from seamark.profiles.profile import Profile
from seamark.profiles.results import Area, SliceDetails, StackTree
from seamark.profiles.trace_page.area import TraceArea, find_area, slices_in
from seamark.profiles.trace_page.chrome_export import TooManySlicesError, export_area
from seamark.profiles.trace_page.counters import counter_window
from seamark.profiles.trace_page.search import search_slices
from seamark.profiles.trace_page.slice_details import near_slice, slice_details
from seamark.profiles.trace_page.slice_links import arrows_of, row_of
from seamark.profiles.window import Rows, trace_window

RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")
MAX_NAMES = 10_000


def window(profile: Profile, parameters: wire.WindowParameters) -> bytes:
    rows = parse_rows(parameters.rows, len(profile.trace.row_track))
    check_span(parameters.start, parameters.end)
    columns = trace_window(profile, rows, start_ns=parameters.start, end_ns=parameters.end, width=parameters.width)
    # A browser reads doubles in place, and has to convert 64-bit integers. Both are exact up to 2^53.
    columns |= {name: columns[name].astype(np.float64) for name in ("start", "duration")}
    return encode_columns({"total": int(columns["count"].sum())}, columns)


def names(profile: Profile, ids: str) -> list[str]:
    """The texts of name ids, such as "3,17"."""
    known = profile.trace.names
    return [known[id].text for id in parse_ids(ids, len(known), "name", limit=MAX_NAMES)]


def counter(profile: Profile, parameters: wire.CounterParameters) -> bytes:
    counters = profile.get(find_counters)
    if not 0 <= parameters.counter < len(counters):
        raise not_found(f"there is no counter {parameters.counter}: the trace has {len(counters)}")
    check_span(parameters.start, parameters.end)
    found = counter_window(
        counters[parameters.counter].times,
        counters[parameters.counter].values,
        start_ns=parameters.start,
        end_ns=parameters.end,
        width=parameters.width,
    )
    return encode_columns({}, found._asdict())


def details(profile: Profile, index: int) -> SliceDetails:
    check_slice(profile.trace, index)
    return slice_details(profile, index)


def flows(profile: Profile, index: int) -> bytes:
    trace = check_slice(profile.trace, index)
    arrows = arrows_of(profile, index)
    source = np.array([arrow.source for arrow in arrows], np.uint32)
    target = np.array([arrow.target for arrow in arrows], np.uint32)
    # An arrow leaves at the end of its slice, but never points back in time.
    ends = trace.start[source] + trace.duration[source]
    columns: dict[str, NDArray[Any]] = {
        "from": source,
        "to": target,
        "from_row": np.array([row_of(profile, int(slice)) for slice in source], np.int32),
        "to_row": np.array([row_of(profile, int(slice)) for slice in target], np.int32),
        "from_time": np.minimum(ends, np.maximum(trace.start[source], trace.start[target])),
        "to_time": trace.start[target],
    }
    return encode_columns({}, columns)


def search(profile: Profile, parameters: wire.SearchParameters) -> bytes:
    trace = profile.trace
    try:
        found = search_slices(profile, parameters.text, is_regex=parameters.is_regex, limit=parameters.limit)
    except BadPatternError as error:
        raise RequestError(str(error)) from None
    rows = np.searchsorted(trace.row_start, found.slices, "right") - 1
    columns: dict[str, NDArray[Any]] = {
        "slice": found.slices,
        "row": rows.astype(np.int32),
        "start": trace.start[found.slices],
        "duration": trace.duration[found.slices],
    }
    return encode_columns({"total": found.total, "longest": found.longest}, columns)


def near(profile: Profile, parameters: wire.NearParameters) -> wire.NearResponse:
    check_slice(profile.trace, parameters.slice)
    return wire.NearResponse(near_slice(profile, parameters.slice, parameters.direction))


def area(profile: Profile, parameters: wire.AreaParameters) -> Area:
    return find_area(profile, parse_area(profile.trace, parameters), parameters.by)


def flame(profile: Profile, parameters: wire.FlameParameters) -> StackTree:
    chosen = parse_area(profile.trace, parameters)
    slices = slices_in(profile, chosen)
    return stack_tree(profile, slices, start_ns=chosen.start_ns, end_ns=chosen.end_ns)


def export(profile: Profile, parameters: wire.ExportParameters) -> bytes:
    try:
        return export_area(profile, parse_area(profile.trace, parameters))
    except TooManySlicesError as error:
        raise RequestError(str(error), code="too_large") from None
    except ProfileError as error:
        raise RequestError(str(error), code="undecodable") from error


def check_slice(trace: Trace, index: int) -> Trace:
    if index >= trace.slices:
        raise not_found(f"there is no slice {index}: the trace has {trace.slices}")
    return trace


def check_span(start: int, end: int) -> None:
    if end <= start:
        raise RequestError(f"the window must end after it starts: got {start} to {end} ns")


def parse_area(trace: Trace, parameters: wire.AreaBounds) -> TraceArea:
    check_span(parameters.start, parameters.end)
    tracks: Sequence[Any] = trace.tracks
    if parameters.tracks:
        ids = parse_ids(parameters.tracks, len(trace.tracks), "track", limit=len(trace.tracks))
        tracks = [trace.tracks[id] for id in sorted(set(ids))]
    return TraceArea(tracks, parameters.start, parameters.end)


def parse_rows(text: str, count: int) -> Rows:
    """Rows such as "0-12,40-41", ascending; "" is all."""
    if not text:
        return np.arange(count)
    chosen = np.zeros(count, bool)
    for part in text.split(","):
        found = RANGE.fullmatch(part)
        if found is None:
            raise RequestError(f"rows must be like 0-12,40: got '{part[:50]}'")
        first, last = int(found[1]), int(found[2] or found[1])
        if first > last or last >= count:
            raise RequestError(f"there are no rows {part}: the trace has {count}")
        chosen[first : last + 1] = True
    return np.flatnonzero(chosen)


def parse_ids(text: str, count: int, noun: str, *, limit: int) -> list[int]:
    """Positions such as "3,17" in a list of `count` entries."""
    parts = text.split(",") if text else []
    if len(parts) > limit:
        raise RequestError(f"got {len(parts):,} {noun}s, want at most {limit:,}")
    ids: list[int] = []
    for part in parts:
        if RANGE.fullmatch(part) is None or "-" in part:
            raise RequestError(f"{noun}s must be like 0,3,4: got '{part[:50]}'")
        if int(part) >= count:
            raise not_found(f"there is no {noun} {part}: the trace has {count}")
        ids.append(int(part))
    return ids
