"""Lanes: one step of all ranks on one clock."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from seamark.profiles.activity import Activity
from seamark.profiles.analyses.distributed.rank import Collectives
from seamark.profiles.analyses.slices.intervals import Intervals, unite
from seamark.profiles.analyses.slices.resources import find_resources
from seamark.profiles.analyses.steps import complete_steps, find_steps
from seamark.profiles.profile import Profile
from seamark.profiles.results import RankLane

# Gaps below this part of the window are not seen.
MIN_GAP_SHARE = 1 / 1500
MAX_COLLECTIVES = 1000


class Window(NamedTuple):
    name: str
    start: int  # on the clock of the first rank
    end: int


def typical_step(profile: Profile) -> Window:
    """The step with the median duration; without steps, the whole trace."""
    every = profile.get(find_steps).steps
    steps = [every[index] for index in complete_steps(every)]
    if not steps:
        return Window("the whole trace", *profile.trace.span)
    step = sorted(steps, key=lambda each: each.duration_ns)[len(steps) // 2]
    return Window(step.name, step.start_ns, step.start_ns + step.duration_ns)


def lane_of(host: str, name: str, profile: Profile, collectives: Collectives, window: Window, shift: int) -> RankLane:
    """`shift` is added to times of the rank to get times of the first rank."""
    start, end = window.start - shift, window.end - shift
    resources = profile.get(find_resources)
    compute = unite(resources.compute_16, resources.compute_32)
    if resources.device is None:
        compute = resources.host_ops
    shown = _without_small_gaps(compute.clip(start, end), int((end - start) * MIN_GAP_SHARE))
    inside = np.flatnonzero((collectives.start < end) & (collectives.end > start))[:MAX_COLLECTIVES]
    starts = np.concatenate([shown.start, np.maximum(collectives.start[inside], start)])
    ends = np.concatenate([shown.end, np.minimum(collectives.end[inside], end)])
    count = len(shown.start)
    return RankLane(
        host=host,
        capture_host=name,
        starts=(starts - start).tolist(),
        durations=(ends - starts).tolist(),
        activities=[int(Activity.KERNEL_16)] * count + [int(Activity.COLLECTIVE)] * len(inside),
        slices=[-1] * count + collectives.slices[inside].tolist(),
    )


def _without_small_gaps(intervals: Intervals, max_gap_ns: int) -> Intervals:
    if len(intervals.start) < 2:
        return intervals
    is_first = np.append(True, intervals.start[1:] - intervals.end[:-1] > max_gap_ns)
    return Intervals(intervals.start[is_first], intervals.end[np.append(is_first[1:], True)])
