"""Rank: the times and collectives of one rank."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.activity import Activity
from seamark.profiles.analyses.distributed.messages import find_messages
from seamark.profiles.analyses.slices.activities import find_slice_activities
from seamark.profiles.analyses.slices.intervals import Intervals, covered_within, subtract, unite
from seamark.profiles.analyses.slices.resources import find_device_ids, find_exposed_collectives, find_resources
from seamark.profiles.analyses.steps import complete_steps, find_steps
from seamark.profiles.form import NO_SLICE, SliceIndices, Times
from seamark.profiles.profile import Profile

# Operators of the host that return before the collective ends, around those that run it.
LAUNCHING_NAME = re.compile(r"c10d::|record_param_comms|nccl:")
KINDS = (
    ("all_reduce", re.compile(r"all_?reduce", re.IGNORECASE)),
    ("reduce_scatter", re.compile(r"reduce_?scatter", re.IGNORECASE)),
    ("all_gather", re.compile(r"all_?gather", re.IGNORECASE)),
    ("all_to_all", re.compile(r"all_?to_?all", re.IGNORECASE)),
    ("broadcast", re.compile(r"broadcast", re.IGNORECASE)),
    ("send_recv", re.compile(r"send_?recv|\b(send|recv)\b|collective-?permute", re.IGNORECASE)),
    ("barrier", re.compile(r"barrier", re.IGNORECASE)),
    ("reduce", re.compile(r"reduce", re.IGNORECASE)),
    ("gather", re.compile(r"gather", re.IGNORECASE)),
    ("scatter", re.compile(r"scatter", re.IGNORECASE)),
)


class Collectives(NamedTuple):
    """In order of time; times are since the origin of the rank's own trace."""

    slices: SliceIndices
    start: Times
    end: Times
    kind: list[str]  # "all_reduce"
    size: list[int]  # how many ranks take part; 0: not known
    members: list[str]  # which ranks: "[0, 1]"; "": not known
    bytes: NDArray[np.float64]  # NaN: not known


class RankTimes(NamedTuple):
    """Of an average step."""

    steps: int
    step_ns: int
    compute_ns: int
    communication_ns: int
    overlap_ns: int
    exposed_ns: int
    idle_ns: int


def rank_number(profile: Profile) -> int | None:
    info = profile.trace.metadata.get("distributedInfo")
    rank = info.get("rank") if isinstance(info, dict) else None
    return rank if isinstance(rank, int) else None


def rank_name(host: str, profile: Profile) -> str:
    rank = rank_number(profile)
    return host if rank is None else f"rank {rank}"


def kind_of(text: str) -> str:
    return next((kind for kind, pattern in KINDS if pattern.search(text)), text)


def find_collectives(profile: Profile) -> Collectives:
    """Those of the first device, or of the host if there is no device: else the host only launches them."""
    trace, activities = profile.trace, profile.get(find_slice_activities)
    devices = profile.get(find_device_ids)
    of_device = np.array([track.is_device and track.device in devices[:1] for track in trace.tracks], bool)
    found = np.flatnonzero(activities == Activity.COLLECTIVE)
    on_device = found[of_device[trace.track[found]]] if len(found) else found
    found = on_device if devices else _running(profile, found)
    found = found[np.argsort(trace.start[found], kind="stable")]
    kinds = {name: kind_of(trace.names[name].text) for name in np.unique(trace.name[found]).tolist()}
    kind = [kinds[name] for name in trace.name[found].tolist()]
    messages = find_messages(profile, found, kind)
    return Collectives(
        found, trace.start[found], trace.end[found], kind, messages.size, messages.members, messages.bytes
    )


def _running(profile: Profile, found: SliceIndices) -> SliceIndices:
    """On the host: not the operators that only start one, and the outermost of nested ones."""
    trace = profile.trace
    launches = np.array([bool(LAUNCHING_NAME.match(entry.text)) for entry in trace.names], bool)
    running = found[~launches[trace.name[found]]] if len(found) else found
    chosen = running if len(running) else found
    is_chosen = np.zeros(trace.slices + 1, bool)
    is_chosen[chosen] = True
    parent = trace.parent[chosen]
    outermost: SliceIndices = chosen[~(is_chosen[parent] & (parent != NO_SLICE))]
    return outermost


def rank_times(profile: Profile) -> RankTimes:
    resources = profile.get(find_resources)
    steps = complete_steps(profile.get(find_steps).steps)
    exposed = profile.get(find_exposed_collectives)
    compute = unite(resources.compute_16, resources.compute_32)
    if resources.device is None:
        compute = subtract(unite(resources.host_ops, resources.python), exposed)
    busy = unite(compute, resources.collectives, resources.copies)
    start, end = windows_of(profile)
    count = max(len(steps), 1)

    def mean(intervals: Intervals) -> int:
        return int(covered_within(intervals, start, end).sum()) // count

    step_ns = int((end - start).sum()) // count
    communication, exposed_ns = mean(resources.collectives), mean(exposed)
    return RankTimes(
        steps=len(steps),
        step_ns=step_ns,
        compute_ns=mean(compute),
        communication_ns=communication,
        overlap_ns=communication - exposed_ns,
        exposed_ns=exposed_ns,
        idle_ns=step_ns - mean(busy),
    )


def windows_of(profile: Profile) -> tuple[Times, Times]:
    """Start and end of the steps that averages are taken over; without steps, of the trace."""
    every = profile.get(find_steps).steps
    steps = [every[index] for index in complete_steps(every)]
    if not steps:
        first, last = profile.trace.span
        return np.array([first]), np.array([last])
    start = np.array([step.start_ns for step in steps], np.int64)
    return start, start + np.array([step.duration_ns for step in steps], np.int64)
