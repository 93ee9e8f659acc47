"""Resources: when devices compute, copy and communicate, and what the host does, as merged intervals."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.activity import DEVICE_ACTIVITIES, INPUT_LINE, Activity, find_activities
from seamark.profiles.analyses.slices.activities import find_slice_activities
from seamark.profiles.analyses.slices.columns import ends_of, tracks_of
from seamark.profiles.analyses.slices.intervals import EMPTY, Intervals, merge, subtract, unite
from seamark.profiles.form import NO_SLICE, SliceIndices
from seamark.profiles.profile import Profile

# The Python function in which a thread sleeps or waits.
WAIT_NAME = re.compile(
    r"<built-in (method|function) (sleep|acquire|wait|poll|select|recv\w*)\b|.*: (wait|sleep|_wait_for_tstate_lock)\Z"
    r"|\$?\S+ (sleep|wait|acquire|select|poll|recv)\Z"
)
# An operator of TensorFlow that waits for tf.data runs on any thread.
INPUT_WAIT_NAME = re.compile(r"IteratorGetNext|Iterator::GetNext|MultiDeviceIterator")


class Resources(NamedTuple):
    """When each resource is busy, as merged intervals; highest priority first."""

    compute_16: Intervals = EMPTY
    compute_32: Intervals = EMPTY
    copies: Intervals = EMPTY
    collectives: Intervals = EMPTY
    compile: Intervals = EMPTY
    runtime: Intervals = EMPTY
    input: Intervals = EMPTY
    host_ops: Intervals = EMPTY
    waits: Intervals = EMPTY
    python: Intervals = EMPTY  # and whatever else the profiled thread recorded
    device: int | None = None  # the device they are of; None: no device in the trace

    def clip(self, start: int, end: int) -> Resources:
        return self._replace(**{level: getattr(self, level).clip(start, end) for level in self._fields[:-1]})


LEVELS = Resources._fields[:-1]
NO_LEVEL = 255
# What counts on which tracks. Threads beside the profiled one add operators and calls, but not their Python: a worker
# that waits for work would cover everything.
ON_DEVICE = {
    Activity.KERNEL_16: "compute_16",
    Activity.KERNEL_32: "compute_32",
    Activity.COPY: "copies",
    Activity.COLLECTIVE: "collectives",
    Activity.INPUT: "input",  # infeed of a TPU: it waits for the host
}
ON_HOST = {
    Activity.COMPILE: "compile",
    Activity.RUNTIME: "runtime",
    Activity.SYNC: "runtime",
    Activity.HOST_OP: "host_ops",
}
ON_STEP_THREAD = {
    **ON_HOST,
    Activity.INPUT: "input",
    Activity.PYTHON: "python",
    Activity.MODULE: "python",
    Activity.ANNOTATION: "python",
    Activity.OTHER: "python",
}


def find_device_ids(profile: Profile) -> list[int]:
    """The numbers of the devices that compute, ascending."""
    trace, activities = profile.trace, profile.get(find_slice_activities)
    found = set[int]()
    for track in trace.tracks:
        if not track.is_device or track.device in found:
            continue
        slices = trace.slices_of_track(track)
        if np.isin(activities[slices.start : slices.stop], DEVICE_ACTIVITIES).any():
            found.add(track.device)
    return sorted(found)


def find_step_tracks(profile: Profile) -> list[int]:
    """The host threads that the steps run on: those that named the steps, else the busiest one."""
    trace = profile.trace
    is_host = np.array([not track.is_device for track in trace.tracks], bool)
    slices = np.flatnonzero(profile.get(find_slice_activities) == Activity.STEP)
    tracks = np.unique(tracks_of(trace, slices))
    tracks = tracks[is_host[tracks]]
    if len(tracks) or not is_host.any():
        return [int(track) for track in tracks]
    # Slices without a known activity, such as the span of the profiler itself, count only where nothing else is.
    known = np.where(profile.get(find_slice_activities) == Activity.OTHER, 1e-6, 1.0)
    busy = np.bincount(trace.track, weights=trace.self_time * known, minlength=len(trace.tracks))
    return [int(np.where(is_host, busy, -1).argmax())]


def find_resources(profile: Profile) -> Resources:
    """Of the first device, and of the host."""
    trace, devices = profile.trace, profile.get(find_device_ids)
    device = devices[0] if devices else None
    levels, _ = _levels_and_classes(profile, device)
    found = {}
    for number, level in enumerate(LEVELS):
        slices = np.flatnonzero(levels == number)
        start, end, parent = trace.start[slices], ends_of(trace, slices), trace.parent[slices]
        # A slice inside one that counts the same adds nothing. Those that overlap without nesting have a parent, too.
        is_inner = (parent != NO_SLICE) & (levels[parent] == number)
        is_inner[is_inner] = ends_of(trace, parent[is_inner]) >= end[is_inner]
        found[level] = merge(start[~is_inner], end[~is_inner])
    return Resources(**found, device=device)


def find_input_slices(profile: Profile) -> SliceIndices:
    """The slices of the host that count as input in the breakdown of a step."""
    levels, classes = _levels_and_classes(profile, None)
    return np.flatnonzero((levels == LEVELS.index("input")) & (classes != DEVICE_CLASS))


def find_exposed_collectives(profile: Profile) -> Intervals:
    """When the rank communicates and computes nothing. Without a device: in collectives of the profiled thread, and in
    those of other threads while the profiled one runs no operator."""
    resources = profile.get(find_resources)
    if resources.device is not None or not len(resources.collectives.start):
        return subtract(resources.collectives, unite(resources.compute_16, resources.compute_32))
    trace, (levels, classes) = profile.trace, _levels_and_classes(profile, None)

    def covered(level: str, chosen: NDArray[np.bool_]) -> Intervals:
        slices = np.flatnonzero((levels == LEVELS.index(level)) & chosen)
        return merge(trace.start[slices], ends_of(trace, slices))

    is_own = classes == STEP_CLASS
    others = subtract(covered("collectives", ~is_own), covered("host_ops", is_own))
    return unite(covered("collectives", is_own), others)


def _levels_and_classes(profile: Profile, device: int | None) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Of each slice."""
    of_names = _levels_of_names(profile, has_device=device is not None)
    classes = np.repeat(_class_of_rows(profile, device), np.diff(profile.trace.row_start))
    return of_names[classes, profile.trace.name], classes


