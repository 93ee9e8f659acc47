"""Step strip: when each resource is busy in one step, and what the device waits for."""

from __future__ import annotations

import numpy as np

from seamark.profiles.activity import Activity
from seamark.profiles.analyses.overview.idle import find_device_gaps
from seamark.profiles.analyses.slices.intervals import Intervals, intersect, invert, merge, unite
from seamark.profiles.analyses.slices.resources import find_resources
from seamark.profiles.analyses.steps import find_steps
from seamark.profiles.profile import Profile
from seamark.profiles.results import ResourceStrip, StepStrip

# Gaps below this share of a step are not visible.
VISIBLE_SHARE = 2000


def find_step_strip(profile: Profile, index: int) -> StepStrip:
    """Raises IndexError."""
    step = profile.get(find_steps).steps[index]
    start, end = step.start_ns, step.start_ns + step.duration_ns
    busy = profile.get(find_resources).clip(start, end)
    has_device = busy.device is not None
    host = unite(busy.runtime, busy.host_ops, busy.compile)
    device = unite(busy.compute_16, busy.compute_32, busy.copies, busy.collectives)
    idle = invert(device, start, end) if has_device else Intervals(*np.empty((2, 0), np.int64))
    strips = [
        _strip("input", [(Activity.INPUT, busy.input)], start, end),
        _strip("host_launch", [(Activity.HOST_OP, host)], start, end),
    ]
    if has_device:
        compute = [(Activity.KERNEL_16, busy.compute_16), (Activity.KERNEL_32, busy.compute_32)]
        strips.append(_strip("device_compute", compute, start, end))
        strips.append(_strip("copies", [(Activity.COPY, busy.copies)], start, end))
    if has_device or len(busy.collectives.start):
        strips.append(_strip("collectives", [(Activity.COLLECTIVE, busy.collectives)], start, end))
    if has_device:
        strips.append(_strip("device_idle", [(Activity.OTHER, idle)], start, end))
    host_wait, kernel_wait, other_wait = profile.get(find_device_gaps).within(start, end) if has_device else (0, 0, 0)
    return StepStrip(
        step=step,
        strips=strips,
        idle_ns=idle.total,
        idle_waiting_input_ns=intersect(idle, busy.input).total,
        host_wait_ns=host_wait,
        kernel_wait_ns=kernel_wait,
        other_wait_ns=other_wait,
    )


def _strip(name: str, parts: list[tuple[Activity, Intervals]], start: int, end: int) -> ResourceStrip:
    """Intervals closer than a pixel are drawn as one; `busy_ns` is exact."""
    inside = [(activity, found.clip(start, end)) for activity, found in parts]
    drawn = [(activity, merge(*found, max_gap_ns=(end - start) // VISIBLE_SHARE)) for activity, found in inside]
    starts = np.concatenate([found.start - start for _, found in drawn])
    durations = np.concatenate([found.end - found.start for _, found in drawn])
    activities = np.concatenate([np.full(len(found.start), int(activity)) for activity, found in drawn])
    order = np.argsort(starts, kind="stable")
    return ResourceStrip(
        name=name,
        busy_ns=unite(*(found for _, found in inside)).total,
        starts=starts[order].tolist(),
        durations=durations[order].tolist(),
        activities=activities[order].tolist(),
    )
