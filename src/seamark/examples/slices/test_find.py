"""The worst slices: planted ones are found first, and chance gives none."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from seamark.examples.form import ExamplesError, Predictions, ScoredSet
from seamark.examples.results.slices import FoundSlice, WorstSlicesResult
from seamark.examples.slices.find import SearchOptions, find_worst_slices
from seamark.examples.slices.significance import fisher_tail, welch_tail
from seamark.examples.slices.test_support import ERROR, census, named, scored_set, with_errors
from seamark.examples.slicing.conditions import meets_all
from seamark.tables.column import Column, Table

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")


def find(scored: ScoredSet, **options: object) -> WorstSlicesResult:
    return find_worst_slices(scored, np.arange(scored.examples.rows), SearchOptions(**options))  # type: ignore[arg-type]


def labels(found: FoundSlice) -> set[str]:
    return {condition.label for condition in found.conditions}


@pytest.mark.parametrize("seed", range(3))
def test_a_planted_slice_is_first_and_alone(seed: int) -> None:
    table = census(20_000, seed, noise_columns=6)
    planted = (table.by_name["sex"].codes == 1) & (table.by_name["education"].codes == 2)
    found = find(with_errors(table, np.where(planted, 0.35, ERROR), seed))
    assert labels(found.slices[0]) == {"sex = Female", "education = Bachelors"} and len(found.slices) == 1
    assert found.slices[0].rows == planted.sum() and found.slices[0].ratio == pytest.approx(0.35 / 0.12, rel=0.15)


def test_a_range_of_numbers_and_three_conditions_are_found() -> None:
    table = census(30_000, 1)
    age = table.by_name["age"].numbers
    assert age is not None
    planted = (table.by_name["sex"].codes == 1) & (table.by_name["occupation"].codes == 4) & (age >= 45)
    found = find(with_errors(table, np.where(planted, 0.5, ERROR)))
    assert {"sex = Female", "occupation = Farming"} < labels(found.slices[0]) and len(found.slices) == 1
    assert {condition.column for condition in found.slices[0].conditions} == {"age", "sex", "occupation"}


def test_two_planted_slices_are_both_found_the_worse_one_first() -> None:
    table = census(30_000, 2)
    farming, missing = table.by_name["occupation"].codes == 4, ~table.by_name["hours"].present
    found = find(with_errors(table, np.where(missing, 0.6, np.where(farming, 0.25, ERROR))))
    assert [labels(one) for one in found.slices] == [{"hours is missing"}, {"occupation = Farming"}]


def test_every_reported_number_follows_from_its_conditions() -> None:
    table = census(20_000, 3)
    married = table.by_name["married"].numbers == 1
    scored = with_errors(table, np.where(married, 0.3, ERROR))
    found = find(scored)
    errors = scored.errors()
    assert found.overall == errors.mean() and found.tried > 1000
    for one in found.slices:
        inside = meets_all(scored.examples.table, one.conditions)
        assert one.rows == inside.sum() and one.error == errors[inside].mean() and one.p_value <= found.max_p


def test_chance_alone_gives_no_slices() -> None:
    """At most 1 % of the sets may have one, so that more than 2 of 20 have one once in a thousand times at most."""
    table = census(2000, 4, noise_columns=4)
    hits = sum(bool(find(with_errors(table, np.full(2000, ERROR), seed)).slices) for seed in range(20))
    assert hits <= 2


def test_chance_alone_gives_no_slices_of_a_regression() -> None:
    table = census(3000, 5)
    hits = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        hits += bool(find(regression(table, rng.normal(size=3000))).slices)
    assert hits <= 2


def regression(table: Table, errors: np.ndarray) -> ScoredSet:
    truth = np.linspace(0, 10, table.rows)
    return scored_set(table, Column("price", "number", numbers=truth), Predictions("regression", truth + errors))


def test_a_planted_slice_of_a_regression() -> None:
    table = census(10_000, 6)
    exec_ = table.by_name["occupation"].codes == 1
    found = find(regression(table, np.random.default_rng(0).normal(size=10_000) * np.where(exec_, 2.5, 1)))
    assert found.metric == "mean absolute error" and [labels(one) for one in found.slices] == [{"occupation = Exec"}]


def test_the_same_data_give_the_same_result() -> None:
    scored = with_errors(census(5000, 7), np.linspace(0.02, 0.4, 5000))
    first, second = find(scored), find(scored)
    assert first.slices == second.slices and first.tried == second.tried


def test_thresholds_of_rows_decide_what_is_wrong() -> None:
    table = census(4000, 8)
    scored = with_errors(table, np.full(4000, ERROR))
    thresholds = np.where(table.by_name["sex"].codes == 1, 0.9, 0.5)  # nobody is positive at 0.9
    found = find_worst_slices(scored, np.arange(4000), SearchOptions(max_conditions=1), threshold=thresholds)
    assert labels(found.slices[0]) == {"sex = Female"}


@pytest.mark.parametrize("rows", [0, 1, 2, 60])
def test_few_rows_and_constant_or_infinite_columns(rows: int) -> None:
    table = Table(
        rows,
        (
            Column("constant", "number", numbers=np.ones(rows)),
            Column("missing", "number", numbers=np.full(rows, math.nan)),
            Column("infinite", "number", numbers=np.where(np.arange(rows) % 2, math.inf, -math.inf)),
            named("names", np.arange(rows) % 1000, tuple(map(str, range(1000)))),
            named("nothing", np.full(rows, -1), ()),
        ),
    )
    assert find(with_errors(table, np.full(rows, 0.5))).slices == ()
    assert find(with_errors(table, np.zeros(rows))).overall == (0 if rows else None)
    assert find(regression(table, np.full(rows, math.inf))).overall is None


def test_what_cannot_be_searched_is_an_error() -> None:
    table = census(10)
    truth = Column("rank", "number", numbers=np.arange(10.0))
    with pytest.raises(ExamplesError, match="ranking"):
        find(scored_set(table, truth, Predictions("ranking", np.arange(10.0))))
    with pytest.raises(ExamplesError, match="no column 'x'"):
        find(with_errors(table, np.zeros(10)), columns=["x"])


@pytest.mark.parametrize("case", [(9, 50, 30, 1000), (50, 50, 60, 5000), (300, 900, 2000, 20_000), (1, 2, 3, 100)])
def test_fishers_test_matches_scipy(case: tuple[int, int, int, int]) -> None:
    errors, rows, all_errors, all_rows = case
    expected = stats.hypergeom.sf(errors - 1, all_rows, all_errors, rows)
    assert fisher_tail(errors, rows, all_errors, all_rows) == pytest.approx(expected, rel=1e-7)


def test_welchs_test_matches_scipy() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.3, 2, 60), rng.normal(0, 1, 500)
    assert welch_tail(a, b) == pytest.approx(stats.ttest_ind(a, b, equal_var=False, alternative="greater").pvalue)


def test_a_planted_slice_of_a_hundred_thousand_rows_and_fifty_columns() -> None:
    table = census(100_000, 0, noise_columns=43)
    scored = with_errors(table, np.where(table.by_name["occupation"].codes == 4, 0.25, ERROR))
    assert labels(find(scored).slices[0]) == {"occupation = Farming"}
