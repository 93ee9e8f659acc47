"""Owners: the operator that runs on a thread at a time."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.activity import Activity, find_activities
from seamark.profiles.form import NO_SLICE, SliceIndices, Times, Track
from seamark.profiles.profile import Profile

# Operators that only allocate: whoever calls them tells more.
ALLOCATING_NAME = re.compile(r"aten::(new_)?empty(_\w+)?\Z|aten::resize_\Z|aten::_?(zeros|ones|full)_like\Z")
OPERATORS = (Activity.HOST_OP, Activity.COLLECTIVE, Activity.INPUT)
# The rank of a slice as owner: a deeper one of the same rank wins.
OPERATOR, ALLOCATING, REGION, PYTHON, NEVER = 3, 2, 1, 0, -2


def find_owners(profile: Profile, tracks: NDArray[np.int32], times: Times) -> SliceIndices:
    """Of each time on a track: the innermost operator, else the innermost region or function, or NO_SLICE."""
    trace = profile.trace
    owner = np.full(len(times), NO_SLICE, np.int64)
    rank = np.full(len(times), -1, np.int8)
    ranks = _ranks(profile)
    order = np.argsort(tracks, kind="stable")
    edges = np.searchsorted(tracks[order], np.arange(len(trace.tracks) + 1))
    for track in trace.tracks:
        mine = order[edges[track.id] : edges[track.id + 1]]
        if len(mine):
            _own(profile, track, mine, times, ranks, owner, rank)
    return owner


def _own(
    profile: Profile,
    track: Track,
    mine: SliceIndices,
    times: Times,
    ranks: NDArray[np.int8],
    owner: SliceIndices,
    rank: NDArray[np.int8],
) -> None:
    trace = profile.trace
    for row in range(track.first_row, track.first_row + track.rows):  # from the outermost to the innermost
        first, last = int(trace.row_start[row]), int(trace.row_start[row + 1])
        at = np.searchsorted(trace.start[first:last], times[mine], "right") - 1
        found = np.maximum(at, 0) + first
        inside = (at >= 0) & (trace.start[found] + trace.duration[found] >= times[mine])
        better = inside & (ranks[trace.name[found]] >= rank[mine])
        owner[mine[better]] = found[better]
        rank[mine[better]] = ranks[trace.name[found[better]]]


def _ranks(profile: Profile) -> NDArray[np.int8]:
    """Of each name."""
    activities = profile.get(find_activities)
    ranks = np.full(len(profile.trace.names), REGION, np.int8)
    for index, entry in enumerate(profile.trace.names):
        activity = Activity(int(activities[index]))
        if activity in OPERATORS:
            ranks[index] = ALLOCATING if ALLOCATING_NAME.match(entry.text) else OPERATOR
        elif activity in (Activity.PYTHON, Activity.OTHER):
            ranks[index] = PYTHON
        elif activity is Activity.STEP:
            ranks[index] = NEVER
    return ranks
