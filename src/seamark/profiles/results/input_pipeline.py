"""Input pipeline."""

from __future__ import annotations

from seamark.profiles.results.base import Result


class InputStage(Result, frozen=True, kw_only=True):
    name: str
    parent: int  # position in stages, -1 for the root
    calls: int
    total_ns: int
    self_ns: int
    max_ns: int | None  # of one call; None: only sums are known
    slow_calls: int | None  # longer than 50 µs
    is_bottleneck: bool
    longest: int = -1


class InputPipeline(Result, frozen=True, kw_only=True):
    stages: list[InputStage]
    wait_ns_per_step: list[int]
    wait_bins_ns: list[int]  # edges of the histogram
    wait_counts: list[int]
    workers: int | None
    advice: list[str]
    notes: list[str]
