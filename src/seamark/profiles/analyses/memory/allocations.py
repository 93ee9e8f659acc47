"""Allocations: what each allocator gave out and took back, paired by address."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.form import SliceIndices, Times

NEVER = np.iinfo(np.int64).max


class AllocatorEvents(NamedTuple):
    """Of one allocator in order of time."""

    device: str  # "GPU 0", "CPU"
    allocator: str
    number: int  # of the device; -1: the host
    time: Times
    address: NDArray[np.int64] | None  # None: the trace has only totals
    bytes: NDArray[np.int64]  # negative: a deallocation
    owner: SliceIndices  # the operator around it
    allocated: NDArray[np.int64] | None  # all that the allocator has given out, as it says itself
    reserved: NDArray[np.int64] | None


class Allocations(NamedTuple):
    """Of one allocator: one entry for each allocation, in order of time."""

    events: AllocatorEvents
    start: Times
    end: Times  # NEVER: not freed in the trace
    bytes: NDArray[np.int64]
    owner: SliceIndices
    known_before: int  # bytes that were allocated before the trace and freed in it


def pair(events: AllocatorEvents) -> Allocations:
    """A deallocation ends the allocation before it at the same address."""
    if events.address is None:
        none = np.empty(0, np.int64)
        return Allocations(events, none, none, none, none, known_before=0)
    order = np.lexsort((np.arange(len(events.time)), events.address))
    is_free = events.bytes[order] < 0
    follows = np.zeros(len(order), bool)
    if len(order) > 1:
        same = events.address[order][1:] == events.address[order][:-1]
        follows[1:] = same & is_free[1:] & ~is_free[:-1]
    freed_at = np.full(len(order), NEVER)
    position = np.flatnonzero(follows)
    freed_at[order[position - 1]] = events.time[order[position]]
    before = order[is_free & ~follows]
    is_allocation = events.bytes > 0
    return Allocations(
        events=events,
        start=events.time[is_allocation],
        end=freed_at[is_allocation],
        bytes=events.bytes[is_allocation],
        owner=events.owner[is_allocation],
        known_before=int(-events.bytes[before].sum()),
    )
