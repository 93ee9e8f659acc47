"""Timeline: what the rules look at: the steps, when the device is busy, and why it is idle.

A moment at which the device is idle has one cause: what the host does then. Causes are taken in a fixed order, so that
no moment counts twice and gains can be ranked. Without a device the time of the host's thread counts instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.activity import DEVICE_ACTIVITIES, DEVICE_COMPUTE, Activity, find_activities
from seamark.profiles.analyses.device.launches import find_device_slices
from seamark.profiles.analyses.slices.intervals import EMPTY, Intervals, intersect, invert, merge, subtract
from seamark.profiles.analyses.slices.resources import find_exposed_collectives, find_input_slices
from seamark.profiles.analyses.steps import complete_steps, find_steps
from seamark.profiles.form import SliceIndices, Trace
from seamark.profiles.profile import Profile

GARBAGE_NAME = re.compile(r"gc\.collect|<built-in function collect>")
CHECKPOINT_NAME = re.compile(
    r"torch/serialization\.py\(\d+\): save|torch\.save\b|save_checkpoint|Checkpoint.*save", re.I
)
ALLOCATOR_NAME = re.compile(r"(cuda|hip)(Malloc|Free)(Async|Host)?\Z|cuMem(Create|Map|Unmap|Release)\Z")
HOST_COLLECTIVE_NAME = re.compile(r"(gloo|mpi):")
DATA_PARALLEL_NAME = re.compile(
    r"(?<!Distributed)DataParallel\.forward|(nn/parallel/)?(data_parallel|scatter_gather)\.py|\A(Scatter|Gather|Broadcast)\Z"
)
OPTIMIZER_NAME = re.compile(r"Optimizer\.step")
# In this order.
HOST_CAUSES = ("warm_up", "compile", "checkpoint", "garbage", "data_parallel", "allocator", "input", "host_collectives")


@dataclass(eq=False)
class Timeline:
    """`parts`: the time of each cause in the steps, exclusive of each other."""

    profile: Profile
    step_start: NDArray[np.int64]
    step_end: NDArray[np.int64]
    activities: NDArray[np.uint8]  # of each slice
    device_slices: SliceIndices
    main_track: int
    # What this rank waits for others in its collectives; filled by the rules for several ranks.
    rank_wait_ns: int = 0
    parts: dict[str, Intervals] = field(default_factory=dict)

    @property
    def trace(self) -> Trace:
        return self.profile.trace

    @property
    def count(self) -> int:
        return len(self.step_start)

    @cached_property
    def total_ns(self) -> int:
        return int((self.step_end - self.step_start).sum())

    @cached_property
    def mean_ns(self) -> float:
        return self.total_ns / max(1, self.count)

    @cached_property
    def steps(self) -> Intervals:
        return merge(self.step_start, self.step_end)

    @property
    def has_device(self) -> bool:
        return len(self.device_slices) > 0

    # Slices

    def named(self, pattern: re.Pattern[str]) -> SliceIndices:
        """The host's slices whose name matches."""
        found = np.array([pattern.search(entry.text) is not None for entry in self.trace.names], bool)
        return self.on_host(np.flatnonzero(found[self.trace.name])) if found.any() else np.empty(0, np.int64)

    def with_activity(self, *wanted: Activity) -> SliceIndices:
        return np.flatnonzero(np.isin(self.activities, wanted))

    def on_device(self, slices: SliceIndices) -> SliceIndices:
        return slices[self.is_device[slices]]

    def on_host(self, slices: SliceIndices) -> SliceIndices:
        return slices[~self.is_device[slices]]

    def on_main(self, slices: SliceIndices) -> SliceIndices:
        is_main: NDArray[np.bool_] = self.trace.track[slices] == self.main_track
        return slices[is_main]

    @cached_property
    def is_device(self) -> NDArray[np.bool_]:
        found = np.zeros(self.trace.slices, bool)
        found[self.device_slices] = True
        return found

    def in_steps(self, slices: SliceIndices, *, without_first: bool = False) -> SliceIndices:
        """The slices that begin inside a step."""
        if not self.count:
            return slices[:0]
        at = np.searchsorted(self.step_start, self.trace.start[slices], "right") - 1
        inside = (at >= int(without_first)) & (self.trace.start[slices] < self.step_end[np.maximum(at, 0)])
        return slices[inside]

    def covered(self, slices: SliceIndices) -> Intervals:
        return merge(self.trace.start[slices], self.trace.end[slices])

    # The device

    @cached_property
    def compute(self) -> Intervals:
        return self.covered(self.on_device(self.with_activity(*DEVICE_COMPUTE)))

    @cached_property
    def collectives(self) -> Intervals:
        return self.covered(self.on_device(self.with_activity(Activity.COLLECTIVE)))

    @cached_property
    def busy(self) -> Intervals:
        return self.covered(self.on_device(self.with_activity(*DEVICE_ACTIVITIES)))

    @cached_property
    def idle(self) -> Intervals:
        """When no device works, in the steps. Without a device: all of the steps."""
        if not self.count:
            return EMPTY
        if not self.has_device:
            return self.steps
        return intersect(self.steps, invert(self.busy, int(self.step_start[0]), int(self.step_end[-1])))


