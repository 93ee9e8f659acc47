"""Combines the allocators of a trace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seamark.profiles.analyses.memory.allocations import Allocations, pair
from seamark.profiles.analyses.memory.curves import counter_curves, curve_of, find_peak
from seamark.profiles.analyses.memory.events import find_events
from seamark.profiles.analyses.memory.leaks import MIN_STEPS, OPEN_STEPS, find_leaks
from seamark.profiles.analyses.memory.peak import operator_rows, rows_at_peak
from seamark.profiles.analyses.steps import find_steps
from seamark.profiles.profile import Profile
from seamark.profiles.results import Memory

NO_DATA = (
    "The trace has no memory events. Record them with profile(profile_memory=True) in PyTorch; "
    "JAX records them for devices only."
)
HOST_NOTE = (
    "CPU: memory that was allocated before the trace is counted only if it is freed in the trace, "
    "because the host's allocator does not know its total."
)


def find_memory(profile: Profile) -> Memory:
    trace, steps = profile.trace, profile.get(find_steps).steps
    allocators = profile.get(find_allocations)
    peaks = [find_peak(each) for each in allocators]
    curves = [curve_of(each, memory_of_device(trace.metadata, each.events.number)) for each in allocators]
    if not curves:
        curves = counter_curves(trace)  # else they repeat the same numbers
    notes = [] if curves else [NO_DATA]
    if any(each.events.allocated is None for each in allocators):
        notes.append(HOST_NOTE)
    if allocators and len(steps) < MIN_STEPS + OPEN_STEPS:
        notes.append(f"Leak candidates need {MIN_STEPS + OPEN_STEPS} steps; the trace has {len(steps)}.")
    pairs = list(zip(allocators, peaks, strict=True))
    return Memory(
        curves=curves,
        at_peak=[row for each, peak in pairs for row in rows_at_peak(profile, each, peak)],
        operators=[row for each, peak in pairs for row in operator_rows(trace, each, peak)],
        leaks=[leak for each in allocators for leak in find_leaks(trace, each, steps)],
        fragmentation=_fragmentation(allocators),
        notes=notes,
    )


def find_allocations(profile: Profile) -> list[Allocations]:
    """Of each allocator; devices before the host."""
    events = sorted(find_events(profile), key=lambda each: (each.number < 0, each.number))
    return [pair(each) for each in events]


def memory_of_device(metadata: Mapping[str, Any], number: int) -> int | None:
    """In bytes, from torch's deviceProperties."""
    properties = metadata.get("deviceProperties")
    for device in properties if isinstance(properties, list) else []:
        if isinstance(device, dict) and device.get("id") == number:
            size = device.get("totalGlobalMem")
            return size if isinstance(size, int) and size > 0 else None
    return None


def _fragmentation(allocators: list[Allocations]) -> float | None:
    """Of the device with the highest peak, at that peak."""
    known = [each for each in allocators if each.events.reserved is not None]
    if not known:
        return None
    fullest = max(known, key=lambda each: find_peak(each).bytes)
    peak, reserved = find_peak(fullest), fullest.events.reserved
    at_peak = 0 if reserved is None else int(reserved[peak.event])
    return max(0.0, 1 - peak.bytes / at_peak) if at_peak > 0 else None
