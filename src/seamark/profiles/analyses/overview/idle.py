"""Idle: why a device does nothing, in the categories of HolisticTraceAnalysis.

A gap ends with the next slice. If that was launched only after the gap began, the device waits for the host. If the
gap is shorter than 30 µs, it is the time that the device needs between two kernels. Every other gap (a dependency on
another stream, a limit of the device) is `other`. HolisticTraceAnalysis documents 30 ns, but compares with times in
microseconds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.activity import DEVICE_ACTIVITIES
from seamark.profiles.analyses.device.launches import find_device_slices, find_launches
from seamark.profiles.analyses.slices.activities import find_slice_activities
from seamark.profiles.analyses.slices.columns import ends_of, tracks_of
from seamark.profiles.analyses.slices.resources import find_resources
from seamark.profiles.form import NO_SLICE, SliceIndices, Times
from seamark.profiles.profile import Profile
from seamark.profiles.results import StreamIdle

KERNEL_WAIT_BELOW_NS = 30_000
HOST_WAIT, KERNEL_WAIT, OTHER_WAIT = range(3)


class Gaps(NamedTuple):
    """Ascending and disjoint."""

    start: Times
    end: Times
    category: NDArray[np.uint8]

    def within(self, start: int, end: int) -> tuple[int, int, int]:
        """The time of each category between two moments."""
        first, last = np.searchsorted(self.end, start, "right"), np.searchsorted(self.start, end, "left")
        if last <= first:
            return 0, 0, 0
        part = slice(first, last)
        clipped = np.minimum(self.end[part], end) - np.maximum(self.start[part], start)
        sums = np.bincount(self.category[part], weights=clipped, minlength=3)
        return int(sums[0]), int(sums[1]), int(sums[2])


def find_device_gaps(profile: Profile) -> Gaps:
    """When no stream of the first device is busy, from the begin to the end of the trace."""
    trace, device = profile.trace, profile.get(find_resources).device
    slices, launch = _busy_slices(profile)
    on_device = np.array([track.is_device and track.device == device for track in trace.tracks], bool)
    chosen = on_device[tracks_of(trace, slices)]
    return _gaps(profile, slices[chosen], launch[chosen], trace.span)


def find_stream_idle(profile: Profile) -> list[StreamIdle]:
    """Of each stream, between its first and its last slice, as HolisticTraceAnalysis counts it."""
    trace, found = profile.trace, []
    slices, launch = _busy_slices(profile)
    for track in trace.tracks:
        if not track.is_device:
            continue
        part = trace.slices_of_track(track)
        first, last = np.searchsorted(slices, (part.start, part.stop))
        own = slices[first:last]
        if not len(own):
            continue
        start, end = int(trace.start[own].min()), int(ends_of(trace, own).max())
        host, kernel, other = _gaps(profile, own, launch[first:last], (start, end)).within(start, end)
        found.append(
            StreamIdle(
                stream=track.name,
                device=track.device,
                busy_ns=end - start - host - kernel - other,
                host_wait_ns=host,
                kernel_wait_ns=kernel,
                other_wait_ns=other,
            )
        )
    return found


def _busy_slices(profile: Profile) -> tuple[SliceIndices, SliceIndices]:
    """The slices of devices that are work, and their launches."""
    slices, launch = profile.get(find_device_slices), profile.get(find_launches)
    is_work = np.isin(profile.get(find_slice_activities)[slices], DEVICE_ACTIVITIES)
    return slices[is_work], launch[is_work]


def _gaps(profile: Profile, slices: SliceIndices, launch: SliceIndices, span: tuple[int, int]) -> Gaps:
    trace = profile.trace
    order = np.argsort(trace.start[slices], kind="stable")
    slices, launch = slices[order], launch[order]
    start = np.append(span[0], np.maximum.accumulate(ends_of(trace, slices)))
    end = np.append(trace.start[slices], span[1])
    # Nothing is launched after the last slice: the device waits for the host to the end.
    launched_at = np.append(np.where(launch == NO_SLICE, -1, trace.start[launch]), span[1])
    category = np.where(
        launched_at > start, HOST_WAIT, np.where(end - start < KERNEL_WAIT_BELOW_NS, KERNEL_WAIT, OTHER_WAIT)
    ).astype(np.uint8)
    idle = end > start
    return Gaps(start[idle], end[idle], category[idle])
