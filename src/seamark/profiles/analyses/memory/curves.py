"""Curves: how much memory is allocated over time."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.analyses.memory.allocations import Allocations
from seamark.profiles.form import Times, Trace
from seamark.profiles.results import MemoryCurve

MAX_BLOCKS = 1000
COUNTER_NAME = re.compile(r"memory|bytes|allocat", re.IGNORECASE)


class Peak(NamedTuple):
    bytes: int
    time: int
    event: int  # position in the events


def allocated_over_time(allocations: Allocations) -> NDArray[np.int64]:
    """After each event: as the allocator says itself, else what the trace knows of."""
    events = allocations.events
    if events.allocated is not None:
        return events.allocated
    return allocations.known_before + np.cumsum(events.bytes)


def find_peak(allocations: Allocations) -> Peak:
    allocated = allocated_over_time(allocations)
    at = int(np.argmax(allocated))
    return Peak(int(allocated[at]), int(allocations.events.time[at]), at)


def curve_of(allocations: Allocations, limit_bytes: int | None) -> MemoryCurve:
    events, peak = allocations.events, find_peak(allocations)
    allocated = allocated_over_time(allocations)
    chosen = corners(allocated)
    return MemoryCurve(
        name=events.device,
        allocator=events.allocator,
        times_ns=events.time[chosen].tolist(),
        allocated=allocated[chosen].tolist(),
        reserved=None if events.reserved is None else events.reserved[chosen].tolist(),
        peak_bytes=peak.bytes,
        peak_ns=peak.time,
        limit_bytes=limit_bytes,
    )


def counter_curves(trace: Trace) -> list[MemoryCurve]:
    """Counters of bytes, as TF1 and Chrome write them: a curve without its allocations."""
    curves = []
    for counter in trace.counters:
        if not counter.points or not (counter.unit == "bytes" or COUNTER_NAME.search(counter.name)):
            continue
        part = slice(counter.first, counter.first + counter.points)
        times: Times = trace.counter_times[part]
        values = trace.counter_values[part].astype(np.int64)
        chosen, at = corners(values), int(np.argmax(values))
        curves.append(
            MemoryCurve(
                name=counter.process or counter.name,
                allocator=counter.name if counter.process else "",
                times_ns=times[chosen].tolist(),
                allocated=values[chosen].tolist(),
                reserved=None,
                peak_bytes=int(values[at]),
                peak_ns=int(times[at]),
                limit_bytes=None,
            )
        )
    return curves


def corners(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """The positions to draw: of each block the first, the lowest, the highest and the last."""
    if len(values) <= 4 * MAX_BLOCKS:
        return np.arange(len(values))
    edges = np.linspace(0, len(values), MAX_BLOCKS + 1).astype(np.int64)
    blocks = [(int(first), values[first:last]) for first, last in pairwise(edges)]
    found = [(first, first + part.argmin(), first + part.argmax(), first + len(part) - 1) for first, part in blocks]
    return np.unique(np.array(found))
