"""Results about features: statistics, drift between two sets, suspects of leakage."""

from __future__ import annotations

from typing import Literal

from seamark.examples.results.result import Result


class NamedCount(Result):
    name: str
    count: int
    other: int = 0  # rows of the other set


class FeatureFlag(Result):
    code: Literal["missing", "zeros", "constant", "skewed", "many_values", "drift", "leakage", "imbalanced", "infinite"]
    text: str  # a sentence with the numbers


class FeatureStatistics(Result):
    name: str
    type: str
    rows: int
    missing: int
    zeros: int
    distinct: int
    mean: float | None = None
    deviation: float | None = None
    quantiles: tuple[float, ...] = ()  # 0, 5, 25, 50, 75, 95, 100 %
    edges: tuple[float, ...] = ()
    histogram: tuple[int, ...] = ()
    other_histogram: tuple[int, ...] = ()  # of the other set, by the same edges
    top: tuple[NamedCount, ...] = ()
    longest: int = 0  # characters of a text
    skewness: float | None = None
    truth_strength: float | None = None  # how well it alone predicts the truth: 0 to 1
    drift: float | None = None  # 0: equal distributions, 1: disjoint (Jensen-Shannon distance)
    drift_p: float | None = None
    flags: tuple[FeatureFlag, ...] = ()


class FeaturesResult(Result):
    rows: int
    other_rows: int
    features: tuple[FeatureStatistics, ...]
    notes: tuple[str, ...]
