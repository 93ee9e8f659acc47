"""Compare: two profiles side by side."""

from __future__ import annotations

from seamark.profiles.results.base import Result


class ComparedStep(Result, frozen=True, kw_only=True):
    part: str  # of BREAKDOWN_PARTS, or "step"
    a_ns: int
    b_ns: int


class ComparedRow(Result, frozen=True, kw_only=True):
    name: str
    a_calls: int
    b_calls: int
    a_ns: int  # for each step
    b_ns: int
    explains: float | None  # share of the whole difference


class Comparison(Result, frozen=True, kw_only=True):
    a_steps: int
    b_steps: int
    breakdown: list[ComparedStep]
    operators: list[ComparedRow]
    kernels: list[ComparedRow]
    explanation: list[str]  # sentences, the largest change first
    a_step_ns: list[int]  # the durations of the steps, aligned by number where both have them
    b_step_ns: list[int]
    step_names: list[str]
