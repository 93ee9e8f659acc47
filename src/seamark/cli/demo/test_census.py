"""The generated census: always the same, and worst where its bias was planted."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from seamark.cli.demo.census import BACHELORS_YEARS, Census, Columns, make_census, table_of


@pytest.fixture(scope="module")
def census() -> Census:
    return make_census()


def test_it_is_the_same_every_time(census: Census) -> None:
    again = table_of(make_census())
    for name, values in table_of(census).items():
        np.testing.assert_array_equal(values, again[name])


def test_it_looks_like_a_census(census: Census) -> None:
    table: Columns = table_of(census)
    assert {len(values) for values in table.values()} == {32_000}
    assert 0.15 < census.is_high.mean() < 0.3
    assert table["age"].min() >= 17 and set(table["income"]) == {">50K", "<=50K"}
    assert census.scores.min() > 0 and census.scores.max() < 1


def test_the_model_is_good_except_for_the_planted_group(census: Census) -> None:
    is_wrong = (census.scores >= 0.5) != census.is_high
    assert is_wrong[~census.is_planted].mean() < 0.12
    assert is_wrong[census.is_planted].mean() > 0.35 and census.is_planted.sum() > 2000
    # No slice by one or two other names comes near it.
    names = {
        f"{c}={v}": values == v for c, values in census.columns.items() if values.dtype.kind == "U" for v in set(values)
    }
    is_graduate = census.columns["education_years"] >= BACHELORS_YEARS
    np.testing.assert_array_equal(names["sex=Female"] & is_graduate, census.is_planted)
    for (left, first), (right, second) in combinations(names.items(), 2):
        rows = first & second & ~census.is_planted
        if rows.sum() >= 200:
            assert is_wrong[rows].mean() < 0.35, (left, right)
