"""Threshold strategies as in the What-If Tool: a threshold for each slice, at the lowest cost that a constraint allows.

All thresholds are those of the grid. A constraint is met if the largest difference between two slices is at most
TOLERANCE; a slice in which a rate is undefined (no rows, no positives or no negatives) is free of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.examples.performance.ranked import RankedScores
from seamark.examples.performance.windows import SortedCosts, cheapest_in_window, cheapest_in_windows
from seamark.examples.results.performance import Strategy, StrategyResult
from seamark.tables.column import Numbers

TOLERANCE = 0.01
# How much a threshold in the middle of the grid is preferred to one at its end if both cost the same.
PREFER_MIDDLE = 1e-7


@dataclass(frozen=True, eq=False)
class SliceCosts:
    """Of one slice, at each threshold. Rates are NaN where they are undefined."""

    rows: int
    cost: Numbers
    selected: Numbers  # the share of rows predicted as positive
    true_positive_rate: Numbers
    false_positive_rate: Numbers
    accuracy: Numbers

    @classmethod
    def at(cls, ranked: RankedScores, thresholds: Numbers, cost_ratio: float) -> SliceCosts:
        true_positives, false_positives = ranked.counts(thresholds)
        rows, positives, negatives = len(ranked), ranked.positives, ranked.negatives
        right = true_positives + negatives - false_positives
        return cls(
            rows,
            false_positives + cost_ratio * (positives - true_positives),
            _share(true_positives + false_positives, rows),
            _share(true_positives, positives),
            _share(false_positives, negatives),
            _share(right, rows),
        )


def strategies(slices: Sequence[SliceCosts], thresholds: Numbers) -> tuple[StrategyResult, ...]:
    single = int(_preferring_middle(sum((s.cost for s in slices), np.zeros(len(thresholds)))).argmin())
    own = [int(_preferring_middle(s.cost).argmin()) for s in slices]
    found: list[tuple[Strategy, list[int] | None, float | None]] = [
        ("single", [single] * len(slices), None),
        ("per_group", own, None),
        _constrained("demographic_parity", slices, ["selected"]),
        _constrained("equal_opportunity", slices, ["true_positive_rate"]),
        _constrained("equal_accuracy", slices, ["accuracy"]),
        _constrained("equalized_odds", slices, ["true_positive_rate", "false_positive_rate"]),
    ]
    return tuple(_result(name, chosen, gap, slices, thresholds) for name, chosen, gap in found)


def _constrained(
    name: Strategy, slices: Sequence[SliceCosts], rates: list[str]
) -> tuple[Strategy, list[int] | None, float | None]:
    costs = [_preferring_middle(s.cost) for s in slices]
    by_rate = [[getattr(s, rate) for s in slices] for rate in rates]
    bound = [at for at in range(len(slices)) if all(np.isfinite(values[at]).all() for values in by_rate)]
    chosen = [int(cost.argmin()) for cost in costs]
    if len(bound) > 1:
        found = _cheapest([costs[at] for at in bound], [[values[at] for at in bound] for values in by_rate])
        if found is None:
            return name, None, None
        for at, threshold in zip(bound, found, strict=True):
            chosen[at] = threshold
    reached = [[float(values[at][chosen[at]]) for at in bound] for values in by_rate]
    return name, chosen, max(max(values) - min(values) if values else 0.0 for values in reached)


def _cheapest(costs: list[Numbers], by_rate: list[list[Numbers]]) -> list[int] | None:
    if len(by_rate) == 2:
        return cheapest_in_windows(costs, by_rate[0], by_rate[1], TOLERANCE)
    return cheapest_in_window([SortedCosts.of(r, c) for r, c in zip(by_rate[0], costs, strict=True)], TOLERANCE)


def _result(
    name: Strategy, chosen: list[int] | None, gap: float | None, slices: Sequence[SliceCosts], thresholds: Numbers
) -> StrategyResult:
    rows = sum(s.rows for s in slices)
    if chosen is None:
        return StrategyResult(name, (), None, None)
    cost = sum(float(s.cost[at]) for s, at in zip(slices, chosen, strict=True))
    return StrategyResult(name, tuple(thresholds[chosen].tolist()), 1000 * cost / rows if rows else None, gap)


def _preferring_middle(cost: Numbers) -> Numbers:
    """Between thresholds of equal cost, the one nearest to the middle: it is the least surprising."""
    preferring: Numbers = cost + np.abs(np.arange(len(cost)) - (len(cost) - 1) / 2) * PREFER_MIDDLE
    return preferring


def _share(counts: NDArray[np.int64], of: int) -> Numbers:
    return counts / of if of else np.full(len(counts), math.nan)
