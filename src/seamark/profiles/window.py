"""Windows: the slices of some rows between two times, at the width of a screen."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark._core import TraceSlices, build_longest
from seamark.profiles.activity import find_activities
from seamark.profiles.profile import Profile

Rows = NDArray[np.int64]
# Rows times pixels. A window of more is answered with wider pixels.
MAX_PIXELS = 2_000_000


def find_slices(profile: Profile) -> TraceSlices:
    """The slices of the trace, for native queries."""
    trace = profile.trace
    return TraceSlices(
        start=trace.start,
        duration=trace.duration,
        name=trace.name,
        row_start=trace.row_start,
        row_track=trace.row_track,
        parent=trace.parent,
        longest=trace.longest or build_longest(trace.duration),
    )


def trace_window(profile: Profile, rows: Rows, *, start_ns: int, end_ns: int, width: int) -> dict[str, NDArray[Any]]:
    """Columns: row, start, duration, name, activity, slice, count.

    Slices narrower than a pixel are merged into blocks; `slice` is the longest of a block.
    """
    width = max(1, min(width, MAX_PIXELS // max(1, len(rows))))
    return profile.get(find_slices).window(profile.get(find_activities), rows, start_ns, end_ns, width)
