"""Results of the search for the worst slices."""

from __future__ import annotations

from seamark.examples.results.result import Condition, Result


class FoundSlice(Result):
    conditions: tuple[Condition, ...]
    rows: int
    error: float  # the share of wrong predictions, or the mean absolute error
    half_interval: float  # of the 95 % interval
    ratio: float | None  # times the error of all rows
    p_value: float  # corrected


class WorstSlicesResult(Result):
    overall: float | None
    metric: str  # "error" or "mean absolute error"
    slices: tuple[FoundSlice, ...]
    tried: int
    min_rows: int
    max_p: float
    correction: str  # "Holm"
    took_ms: float
    notes: tuple[str, ...]
