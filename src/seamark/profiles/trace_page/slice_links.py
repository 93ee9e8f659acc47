"""Links between slices: launches and kernels, operators, passes, waits for events; and the arrows of a slice."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from seamark.profiles.activity import Activity, find_activities
from seamark.profiles.form import NO_SLICE, SliceIndices
from seamark.profiles.profile import Profile
from seamark.profiles.results import SliceLink

MAX_LINKS = 50
MAX_ARROWS = 1_000
# Of a slice of `cuda_sync`: the correlation of the call that recorded the event it waits for; -1 if it is not known.
AWAITED_EVENT = "wait_on_cuda_event_record_corr_id"


class LinkedSlice(NamedTuple):
    relation: str  # of SliceLink
    slice: int


def slice_links(profile: Profile, index: int) -> list[SliceLink]:
    """At most MAX_LINKS, each slice once."""
    trace = profile.trace
    found = dict[int, str]()
    sources = (_launches, _operators, _passes, _waits)
    for linked in (linked for find in sources for linked in find(profile, index)):
        found.setdefault(linked.slice, linked.relation)
    found.pop(index, None)
    return [
        SliceLink(
            relation=relation,
            slice=slice,
            name=trace.text(slice),
            track=track_of(profile, slice),
            start_ns=int(trace.start[slice]),
        )
        for slice, relation in list(found.items())[:MAX_LINKS]
    ]


def launch_of(profile: Profile, index: int) -> int:
    """The call on the host that started a slice of a device, or NO_SLICE."""
    launches = [linked.slice for linked in _launches(profile, index) if linked.relation == "launched by"]
    return launches[0] if launches else NO_SLICE


class Arrow(NamedTuple):
    source: int
    target: int


def arrows_of(profile: Profile, index: int) -> list[Arrow]:
    """The arrows from and to a slice: those of the file, from launches to kernels, and to waits; at most MAX_ARROWS."""
    trace = profile.trace
    arrows = {Arrow(index, int(to)) for to in trace.flow_to[trace.flow_from == index]}
    arrows |= {Arrow(int(source), index) for source in trace.flow_from[trace.flow_to == index]}
    for linked in _launches(profile, index):
        arrows.add(Arrow(index, linked.slice) if linked.relation == "launches" else Arrow(linked.slice, index))
    for linked in _waits(profile, index):
        arrows.add(Arrow(linked.slice, index) if linked.relation == "waits for" else Arrow(index, linked.slice))
    return sorted(arrows)[:MAX_ARROWS]


def track_of(profile: Profile, index: int) -> int:
    return int(profile.trace.row_track[row_of(profile, index)])


def row_of(profile: Profile, index: int) -> int:
    """Without the column of all rows, which a large trace has no need for."""
    return int(np.searchsorted(profile.trace.row_start, index, "right")) - 1


def same_value(profile: Profile, field: str, index: int) -> SliceIndices:
    """The other slices with the same value of a field; none if it is 0 or missing."""
    value = field_value(profile, field, index)
    if not value:
        return np.empty(0, np.int64)
    return slices_with(profile, field, value, without=index)


def slices_with(profile: Profile, field: str, value: int, *, without: int = NO_SLICE) -> SliceIndices:
    indices, values = profile.trace.field(field)
    found = indices[np.flatnonzero(values == value)[: MAX_LINKS + 1]].astype(np.int64)
    others: SliceIndices = found[found != without]
    return others


def field_value(profile: Profile, field: str, index: int) -> int | None:
    indices, values = profile.trace.field(field)
    at = int(np.searchsorted(indices, index))
    return int(values[at]) if at < len(indices) and indices[at] == index else None


def _is_device(profile: Profile, index: int) -> bool:
    return profile.trace.tracks[track_of(profile, index)].is_device


def _launches(profile: Profile, index: int) -> list[LinkedSlice]:
    """By correlation, else by arrows between host and device."""
    trace, on_device = profile.trace, _is_device(profile, index)
    others = same_value(profile, "correlation", index)
    if not len(others):
        others = trace.flow_from[trace.flow_to == index] if on_device else trace.flow_to[trace.flow_from == index]
    relation = "launched by" if on_device else "launches"
    return [LinkedSlice(relation, int(each)) for each in others if _is_device(profile, int(each)) != on_device]


def _operators(profile: Profile, index: int) -> list[LinkedSlice]:
    """By `External id`: the operator that a launch or a kernel belongs to, and the kernels of an operator."""
    activities, trace = profile.get(find_activities), profile.trace
    others = same_value(profile, "External id", index)
    if activities[trace.name[index]] == Activity.HOST_OP:
        return [LinkedSlice("launches", int(each)) for each in others if _is_device(profile, int(each))]
    is_operator = activities[trace.name[others]] == Activity.HOST_OP
    return [LinkedSlice("operator", int(each)) for each in others[is_operator]]


def _passes(profile: Profile, index: int) -> list[LinkedSlice]:
    """Forward and backward: by arrows between threads, else by `Sequence number`."""
    trace = profile.trace
    if _is_device(profile, index):
        return []
    backward = [int(to) for to in trace.flow_to[trace.flow_from == index]]
    forward = [int(source) for source in trace.flow_from[trace.flow_to == index]]
    if not backward and not forward:
        for each in (int(each) for each in same_value(profile, "Sequence number", index)):
            if _is_backward(profile, each) != _is_backward(profile, index):
                (backward if _is_backward(profile, each) else forward).append(each)
    links = [LinkedSlice("backward", each) for each in backward] + [LinkedSlice("forward", each) for each in forward]
    return [linked for linked in links if not _is_device(profile, linked.slice)]


def _waits(profile: Profile, index: int) -> list[LinkedSlice]:
    """A wait for an event of the device, and the call on the host that recorded the event."""
    awaited = field_value(profile, AWAITED_EVENT, index)
    if awaited is not None:
        calls = slices_with(profile, "correlation", awaited) if awaited > 0 else ()
        return [LinkedSlice("waits for", int(each)) for each in calls if not _is_device(profile, int(each))]
    correlation = field_value(profile, "correlation", index)
    if not correlation or _is_device(profile, index):
        return []
    return [LinkedSlice("awaited by", int(each)) for each in slices_with(profile, AWAITED_EVENT, correlation)]


def _is_backward(profile: Profile, index: int) -> bool:
    """Only slices of the backward pass have the thread of the forward pass."""
    return bool(field_value(profile, "Fwd thread id", index)) or "Backward" in profile.trace.text(index)
