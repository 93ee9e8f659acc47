"""Leak candidates: what operators allocate in step after step and nothing frees."""

from __future__ import annotations

import numpy as np

from seamark.profiles.analyses.memory.allocations import NEVER, Allocations
from seamark.profiles.analyses.memory.peak import owner_name
from seamark.profiles.form import NO_SLICE, Trace
from seamark.profiles.results import LeakCandidate, Step

MIN_STEPS = 3
MIN_BYTES_PER_STEP = 64 * 1024
# What is allocated in the last step may be freed in the next one, which the trace does not have.
OPEN_STEPS = 1
MAX_SLICES = 20


def find_leaks(trace: Trace, allocations: Allocations, steps: list[Step]) -> list[LeakCandidate]:
    """By operator, over the steps but the last. Only if the memory that is alive grows by as much."""
    steps = steps[: len(steps) - OPEN_STEPS]
    if len(steps) < MIN_STEPS:
        return []
    starts = np.array([step.start_ns for step in steps])
    ends = starts + np.array([step.duration_ns for step in steps])
    step = np.searchsorted(starts, allocations.start, "right") - 1
    inside = (step >= 0) & (allocations.start < ends[np.maximum(step, 0)])
    kept = np.flatnonzero(inside & (allocations.end == NEVER))
    growth = _growth(allocations, int(starts[0]), int(ends[-1]))
    found = []
    owners = allocations.owner[kept]
    names = np.where(owners == NO_SLICE, -1, trace.name[np.maximum(owners, 0)].astype(np.int64))
    for name in np.unique(names):
        mine = kept[names == name]
        with_leak = len(np.unique(step[mine]))
        size = int(allocations.bytes[mine].sum())
        is_regular = with_leak >= MIN_STEPS and 2 * with_leak > len(steps)
        if is_regular and size >= MIN_BYTES_PER_STEP * len(steps) and 2 * growth >= size:
            slices = allocations.owner[mine]
            found.append(
                LeakCandidate(
                    device=allocations.events.device,
                    operator=owner_name(trace, int(allocations.owner[mine[0]])),
                    bytes_per_step=size // len(steps),
                    allocations_per_step=len(mine) / len(steps),
                    steps=with_leak,
                    slices=slices[slices != NO_SLICE][:MAX_SLICES].tolist(),
                )
            )
    return sorted(found, key=lambda leak: -leak.bytes_per_step)


def _growth(allocations: Allocations, start: int, end: int) -> int:
    """By how much memory grows: a ring of buffers frees as much as it allocates."""
    time, size = allocations.events.time, allocations.events.bytes
    return int(size[(time >= start) & (time < end)].sum())
