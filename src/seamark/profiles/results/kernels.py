"""Kernels."""

from __future__ import annotations

from seamark.profiles.results.base import Result


class KernelRow(Result, frozen=True, kw_only=True):
    name: str
    operator: str
    activity: int
    calls: int
    total_ns: int
    mean_ns: int
    min_ns: int
    max_ns: int
    grid: str
    block: str
    registers: int | None
    shared_memory: int | None
    occupancy: float | None  # percent
    blocks_per_sm: float | None
    tensor_cores: bool | None
    longest: int = -1


class Kernels(Result, frozen=True, kw_only=True):
    rows: list[KernelRow]
    total_ns: int
    tensor_core_share: float | None
    is_cut: bool = False  # there are more rows, with less time
