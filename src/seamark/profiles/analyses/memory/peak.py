"""What holds memory at the peak, and what each operator allocated."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.analyses.memory.allocations import NEVER, Allocations
from seamark.profiles.analyses.memory.curves import Peak
from seamark.profiles.arguments import Arguments, read_arguments
from seamark.profiles.form import NO_SLICE, ProfileError, Trace
from seamark.profiles.profile import Profile
from seamark.profiles.results import MemoryOperatorRow, MemoryRow

MAX_ROWS = 300
BEFORE = "before the trace"
OUTSIDE = "outside of operators"


def owner_name(trace: Trace, owner: int) -> str:
    return OUTSIDE if owner == NO_SLICE else trace.text(owner)


def rows_at_peak(profile: Profile, allocations: Allocations, peak: Peak) -> list[MemoryRow]:
    """The largest allocations that are alive; the rest of the peak as one or two rows, so that they sum to it."""
    device = allocations.events.device
    if allocations.events.address is None:
        return []
    alive = np.flatnonzero((allocations.start <= peak.time) & (allocations.end > peak.time))
    alive = alive[np.argsort(-allocations.bytes[alive], kind="stable")]
    shapes = _shapes(profile, allocations.owner[alive[:MAX_ROWS]].tolist())
    rows = [
        _row(profile.trace, allocations, int(index), shape)
        for index, shape in zip(alive[:MAX_ROWS], shapes, strict=True)
    ]
    if len(alive) > MAX_ROWS:
        smaller = int(allocations.bytes[alive[MAX_ROWS:]].sum())
        name = f"{len(alive) - MAX_ROWS:,} smaller allocations"
        rows.append(_sum_row(device, name, smaller, int(allocations.start[alive[-1]])))
    unknown = peak.bytes - int(allocations.bytes[alive].sum())
    if unknown > 0:
        rows.append(_sum_row(device, BEFORE, unknown, int(allocations.events.time[0])))
        rows.sort(key=lambda row: -row.bytes)
    return rows


def _shapes(profile: Profile, owners: list[int]) -> list[str]:
    """The inputs of the operator that allocated, or the shape of the tensor if the trace has it."""
    known = [owner for owner in owners if owner != NO_SLICE]
    try:
        found = dict(zip(known, read_arguments(profile, known), strict=True))
    except (OSError, ProfileError):
        return [""] * len(owners)  # the file has changed
    return [_shape_text(found.get(owner, {})) for owner in owners]


def _shape_text(arguments: Arguments) -> str:
    dims = arguments.get("Input Dims", arguments.get("shape", arguments.get("tensor_shapes", "")))
    if isinstance(dims, list):
        return ", ".join("×".join(map(str, each)) for each in dims if isinstance(each, list) and each)
    return str(dims)


def _row(trace: Trace, allocations: Allocations, index: int, shape: str) -> MemoryRow:
    owner, end = int(allocations.owner[index]), int(allocations.end[index])
    return MemoryRow(
        device=allocations.events.device,
        operator=owner_name(trace, owner),
        shape=shape,
        bytes=int(allocations.bytes[index]),
        allocated_ns=int(allocations.start[index]),
        freed_ns=None if end == NEVER else end,
        slice=owner,
    )


def _sum_row(device: str, operator: str, size: int, time: int) -> MemoryRow:
    return MemoryRow(device=device, operator=operator, shape="", bytes=size, allocated_ns=time, freed_ns=None)


def operator_rows(trace: Trace, allocations: Allocations, peak: Peak) -> list[MemoryOperatorRow]:
    """By the name of the owner, the largest part of the peak first."""
    if allocations.events.address is None:
        return []
    names = np.full(len(allocations.owner), -1, np.int64)
    known = allocations.owner != NO_SLICE
    names[known] = trace.name[allocations.owner[known]]
    unique, group = np.unique(names, return_inverse=True)
    alive = (allocations.start <= peak.time) & (allocations.end > peak.time)
    never_freed = allocations.end == NEVER

    def sums(chosen: NDArray[np.bool_]) -> list[int]:
        totals: list[int] = np.bincount(group, allocations.bytes * chosen, len(unique)).astype(np.int64).tolist()
        return totals

    calls_of: list[int] = np.bincount(group, minlength=len(unique)).tolist()
    every = np.ones(len(group), bool)
    columns = zip(unique.tolist(), calls_of, sums(every), sums(never_freed), sums(alive), strict=True)
    rows = [
        MemoryOperatorRow(
            device=allocations.events.device,
            operator=OUTSIDE if name < 0 else trace.names[name].text,
            calls=calls,
            allocated_bytes=allocated,
            self_increase_bytes=increase,
            peak_bytes=at_peak,
        )
        for name, calls, allocated, increase, at_peak in columns
    ]
    unknown = peak.bytes - int(allocations.bytes[alive].sum())
    if unknown > 0:
        rows.append(
            MemoryOperatorRow(
                device=allocations.events.device,
                operator=BEFORE,
                calls=0,
                allocated_bytes=0,
                self_increase_bytes=0,
                peak_bytes=unknown,
            )
        )
    return sorted(rows, key=lambda row: (-row.peak_bytes, -row.allocated_bytes))
