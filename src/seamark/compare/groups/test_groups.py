"""Grouping runs by column values."""

from __future__ import annotations

import math

import numpy as np
import pytest

from seamark.compare.groups.groups import GroupError, grouped
from seamark.compare.groups.statistics import compare_to_baseline, summary

RUNS = ["a0", "a1", "b0", "b1", "c0"]
LR = [0.1, 0.1, 0.2, 0.2, None]
LOSS = np.array([1.0, 2.0, 3.0, 5.0, 9.0])


def test_runs_with_equal_values_make_a_group_and_blanks_come_last() -> None:
    result = grouped(RUNS, [LR], {"loss": LOSS}, goals={"loss": "min"})
    assert [(group.key, group.runs) for group in result.groups] == [
        ((0.1,), ["a0", "a1"]), ((0.2,), ["b0", "b1"]), ((None,), ["c0"]),
    ]  # fmt: skip
    first = result.groups[0].metrics["loss"]
    assert first.summary == summary(LOSS[:2]) and first.against is None
    assert first.best is not None and first.best.run == "a0" and first.best.value == 1.0
    assert first.worst is not None and first.worst.run == "a1"
    assert result.problems == []


def test_every_other_group_is_compared_to_the_baseline() -> None:
    result = grouped(RUNS, [LR], {"loss": LOSS}, goals={"loss": "max"}, baseline=[0.1])
    base, other, _ = (group.metrics["loss"] for group in result.groups)
    assert base.against is None and other.against == compare_to_baseline(LOSS[2:4], LOSS[:2])
    assert other.best is not None and other.best.run == "b1"


def test_an_unknown_baseline_raises() -> None:
    with pytest.raises(GroupError, match=r"0\.3"):
        grouped(RUNS, [LR], {"loss": LOSS}, goals={"loss": "min"}, baseline=[0.3])


def test_equal_numbers_share_a_group_and_booleans_do_not() -> None:
    result = grouped(list("abcdefg"), [[1, 1.0, True, "1", math.nan, math.nan, None]], {}, goals={})
    assert [group.runs for group in result.groups] == [["a", "b"], ["c"], ["d"], ["e", "f"], ["g"]]


def test_grouping_by_several_columns_and_by_none() -> None:
    both = grouped(RUNS, [LR, [0, 0, 0, 1, 1]], {}, goals={})
    assert [group.key for group in both.groups] == [(0.1, 0), (0.2, 0), (0.2, 1), (None, 1)]
    assert [group.runs for group in grouped(RUNS, [], {}, goals={}).groups] == [RUNS]
    assert grouped([], [[]], {}, goals={}).groups == []


def test_non_finite_runs_are_reported_and_runs_without_the_metric_are_not() -> None:
    values = np.array([1.0, math.nan, math.inf, 4.0, math.nan])
    absent = np.array([False, False, False, False, True])
    result = grouped(RUNS, [LR], {"loss": values}, goals={"loss": "min"}, absent={"loss": absent})
    assert result.problems == ["2 runs with NaN or infinity left out of the statistics of 'loss'"]
    assert [group.metrics["loss"].summary.n for group in result.groups] == [1, 1, 0]
    assert result.groups[2].metrics["loss"].best is None


def test_grouping_by_a_column_of_lists() -> None:
    result = grouped(["a", "b", "c"], [[["x", "y"], ["x", "y"], ["x"]]], {}, goals={})
    assert sorted(len(group.runs) for group in result.groups) == [1, 2]
