"""The data of xprof's trace viewer: Chrome's JSON of a window; of very many slices one for each pixel of a row."""

from __future__ import annotations

import numpy as np

from seamark.profiles.profile import Profile
from seamark.profiles.trace_page.area import TraceArea, slices_in
from seamark.profiles.trace_page.chrome_export import TrackIds, trace_document, trace_events
from seamark.profiles.window import trace_window

# A browser draws no more in reasonable time.
MAX_EVENTS = 100_000
NS_PER_MS = 1_000_000


def viewer_trace(profile: Profile, *, start_ms: float | None, end_ms: float | None, resolution: int) -> bytes:
    """The whole trace without start and end."""
    trace = profile.trace
    first, last = trace.span
    start = first if start_ms is None else int(start_ms * NS_PER_MS)
    end = last if end_ms is None else int(end_ms * NS_PER_MS)
    area = TraceArea(trace.tracks, start, max(end, start + 1))
    slices = slices_in(profile, area)
    is_filtered = len(slices) > MAX_EVENTS
    if is_filtered:
        width = max(1, min(resolution, MAX_EVENTS // len(area.rows)))
        window = trace_window(profile, area.rows, start_ns=start, end_ns=area.end_ns, width=width)
        slices = np.sort(window["slice"]).astype(np.int64)
    header = {
        "displayTimeUnit": "ns",
        "metadata": {"highres-ticks": True},
        "details": [],
        "returnedEventsSize": len(slices),
        "filteredByVisibility": is_filtered,
        "fullTimespan": [first / NS_PER_MS, last / NS_PER_MS],
        "stackFrames": {},
        "showCounterMessage": "",
    }
    return trace_document(header, trace_events(profile, area, slices, numbered_tracks(profile)))


def numbered_tracks(profile: Profile) -> TrackIds:
    """The viewer wants numbers: pids count from 1, tids are those of the tracks."""
    processes: dict[tuple[str, str], int] = {}
    return {
        track.id: (processes.setdefault((track.host, track.pid), len(processes) + 1), track.id)
        for track in profile.trace.tracks
    }
