"""Trials: the run that stands for one, means over seeds, conditions and order."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seamark.compare import RunTable
from seamark.compare.columns.column import column_of
from seamark.compare.test_support import log_run, table_of, write_record
from seamark.compare.trials.conditions import Condition, matching
from seamark.compare.trials.parts import part_names, stand_ins
from seamark.compare.trials.trials import TrialOptions, TrialRequest, TrialSelection, select_trials

LOSS = "metric:loss:last"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RunTable]:
    """Two settings with two seeds each, and a run without hyperparameters."""
    log_run(tmp_path / "a", {"lr": 0.1, "seed": 0.0, "opt": "sgd"}, began=1.0, loss=[1.0])
    log_run(tmp_path / "b", {"lr": 0.1, "seed": 1.0, "opt": "adam"}, began=2.0, loss=[2.0])
    log_run(tmp_path / "c", {"lr": 0.2, "seed": 0.0, "opt": "sgd"}, began=3.0, loss=[4.0])
    log_run(tmp_path / "d", {"lr": 0.2, "seed": 1.0, "opt": "sgd"}, began=4.0, loss=[math.nan])
    log_run(tmp_path / "e", {}, began=5.0, loss=[7.0])
    write_record(tmp_path / "d", status="crashed", config={"lr": 0.2, "seed": 1.0, "opt": "sgd"})
    with table_of(tmp_path) as table:
        yield table


def select(table: RunTable, *, query: str = "", sort: tuple[str, ...] = (), **options: Any) -> TrialSelection:
    return select_trials(table, TrialRequest(query, sort=sort, options=TrialOptions(**options)))


def runs(found: TrialSelection) -> list[list[str]]:
    return found.trials.runs_of(found.order)


def cells(found: TrialSelection, column_id: str) -> list[Any]:
    (column,) = found.trials.columns_at([column_id], found.order)
    return column.cells(np.arange(len(column.values)))


def test_runs_that_differ_in_their_seed_are_one_trial_with_a_mean_and_a_deviation(table: RunTable) -> None:
    found = select(table, group_by=["param:lr"])
    assert runs(found) == [["a", "b"], ["c", "d"], ["e"]]
    assert cells(found, LOSS) == [1.5, 4.0, 7.0]
    assert cells(found, f"left_out:{LOSS}") == [0, 1, 0]
    assert cells(found, f"std:{LOSS}") == [pytest.approx(math.sqrt(0.5)), None, None]
    assert cells(found, "param:lr") == [0.1, 0.2, None]
    # What the runs of a trial do not agree in is blank.
    assert cells(found, "param:opt") == [None, "sgd", None] and cells(found, "std:param:opt") == [None] * 3
    assert cells(select(table, group_by=[]), LOSS) == [3.5]
    assert runs(select(table, query="lr > 9", group_by=["param:lr"])) == []


def test_a_trial_of_which_no_seed_has_a_number_is_nan_and_one_without_any_value_is_blank(tmp_path: Path) -> None:
    log_run(tmp_path / "a", {"lr": 1.0}, began=1.0, x=[math.nan])
    log_run(tmp_path / "b", {"lr": 1.0}, began=2.0, x=[math.inf])
    log_run(tmp_path / "c", {"lr": 2.0}, began=3.0)
    with table_of(tmp_path) as table:
        nan, blank = cells(select(table, group_by=["param:lr"]), "metric:x:last")
        assert math.isnan(nan) and blank is None


def test_filters_and_order_see_the_means(table: RunTable) -> None:
    assert runs(select(table, group_by=["param:lr"], where={LOSS: [(1.2, 4.0)]})) == [["a", "b"], ["c", "d"]]
    assert runs(select(table, where={LOSS: [(1.2, 4.0)]})) == [["b"], ["c"]]
    assert runs(select(table, where={LOSS: [(1.2, 4.0), "NaN"], "param:opt": ["sgd"]})) == [["c"], ["d"]]
    assert runs(select(table, group_by=["param:lr"], sort=(f"-{LOSS}",))) == [["e"], ["c", "d"], ["a", "b"]]
    assert runs(select(table, query="lr > 0", sort=("-param:seed", "param:lr"))) == [["b"], ["d"], ["a"], ["c"]]


def test_trials_without_a_result_come_last(table: RunTable) -> None:
    assert runs(select(table, sort=("-run:name",)))[0] == ["e"]
    assert [one for (one,) in runs(select(table, sort=("-run:name",), results_first=True))] == ["e", "c", "b", "a", "d"]
    assert runs(select(table, group_by=["param:seed"], results_first=True)) == [["a", "c"], ["b", "d"], ["e"]]


@pytest.mark.parametrize(
    ("given", "conditions", "expected"),
    [
        ([1.0, 2.0, None, math.nan, math.inf], [(1.5, 2.0)], [1]),
        ([1.0, 2.0, None, math.nan, math.inf], [None, (0.0, 1.0)], [0, 2]),
        ([1.0, 2.0, None, math.nan, math.inf], ["NaN"], [3, 4]),
        (["sgd", "adam", None, ""], ["adam", ""], [1, 3]),
        (["sgd", "adam", None, ""], [None, (0.0, 9.0)], [2]),
        ([True, False, None], ["true"], [0]),
        # As JavaScript or Python spells it.
        (["auto", 1e-7, 1.0, True, "1"], ["1e-7", "1"], [1, 2, 4]),
    ],
)
def test_conditions(given: list[Any], conditions: list[Condition], expected: list[int]) -> None:
    assert np.flatnonzero(matching(column_of("param:x", given), conditions)).tolist() == expected


HEIRS = {"fit0/train": "fit0", "fit0/validation": "fit0", "fit1/train": "fit1"}
RUNS = ["fit0", "fit0/train", "fit0/validation", "fit1", "fit1/train", "alone"]


def test_one_part_stands_for_a_trial_and_another_where_it_has_none() -> None:
    def standing(names: list[str], part: str) -> list[str]:
        kept = stand_ins(names, HEIRS, part)  # type: ignore[arg-type]
        return [name for name, stands in zip(names, kept, strict=True) if stands]

    assert part_names(HEIRS) == ["validation", "train"]  # type: ignore[arg-type]
    assert standing(RUNS, "validation") == ["fit0/validation", "fit1/train", "alone"]
    assert standing(RUNS, "train") == ["fit0/train", "fit1/train", "alone"]
    # A trial whose parts were filtered out stands for itself.
    assert standing(["fit0", "alone"], "train") == ["fit0", "alone"]
