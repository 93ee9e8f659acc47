"""Exports the slices of an area as a Chrome trace, which Perfetto and this program open."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from seamark.profiles.arguments import read_arguments
from seamark.profiles.form import ProfileError, SliceIndices, Trace, Track
from seamark.profiles.profile import Profile
from seamark.profiles.trace_page.area import TraceArea, slices_in

MAX_SLICES = 500_000
MAX_COUNTER_POINTS = 500_000
ARGUMENTS_AT_ONCE = 10_000
ENCODE = msgspec.json.encode
# pid and tid of each track.
TrackIds = Mapping[int, tuple[Any, Any]]


class TooManySlicesError(ProfileError):
    """The area must be smaller."""


def export_area(profile: Profile, area: TraceArea) -> bytes:
    """A JSON object with `traceEvents`. Raises TooManySlicesError, ProfileError."""
    slices = slices_in(profile, area)
    if len(slices) > MAX_SLICES:
        raise TooManySlicesError(
            f"the area has {len(slices):,} slices and at most {MAX_SLICES:,} can be exported: select a smaller area"
        )
    return chrome_trace(profile, area, slices)


def chrome_trace(profile: Profile, area: TraceArea, slices: SliceIndices) -> bytes:
    ids = track_ids(area.tracks)
    header = {"displayTimeUnit": "ns", "baseTimeNanoseconds": profile.trace.origin_ns}
    return trace_document(header, trace_events(profile, area, slices, ids))


def trace_document(header: Mapping[str, Any], events: Sequence[bytes]) -> bytes:
    """A JSON object with the entries of the header and `traceEvents`."""
    return ENCODE(header)[:-1] + b',"traceEvents":[\n' + b",\n".join(events) + b"\n]}\n"


def trace_events(profile: Profile, area: TraceArea, slices: SliceIndices, ids: TrackIds) -> list[bytes]:
    """Names of tracks, slices with their arguments, arrows between them, and counters. Raises ProfileError."""
    trace = profile.trace
    return [
        *(ENCODE(event) for event in name_events(area.tracks, ids)),
        *slice_events(profile, slices, ids),
        *(ENCODE(event) for event in flow_events(trace, slices, ids)),
        *(ENCODE(event) for event in counter_events(trace, area)),
    ]


def track_ids(tracks: Sequence[Track]) -> TrackIds:
    """Those of the file; a number is added where two tracks have the same."""
    ids: dict[int, tuple[Any, Any]] = {}
    used: set[tuple[Any, Any]] = set()
    for track in tracks:
        pid = f"{track.host} {track.pid}" if track.host else number_or_text(track.pid)
        key = (pid, number_or_text(track.tid))
        if key in used:
            key = (pid, f"{track.tid} ({track.id})")
        used.add(key)
        ids[track.id] = key
    return ids


def number_or_text(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else text


def name_events(tracks: Sequence[Track], ids: TrackIds) -> Iterator[dict[str, Any]]:
    named: set[Any] = set()
    for order, track in enumerate(tracks):
        pid, tid = ids[track.id]
        if pid not in named:
            named.add(pid)
            process = f"{track.host}: {track.process}" if track.host else track.process
            yield {"ph": "M", "name": "process_name", "pid": pid, "args": {"name": process}}
            yield {"ph": "M", "name": "process_sort_index", "pid": pid, "args": {"sort_index": order}}
        yield {"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": {"name": track.name}}
        yield {"ph": "M", "name": "thread_sort_index", "pid": pid, "tid": tid, "args": {"sort_index": order}}


def slice_events(profile: Profile, slices: SliceIndices, ids: TrackIds) -> Iterator[bytes]:
    """JSON text with times in microseconds, to the nanosecond."""
    trace = profile.trace
    names = {
        name: b'{"ph":"X","cat":' + ENCODE(trace.names[name].category) + b',"name":' + ENCODE(trace.names[name].text)
        for name in np.unique(trace.name[slices]).tolist()
    }
    places = {track: b',"pid":' + ENCODE(pid) + b',"tid":' + ENCODE(tid) for track, (pid, tid) in ids.items()}
    rows = np.searchsorted(trace.row_start, slices, "right") - 1
    for name, track, start, duration, arguments in zip(
        trace.name[slices].tolist(),
        trace.row_track[rows].tolist(),
        trace.start[slices].tolist(),
        trace.duration[slices].tolist(),
        argument_texts(profile, slices),
        strict=True,
    ):
        times = microseconds(start), microseconds(duration)
        yield b'%b%b,"ts":%b,"dur":%b%b}' % (names[name], places[track], *times, arguments)


def argument_texts(profile: Profile, slices: SliceIndices) -> Iterator[bytes]:
    """The arguments of each slice as they follow other fields."""
    try:
        for first in range(0, len(slices), ARGUMENTS_AT_ONCE):
            for found in read_arguments(profile, slices[first : first + ARGUMENTS_AT_ONCE].tolist()):
                yield b',"args":' + encode_arguments(found) if found else b""
    except OSError as error:
        raise ProfileError(f"the arguments cannot be read: {error.strerror or error}") from error


def encode_arguments(arguments: Mapping[str, Any]) -> bytes:
    """Numbers that are not finite become null: JSON has none."""
    try:
        return ENCODE(arguments)
    except (UnicodeEncodeError, OverflowError):  # half a surrogate pair, huge numbers
        return json.dumps(arguments).encode()


def microseconds(nanoseconds: int) -> bytes:
    """Exact: as a float, microseconds since 1970 have no nanoseconds."""
    whole, rest = divmod(abs(nanoseconds), 1000)
    return b"%b%d.%03d" % (b"-" if nanoseconds < 0 else b"", whole, rest)


def flow_events(trace: Trace, slices: SliceIndices, ids: TrackIds) -> Iterator[dict[str, Any]]:
    """The arrows between exported slices."""
    numbers = np.flatnonzero(np.isin(trace.flow_from, slices) & np.isin(trace.flow_to, slices))
    for phase, ends in (("s", trace.flow_from[numbers]), ("f", trace.flow_to[numbers])):
        tracks = trace.row_track[np.searchsorted(trace.row_start, ends, "right") - 1]
        for number, track, start in zip(numbers.tolist(), tracks.tolist(), trace.start[ends].tolist(), strict=True):
            pid, tid = ids[track]
            event = {"ph": phase, "id": number, "cat": "flow", "name": "flow", "pid": pid, "tid": tid}
            # "bp": the arrow ends at the slice around this time.
            yield event | {"ts": msgspec.Raw(microseconds(start))} | ({"bp": "e"} if phase == "f" else {})


def counter_events(trace: Trace, area: TraceArea) -> Iterator[dict[str, Any]]:
    """The points of all counters; of very many every second one, every third one, and so on."""
    ranges = []
    for counter in trace.counters:
        times = trace.counter_times[counter.first : counter.first + counter.points]
        low, high = np.searchsorted(times, [area.start_ns, area.end_ns]).tolist()
        ranges.append((counter, counter.first + low, counter.first + high))
    step = 1 + sum(end - first for _, first, end in ranges) // MAX_COUNTER_POINTS
    for counter, first, end in ranges:
        name = {"ph": "C", "name": counter.name, "pid": counter.process}
        values = trace.counter_values[first:end:step].tolist()
        for time, value in zip(trace.counter_times[first:end:step].tolist(), values, strict=True):
            yield {**name, "ts": msgspec.Raw(microseconds(time)), "args": {counter.unit or "value": value}}