def find_timeline(profile: Profile) -> Timeline:
    trace = profile.trace
    found = profile.get(find_steps).steps
    steps = [found[index] for index in complete_steps(found)]  # those of the mean
    start = np.array([step.start_ns for step in steps], np.int64)
    activities = profile.get(find_activities)
    timeline = Timeline(
        profile=profile,
        step_start=start,
        step_end=start + np.array([step.duration_ns for step in steps], np.int64),
        activities=activities[trace.name] if trace.slices else np.empty(0, np.uint8),
        device_slices=profile.get(find_device_slices),
        main_track=-1,
    )
    timeline.main_track = main_track(timeline)
    timeline.parts = split_idle(timeline)
    return timeline


def main_track(timeline: Timeline) -> int:
    """The thread with the steps; else the one with most operators."""
    for activity in (Activity.STEP, Activity.HOST_OP, Activity.RUNTIME, Activity.PYTHON):
        slices = timeline.on_host(timeline.with_activity(activity))
        if len(slices):
            return int(np.bincount(timeline.trace.track[slices]).argmax())
    return -1


def split_idle(timeline: Timeline) -> dict[str, Intervals]:
    """The idle time by cause: HOST_CAUSES, then sync, optimizer, launch, host."""
    parts: dict[str, Intervals] = {}
    rest = timeline.idle

    def take(cause: str, when: Intervals) -> None:
        nonlocal rest
        parts[cause] = intersect(rest, when)
        rest = subtract(rest, parts[cause])

    for cause in HOST_CAUSES[:-1]:
        take(cause, timeline.covered(slices_of_cause(timeline, cause)))
    if not timeline.has_device:
        take("host_collectives", timeline.profile.get(find_exposed_collectives))
        return parts
    take("host_collectives", timeline.covered(slices_of_cause(timeline, "host_collectives")))
    take("sync", after_sync(timeline, rest))
    operators = timeline.covered(launching_slices(timeline))
    optimizer = timeline.covered(timeline.named(OPTIMIZER_NAME))
    take("optimizer", intersect(operators, optimizer))
    take("launch", operators)
    parts["host"] = rest
    return parts


def launching_slices(timeline: Timeline) -> SliceIndices:
    """Operators and calls of the threads that launch: the main one, and autograd's."""
    calls = timeline.on_host(timeline.with_activity(Activity.RUNTIME))
    tracks = np.union1d(timeline.trace.track[calls], [timeline.main_track])
    slices = timeline.on_host(timeline.with_activity(Activity.HOST_OP, Activity.RUNTIME, Activity.COPY))
    is_launching: NDArray[np.bool_] = np.isin(timeline.trace.track[slices], tracks)
    return slices[is_launching]


def slices_of_cause(timeline: Timeline, cause: str) -> SliceIndices:
    if cause == "warm_up":
        # Compiling in the first step is expected, and no rule names it.
        found = timeline.on_host(timeline.with_activity(Activity.COMPILE))
        return np.setdiff1d(timeline.in_steps(found), timeline.in_steps(found, without_first=True))
    if cause == "compile":
        return timeline.in_steps(timeline.on_host(timeline.with_activity(Activity.COMPILE)), without_first=True)
    if cause == "input":
        return timeline.profile.get(find_input_slices)
    if cause == "host_collectives" and not timeline.has_device:
        return timeline.on_host(timeline.with_activity(Activity.COLLECTIVE))
    pattern = {
        "checkpoint": CHECKPOINT_NAME,
        "garbage": GARBAGE_NAME,
        "data_parallel": DATA_PARALLEL_NAME,
        "allocator": ALLOCATOR_NAME,
        "host_collectives": HOST_COLLECTIVE_NAME,
    }[cause]
    slices = timeline.named(pattern)
    return timeline.in_steps(slices, without_first=True) if cause == "allocator" else slices


def after_sync(timeline: Timeline, idle: Intervals) -> Intervals:
    """The idle intervals in which a call returns that waited for the device: nothing was queued behind it."""
    ends = np.sort(timeline.trace.end[sync_calls(timeline)])
    if not len(ends) or not len(idle.start):
        return EMPTY
    # A call returns shortly after the work that it waited for.
    before = np.searchsorted(ends, idle.start, "left")
    behind = np.searchsorted(ends, idle.end, "right")
    found = behind > before
    return Intervals(idle.start[found], idle.end[found])


def sync_calls(timeline: Timeline) -> SliceIndices:
    """Calls on the host's thread that wait for the device."""
    return timeline.in_steps(timeline.on_main(timeline.with_activity(Activity.SYNC)))


def longest_first(timeline: Timeline, slices: Iterable[int] | SliceIndices) -> SliceIndices:
    found = np.asarray(slices, np.int64)
    return found[np.argsort(-timeline.trace.duration[found], kind="stable")]
