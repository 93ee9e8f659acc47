"""Memory."""

from __future__ import annotations

from seamark.profiles.results.base import Result


class MemoryCurve(Result, frozen=True, kw_only=True):
    name: str  # "GPU 0", "CPU"
    allocator: str
    times_ns: list[int]
    allocated: list[int]
    reserved: list[int] | None
    peak_bytes: int
    peak_ns: int
    limit_bytes: int | None


class MemoryRow(Result, frozen=True, kw_only=True):
    """What holds memory at the peak."""

    device: str
    operator: str
    shape: str
    bytes: int
    allocated_ns: int
    freed_ns: int | None  # None: never freed in the trace
    slice: int = -1


class MemoryOperatorRow(Result, frozen=True, kw_only=True):
    device: str
    operator: str
    calls: int
    allocated_bytes: int  # by all calls
    self_increase_bytes: int  # never freed in the trace
    peak_bytes: int  # alive at the peak


class LeakCandidate(Result, frozen=True, kw_only=True):
    device: str
    operator: str
    bytes_per_step: int
    allocations_per_step: float
    steps: int
    slices: list[int]


class Memory(Result, frozen=True, kw_only=True):
    curves: list[MemoryCurve]
    at_peak: list[MemoryRow]
    operators: list[MemoryOperatorRow]
    leaks: list[LeakCandidate]
    fragmentation: float | None  # at the peak: 1 - allocated / reserved
    notes: list[str]
