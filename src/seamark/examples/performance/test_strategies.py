"""Threshold strategies, compared with all combinations of thresholds."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamark.examples.performance import strategies as module
from seamark.examples.performance.ranked import rank
from seamark.examples.performance.strategies import TOLERANCE, SliceCosts, strategies
from seamark.examples.results.performance import StrategyResult

GRID = np.arange(13) / 12
RATES = {
    "single": [],
    "per_group": [],
    "demographic_parity": ["selected"],
    "equal_opportunity": ["true_positive_rate"],
    "equal_accuracy": ["accuracy"],
    "equalized_odds": ["true_positive_rate", "false_positive_rate"],
}
part = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=14)


def costs(rows: list[tuple[float, bool]], ratio: float = 1.0, grid: np.ndarray = GRID) -> SliceCosts:
    return SliceCosts.at(
        rank(np.array([row[0] for row in rows], float), np.array([row[1] for row in rows], float)), grid, ratio
    )


def found_by_name(slices: list[SliceCosts], grid: np.ndarray = GRID) -> dict[str, StrategyResult]:
    return {found.strategy: found for found in strategies(slices, grid)}


def gap(slices: list[SliceCosts], rate: str, chosen: tuple[int, ...]) -> float:
    values = [getattr(s, rate)[at] for s, at in zip(slices, chosen, strict=True)]
    known = [value for value in values if not np.isnan(value)]
    return max(known) - min(known) if known else 0.0


def cheapest(slices: list[SliceCosts], rates: list[str], *, is_single: bool) -> float | None:
    # A slice without one of the rates is free of both.
    bound = [s for s in slices if not any(np.isnan(getattr(s, rate)).any() for rate in rates)]
    free = sum(s.cost.min() for s in slices if s not in bound)
    best = None
    for chosen in itertools.product(range(len(GRID)), repeat=len(bound)):
        if is_single and len(set(chosen)) > 1:
            continue
        if all(gap(bound, rate, chosen) <= TOLERANCE + 1e-12 for rate in rates):
            cost = free + sum(s.cost[at] for s, at in zip(bound, chosen, strict=True))
            best = cost if best is None else min(best, cost)
    return best


@settings(max_examples=60, deadline=None)
@given(st.lists(part, min_size=1, max_size=3), st.sampled_from([0.25, 1.0, 4.0]))
def test_each_strategy_is_the_cheapest_that_meets_it(parts: list[list[tuple[float, bool]]], ratio: float) -> None:
    slices = [costs(rows, ratio) for rows in parts]
    total = sum(s.rows for s in slices)
    for name, found in found_by_name(slices).items():
        expected = cheapest(slices, RATES[name], is_single=name == "single")
        if expected is None:
            assert found.thresholds == () and found.cost is None and found.gap is None
        elif total:
            assert found.cost == pytest.approx(1000 * expected / total), name
            assert found.gap is None or found.gap <= TOLERANCE + 1e-12


def test_equal_accuracy_may_be_impossible() -> None:
    perfect = costs([(0.9, True)] * 50 + [(0.1, False)] * 50)
    reversed_ = costs([(0.5, True)] * 10 + [(0.5, False)] * 90)
    found = found_by_name([perfect, reversed_])["equal_accuracy"]
    assert found.thresholds == () and found.cost is None
    assert found_by_name([perfect, reversed_])["equalized_odds"].cost is not None  # all rows are positive


def test_equal_costs_take_the_threshold_nearest_to_the_middle() -> None:
    assert found_by_name([costs([(0.9, True), (0.1, False)])])["single"].thresholds == (0.5,)


def test_many_windows_are_thinned_and_still_meet_the_constraint(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    grid = np.arange(1001) / 1000
    slices = [
        costs([(score, bool(rng.random() < score**k)) for score in rng.random(3000)], grid=grid) for k in (1, 1.5, 2)
    ]
    exact = found_by_name(slices, grid)["equalized_odds"]
    monkeypatch.setattr("seamark.examples.performance.windows.MAX_TRIED", 3000)
    thinned = found_by_name(slices, grid)["equalized_odds"]
    assert exact.cost is not None and thinned.cost is not None and thinned.gap is not None
    assert exact.cost <= thinned.cost <= 1.1 * exact.cost and thinned.gap <= module.TOLERANCE + 1e-12
