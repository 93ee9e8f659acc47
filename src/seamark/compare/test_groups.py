"""Seeds of a few settings, grouped."""

from __future__ import annotations

import math

import numpy as np
import pytest

from seamark.compare.groups import GroupError, grouped
from seamark.compare.statistics import against, summary

RUNS = ["a0", "a1", "b0", "b1", "c0"]
LR = [0.1, 0.1, 0.2, 0.2, None]
LOSS = np.array([1.0, 2.0, 3.0, 5.0, 9.0])


def test_runs_with_equal_values_make_a_group_and_blanks_come_last() -> None:
    told = grouped(RUNS, [LR], {"loss": LOSS}, goals={"loss": "min"})
    assert [(group.key, group.runs) for group in told.groups] == [
        ((0.1,), ["a0", "a1"]), ((0.2,), ["b0", "b1"]), ((None,), ["c0"]),
    ]  # fmt: skip
    first = told.groups[0].metrics["loss"]
    assert first.summary == summary(LOSS[:2]) and first.against is None
    assert first.best is not None and first.best.run == "a0" and first.best.value == 1.0
    assert first.worst is not None and first.worst.run == "a1"
    assert told.problems == []


def test_every_other_group_is_held_against_the_baseline() -> None:
    told = grouped(RUNS, [LR], {"loss": LOSS}, goals={"loss": "max"}, baseline=[0.1])
    base, other, _ = (group.metrics["loss"] for group in told.groups)
    assert base.against is None and other.against == against(LOSS[2:4], LOSS[:2])
    assert other.best is not None and other.best.run == "b1"


def test_a_baseline_that_is_not_there_is_an_error() -> None:
    with pytest.raises(GroupError, match=r"0\.3"):
        grouped(RUNS, [LR], {"loss": LOSS}, goals={"loss": "min"}, baseline=[0.3])


def test_one_and_one_point_zero_are_one_group_but_true_is_another() -> None:
    told = grouped(list("abcdefg"), [[1, 1.0, True, "1", math.nan, math.nan, None]], {}, goals={})
    assert [group.runs for group in told.groups] == [["a", "b"], ["c"], ["d"], ["e", "f"], ["g"]]


def test_several_columns_and_none() -> None:
    both = grouped(RUNS, [LR, [0, 0, 0, 1, 1]], {}, goals={})
    assert [group.key for group in both.groups] == [(0.1, 0), (0.2, 0), (0.2, 1), (None, 1)]
    assert [group.runs for group in grouped(RUNS, [], {}, goals={}).groups] == [RUNS]
    assert grouped([], [[]], {}, goals={}).groups == []


def test_runs_that_ended_in_nan_are_named_and_those_without_the_metric_are_not() -> None:
    values = np.array([1.0, math.nan, math.inf, 4.0, math.nan])
    absent = np.array([False, False, False, False, True])
    told = grouped(RUNS, [LR], {"loss": values}, goals={"loss": "min"}, absent={"loss": absent})
    assert told.problems == ["2 runs with NaN or infinity left out of the statistics of 'loss'"]
    assert [group.metrics["loss"].summary.n for group in told.groups] == [1, 1, 0]
    assert told.groups[2].metrics["loss"].best is None


def test_tags_that_are_lists_group_too() -> None:
    told = grouped(["a", "b", "c"], [[["x", "y"], ["x", "y"], ["x"]]], {}, goals={})
    assert sorted(len(group.runs) for group in told.groups) == [1, 2]
