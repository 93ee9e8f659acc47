"""Compile."""

from __future__ import annotations

from seamark.profiles.results.base import Result


class CompileRow(Result, frozen=True, kw_only=True):
    name: str
    compiler: str  # "XLA", "TorchDynamo", "Inductor"
    calls: int
    total_ns: int
    in_steps: int  # calls inside steps
    slices: list[int]


class Compilation(Result, frozen=True, kw_only=True):
    """The longest of the events of compilers that overlap."""

    name: str
    start_ns: int
    duration_ns: int
    is_in_step: bool
    slice: int


class Compile(Result, frozen=True, kw_only=True):
    rows: list[CompileRow]
    compilations: list[Compilation]  # the longest ones, in order of time
    total_ns: int
    recompiles: int
    notes: list[str]