# Threads of the input pipeline prepare later steps: only their waits for the next element count.
DEVICE_CLASS, HOST_CLASS, STEP_CLASS, INPUT_CLASS, IGNORED_CLASS = range(5)


def _class_of_rows(profile: Profile, device: int | None) -> NDArray[np.uint8]:
    step_tracks = set(profile.get(find_step_tracks))
    classes = np.full(len(profile.trace.tracks), IGNORED_CLASS, np.uint8)
    for track in profile.trace.tracks:
        if track.is_device:
            classes[track.id] = DEVICE_CLASS if track.device == device else IGNORED_CLASS
        elif track.id in step_tracks:
            classes[track.id] = STEP_CLASS
        else:
            classes[track.id] = INPUT_CLASS if INPUT_LINE.match(track.name) else HOST_CLASS
    return classes[profile.trace.row_track]


def _levels_of_names(profile: Profile, *, has_device: bool) -> NDArray[np.uint8]:
    """For each class of tracks and each name: its position in LEVELS."""
    names, activities = profile.trace.names, profile.get(find_activities)
    # Where devices communicate, the collectives of the host only launch them.
    collective = {Activity.COLLECTIVE: "host_ops" if has_device else "collectives"}
    levels = np.full((IGNORED_CLASS + 1, len(names)), NO_LEVEL, np.uint8)
    for class_, of_activity in (
        (DEVICE_CLASS, ON_DEVICE),
        (HOST_CLASS, ON_HOST | collective),
        (STEP_CLASS, ON_STEP_THREAD | collective),
    ):
        table = np.full(256, NO_LEVEL, np.uint8)
        for activity, level in of_activity.items():
            table[activity] = LEVELS.index(level)
        levels[class_] = table[activities]
    for name_id, entry in enumerate(names):
        if activities[name_id] == Activity.INPUT and INPUT_WAIT_NAME.search(entry.text):
            levels[[HOST_CLASS, INPUT_CLASS], name_id] = LEVELS.index("input")
        elif activities[name_id] == Activity.PYTHON and WAIT_NAME.search(entry.text):
            levels[STEP_CLASS, name_id] = LEVELS.index("waits")
    return levels
