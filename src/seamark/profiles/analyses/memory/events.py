"""The `[memory]` instants of torch.profiler, which the readers of other formats write too."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.analyses.memory.allocations import AllocatorEvents
from seamark.profiles.analyses.memory.owners import find_owners
from seamark.profiles.analyses.slices.fields import values_of, with_names
from seamark.profiles.profile import Profile

NAME = "[memory]"
# c10::DeviceType; HIP is shown as a GPU, as torch itself does.
DEVICE_TYPES = {0: "CPU", 1: "GPU", 6: "GPU", 9: "XLA", 12: "XPU", 13: "MPS", 15: "HPU", 19: "MTIA"}
# The totals of a host's allocator are taken if they change by the bytes of at least this share of the events.
CONSISTENT_SHARE = 0.95


def find_events(profile: Profile) -> list[AllocatorEvents]:
    trace, fields = profile.trace, profile.trace.instant_fields
    instants = with_names(trace, trace.instant_name, NAME)
    instants = instants[np.argsort(trace.instant_time[instants], kind="stable")]
    size, address = values_of(fields, instants, "Bytes"), values_of(fields, instants, "Addr")
    if size is None:
        return []
    types, numbers = values_of(fields, instants, "Device Type"), values_of(fields, instants, "Device Id")
    allocated, reserved = values_of(fields, instants, "Total Allocated"), values_of(fields, instants, "Total Reserved")
    nothing = np.zeros(len(instants), np.int64)
    types = nothing if types is None else types
    numbers = nothing if numbers is None else np.maximum(numbers, 0)
    owner = find_owners(profile, trace.instant_track[instants], trace.instant_time[instants])
    found: list[AllocatorEvents] = []
    for type, number in np.unique(np.stack([types, numbers]), axis=1).T.tolist():
        chosen = np.flatnonzero((types == type) & (numbers == number))
        is_host = type == 0
        totals = None if allocated is None else allocated[chosen]
        if is_host and (totals is None or not _is_total(totals, size[chosen])):
            totals = None
        found.append(
            AllocatorEvents(
                device="CPU" if is_host else f"{DEVICE_TYPES.get(type, 'device')} {number}",
                allocator="",
                number=-1 if is_host else number,
                time=trace.instant_time[instants[chosen]],
                address=None if address is None else address[chosen],
                bytes=size[chosen],
                owner=owner[chosen],
                allocated=totals,
                reserved=None if is_host or reserved is None else reserved[chosen],
            )
        )
    return found


def _is_total(totals: NDArray[np.int64], size: NDArray[np.int64]) -> bool:
    """Whether the host's totals are the allocator's: torch counts only from the start of the profile, and not all."""
    changes = np.diff(totals) == size[1:]
    return bool(totals[0] > max(int(size[0]), 0) and changes.mean() >= CONSISTENT_SHARE) if len(changes) else False
