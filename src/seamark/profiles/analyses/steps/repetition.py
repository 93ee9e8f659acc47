"""Steps from repetition: a sequence of names that a thread or stream runs again and again.

On one depth of a busy track, a name that occurs once in each step has as many slices as there are steps, at about
equal distances; the counts of the other names are multiples of it. The largest such count is taken, because every
divisor of it would fit, too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.activity import DEVICE_ACTIVITIES, Activity, find_activities
from seamark.profiles.analyses.slices.activities import find_slice_activities
from seamark.profiles.analyses.slices.columns import ends_of
from seamark.profiles.analyses.steps.candidate import CandidateSteps, quoted
from seamark.profiles.analyses.steps.inferred import steps_from_begins
from seamark.profiles.form import SliceIndices, Track
from seamark.profiles.profile import Profile

MIN_REPETITIONS = 3
# Of the names that repeat at all, this share must fit the number of steps.
MIN_SHARE = 0.85
MIN_NAMES = 2
MIN_COVERAGE = 0.6  # of the track
MAX_GAP_RATIO = 4.0  # between long and short distances of begins: their 80th and 20th percentiles
MAX_SIZE_RATIO = 2.0  # between the slices of large and of small repetitions
MAX_TRACKS, MAX_DEPTH, MAX_NAMES = 4, 40, 500
MAX_SLICES = 4_000_000  # looked at in all
# These repeat for reasons of their own: a call that allocates, a wait.
NO_BEGIN = (Activity.RUNTIME, Activity.SYNC, Activity.COPY)


class _Names(NamedTuple):
    """The names of one row that occur often enough."""

    name: NDArray[np.int64]
    counts: NDArray[np.int64]
    first: NDArray[np.int64]  # where its slices begin in `order`
    order: SliceIndices


def repeated_steps(profile: Profile) -> CandidateSteps | None:
    looked_at = 0
    for track in _busiest_tracks(profile):
        for row in range(track.first_row, track.first_row + min(track.rows, MAX_DEPTH)):
            looked_at += int(np.diff(profile.trace.row_start[row : row + 2])[0])
            begins = _find_begins(profile, row) if looked_at <= MAX_SLICES else None
            if begins is not None:
                name = profile.trace.text(int(begins[0]))
                where = f"{track.name} of {track.process}" if track.is_device else track.name
                text = f"steps inferred: {quoted(name)} begins each of {len(begins)} repetitions on {where}"
                return steps_from_begins(profile.trace, begins, "repetition", text)
    return None


def _busiest_tracks(profile: Profile) -> list[Track]:
    """Host threads with known work, then streams, then threads of plain traces."""
    trace, activities = profile.trace, profile.get(find_slice_activities)
    if not trace.slices:
        return []
    tracks = len(trace.tracks)
    known = activities != Activity.OTHER
    is_work = np.isin(activities, (*DEVICE_ACTIVITIES, Activity.OTHER))
    busy = np.bincount(trace.track[known], weights=trace.self_time[known], minlength=tracks)
    unknown = np.bincount(trace.track[is_work], weights=trace.self_time[is_work], minlength=tracks)
    host = [track for track in trace.tracks if not track.is_device]
    ranked = sorted(host, key=lambda track: (-busy[track.id], -unknown[track.id]))[:MAX_TRACKS]
    device = [track for track in trace.tracks if track.is_device]
    return ranked + sorted(device, key=lambda track: -unknown[track.id])[:MAX_TRACKS]


def _find_begins(profile: Profile, row: int) -> SliceIndices | None:
    trace = profile.trace
    first, last = int(trace.row_start[row]), int(trace.row_start[row + 1])
    names = _frequent_names(trace.name[first:last], first)
    regular = _regular_names(profile, names, row)
    for count in sorted(set(names.counts[regular].tolist()), reverse=True):
        repeats = np.maximum(np.round(names.counts / count), 1)
        # The first and the last step may be cut: each name may lack or exceed a step's worth.
        fits = np.abs(names.counts - repeats * count) <= np.where(names.counts >= count - 1, repeats, 0)
        if fits.sum() < MIN_NAMES or fits.mean() < MIN_SHARE:
            continue
        same = regular[names.counts[regular] == count]
        begins = _slices(names, min(same, key=lambda at: int(_slices(names, at)[0])))
        if _are_alike(begins):
            return begins
    return None


def _regular_names(profile: Profile, names: _Names, row: int) -> NDArray[np.int64]:
    """Positions of the names that could begin steps: at about equal distances from the begin to the end of a row."""
    trace, activities = profile.trace, profile.get(find_activities)
    if not len(names.name):
        return np.empty(0, np.int64)
    own = slice(int(trace.row_start[row]), int(trace.row_start[row + 1]))
    span = int(ends_of(trace, own).max() - trace.start[own].min())
    reach = trace.start[names.order[names.first + names.counts - 1]] - trace.start[names.order[names.first]]
    wide = reach + reach // np.maximum(names.counts - 1, 1) >= MIN_COVERAGE * span
    candidates = np.flatnonzero(wide & ~np.isin(activities[names.name], NO_BEGIN))[:MAX_NAMES]
    return np.array([at for at in candidates if _is_regular(trace.start[_slices(names, int(at))])], np.int64)


def _are_alike(begins: SliceIndices) -> bool:
    """A row's slices are one range: between two begins are the slices of one repetition."""
    few, many = np.percentile(np.diff(begins), (10, 90))
    return bool(few >= 2 and many <= MAX_SIZE_RATIO * few)


def _frequent_names(column: NDArray[np.uint32], first: int) -> _Names:
    order = np.argsort(column, kind="stable")
    name, start, count = np.unique(column[order], return_index=True, return_counts=True)
    often = count >= MIN_REPETITIONS
    return _Names(name[often].astype(np.int64), count[often], start[often], order + first)


def _slices(names: _Names, at: int) -> SliceIndices:
    return names.order[names.first[at] : names.first[at] + names.counts[at]]


def _is_regular(starts: NDArray[np.int64]) -> bool:
    short, long = np.percentile(np.diff(starts), (20, 80))
    return bool(short > 0 and long <= MAX_GAP_RATIO * short)
