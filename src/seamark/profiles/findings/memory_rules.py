"""Rules for memory: close to the limit, growing from step to step."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.analyses.memory.owners import find_owners
from seamark.profiles.analyses.steps.candidate import shortened
from seamark.profiles.findings.rule import Rule, evidence, needs_memory
from seamark.profiles.findings.timeline import Timeline
from seamark.profiles.form import NO_SLICE, SliceIndices
from seamark.profiles.results import Finding

NEAR_LIMIT = 0.92
MIN_STEPS = 5
MIN_GROWTH_BYTES = 10_000_000
MIN_GROWING_SHARE = 0.8
DEVICE_TYPE_CPU = 0


def device_memory(timeline: Timeline, name: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Positions of the instants of devices that have this number, in order of time, and the numbers."""
    indices, values = timeline.trace.instant_fields[name]
    types = timeline.trace.instant_fields.get("Device Type")
    if types is not None:
        host = types.indices[types.values == DEVICE_TYPE_CPU]
        keep = ~np.isin(indices, host)
        indices, values = indices[keep], values[keep]
    order = np.argsort(timeline.trace.instant_time[indices], kind="stable")
    return indices[order], values[order].astype(np.int64)


def memory_limit(timeline: Timeline) -> int:
    """0 if the trace does not say it."""
    devices = timeline.trace.metadata.get("deviceProperties")
    sizes = [device.get("totalGlobalMem", 0) for device in devices or [] if isinstance(device, dict)]
    return max((int(size) for size in sizes if isinstance(size, int | float)), default=0)


def check_limit(timeline: Timeline) -> Finding | None:
    limit = memory_limit(timeline)
    name = "Total Reserved" if "Total Reserved" in timeline.trace.instant_fields else "Total Allocated"
    indices, values = device_memory(timeline, name)
    if not limit or not len(values) or values.max() < NEAR_LIMIT * limit:
        return None
    at = int(indices[values.argmax()])
    slices = owners_of(timeline, np.array([at]))
    if not len(slices):
        return None
    peak = int(values.max())
    name = shortened(timeline.trace.text(int(slices[0])))
    return Finding(
        code="memory_near_limit",
        text=f"The device's memory is {peak / limit:.0%} full at the peak.",
        advice=f"{peak / 1e9:.1f} of {limit / 1e9:.1f} GB are used at {name}. A larger batch or "
        "fragmentation ends the run: use activation checkpointing, a smaller batch or a sharded optimizer.",
        gain=0.0,
        gain_ns=0,
        formula=f"No time is gained. The rule compares the peak with {NEAR_LIMIT:.0%} of the device's memory.",
        evidence=evidence(timeline, slices),
    )


def check_growth(timeline: Timeline) -> Finding | None:
    indices, values = device_memory(timeline, "Total Allocated")
    if timeline.count < MIN_STEPS or not len(values):
        return None
    times = timeline.trace.instant_time[indices]
    at = np.searchsorted(times, timeline.step_end, "right") - 1
    at = at[at >= 0]
    # The first step allocates what stays: the optimizer's state, buffers.
    growth = np.diff(values[at])[1:]
    if not len(growth) or np.median(growth) < MIN_GROWTH_BYTES or (growth > 0).mean() < MIN_GROWING_SHARE:
        return None
    changes = timeline.trace.instant_fields.get("Bytes")
    kept = indices if changes is None else np.intersect1d(indices, changes.indices[changes.values > MIN_GROWTH_BYTES])
    slices = owners_of(timeline, kept)
    if not len(slices):
        return None
    return Finding(
        code="memory_growth",
        text=f"Memory grows by {np.median(growth) / 1e6:.0f} MB with every step.",
        advice="Something keeps tensors of earlier steps, such as a list of losses with their graphs. Store "
        "loss.detach() or loss.item(), and look at the allocations that are never freed on the Memory page.",
        gain=0.0,
        gain_ns=0,
        formula=f"No time is gained. The memory at the end of a step grows in {(growth > 0).mean():.0%} of the steps.",
        evidence=evidence(timeline, slices),
    )


def owners_of(timeline: Timeline, instants: SliceIndices) -> SliceIndices:
    """The operators that run at these instants."""
    trace = timeline.trace
    owners = find_owners(timeline.profile, trace.instant_track[instants], trace.instant_time[instants])
    return np.unique(owners[owners != NO_SLICE])


RULES = [Rule("memory_near_limit", check_limit, needs_memory), Rule("memory_growth", check_growth, needs_memory)]
