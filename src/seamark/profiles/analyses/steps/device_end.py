"""Extends steps of the host to the end of the device work that they launched.

The host runs ahead: kernels of a step still run when the host has begun the next one. As in torch-tb-profiler, a step
ends with the last kernel launched in it and the next one begins there, so that steps never overlap and a device's time
is counted in the step that launched the work.
"""

from __future__ import annotations

import numpy as np

from seamark.profiles.analyses.device.launches import find_device_slices, find_launches
from seamark.profiles.analyses.slices.columns import ends_of
from seamark.profiles.analyses.steps.candidate import CandidateSteps
from seamark.profiles.form import NO_SLICE, Times
from seamark.profiles.profile import Profile


def with_device_work(profile: Profile, steps: CandidateSteps) -> CandidateSteps:
    trace = profile.trace
    device, launch = profile.get(find_device_slices), profile.get(find_launches)
    linked = launch != NO_SLICE
    if not linked.any():
        return steps
    launch, device = launch[linked], device[linked]
    index = np.searchsorted(steps.start, trace.start[launch], "right") - 1
    # A call that is still running when the step ends belongs to no step, as in torch-tb-profiler.
    inside = (index >= 0) & (ends_of(trace, launch) <= steps.end[index])
    if not inside.any():
        return steps
    end = steps.end.copy()
    np.maximum.at(end, index[inside], ends_of(trace, device[inside]))
    end = np.maximum.accumulate(end)
    in_first = device[inside][index[inside] == 0]
    earlier = ends_of(trace, device[~inside])
    start = np.maximum(steps.start, np.append(steps.start[0], end[:-1]))
    if len(in_first) and len(earlier):
        # Work launched before the first step that still runs in it delays its start.
        earlier = earlier[earlier < trace.start[in_first].min()]
        start[0] = max(start[0], earlier.max(initial=start[0]))
    return steps._replace(start=start, end=np.maximum(start, end))


def launches_of_steps(profile: Profile, start: Times, end: Times) -> Times:
    """How many slices of devices were launched in each step of the host."""
    trace, launch = profile.trace, profile.get(find_launches)
    launched_at = np.sort(trace.start[launch[launch != NO_SLICE]])
    return np.searchsorted(launched_at, end) - np.searchsorted(launched_at, start)
