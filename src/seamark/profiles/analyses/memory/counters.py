"""Counters of Trace: those of the file, and the memory of each allocator that the file has only events of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.analyses.memory.allocations import Allocations
from seamark.profiles.analyses.memory.curves import allocated_over_time
from seamark.profiles.analyses.memory.find import find_allocations, memory_of_device
from seamark.profiles.form import Times, Trace
from seamark.profiles.profile import Profile
from seamark.profiles.results import CounterEntry

BYTES = "bytes"
# "GPU 0 memory: allocated", "GPU_0_bfc memory"
DEVICE_IN_NAME = re.compile(r"(?:GPU|TPU|XPU|CUDA|HIP)[ _:]?(\d+)", re.IGNORECASE)
# What can reach the memory of a device; the rest of its counters are of other things.
LIMITED_NAME = re.compile(r"memory|allocated|reserved|in use", re.IGNORECASE)
UNLIMITED_NAME = re.compile(r"free|fragment|bandwidth|rate|/s", re.IGNORECASE)


class CounterValues(NamedTuple):
    entry: CounterEntry
    times: Times
    values: NDArray[np.float64]


def find_counters(profile: Profile) -> list[CounterValues]:
    found = [*_of_file(profile.trace)]
    if not any(each.entry.unit == BYTES for each in found):
        for allocations in profile.get(find_allocations):
            found += _of_allocator(profile, allocations, len(found))
    return found


def _of_file(trace: Trace) -> Iterator[CounterValues]:
    for counter in trace.counters:
        part = slice(counter.first, counter.first + counter.points)
        entry = CounterEntry(
            id=counter.id,
            name=counter.name,
            process=counter.process,
            unit=counter.unit,
            points=counter.points,
            limit=_limit_of(trace, counter.name, counter.process) if counter.unit == BYTES else None,
        )
        yield CounterValues(entry, trace.counter_times[part], trace.counter_values[part])


def _limit_of(trace: Trace, name: str, process: str) -> int | None:
    device = DEVICE_IN_NAME.search(name) or DEVICE_IN_NAME.search(process)
    if device is None or not LIMITED_NAME.search(name) or UNLIMITED_NAME.search(name):
        return None
    return memory_of_device(trace.metadata, int(device[1]))


def _of_allocator(profile: Profile, allocations: Allocations, first_id: int) -> Iterator[CounterValues]:
    """Named as readers of other formats name them, so that they are grouped with the device or the process."""
    trace, events = profile.trace, allocations.events
    is_host = events.number < 0
    process = _process_of_events(trace) if is_host else events.device
    limit = None if is_host else memory_of_device(trace.metadata, events.number)
    series = {"allocated": allocated_over_time(allocations), "reserved": events.reserved}
    for number, (name, values) in enumerate((name, values) for name, values in series.items() if values is not None):
        entry = CounterEntry(
            id=first_id + number,
            name=f"{events.device} memory: {name}",
            process=process,
            unit=BYTES,
            points=len(events.time),
            limit=limit,
        )
        yield CounterValues(entry, events.time, values.astype(np.float64))


def _process_of_events(trace: Trace) -> str:
    """The process that allocates."""
    tracks = trace.instant_track[trace.instant_track >= 0]
    return trace.tracks[int(tracks[0])].process if len(tracks) else ""
