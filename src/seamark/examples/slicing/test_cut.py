"""Slices by one or two columns, and conditions on rows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamark.examples.form import ExamplesError
from seamark.examples.results.result import Condition
from seamark.examples.slicing.conditions import meets_all
from seamark.examples.slicing.cut import MAX_NAMES, MAX_SLICES, NO_SLICE, Cut, cut
from seamark.tables.build import column_of_names
from seamark.tables.column import Column, Table


def numbers(*values: float, name: str = "x", type: str = "number") -> Column:
    return Column(name, type, numbers=np.array(values, np.float64))  # type: ignore[arg-type]


def table(*columns: Column) -> Table:
    return Table(len(columns[0]), columns)


def cut_all(source: Table, *by: str, bins: int = 4, max_slices: int = MAX_SLICES) -> Cut:
    return cut(source, np.arange(source.rows), by, bins=bins, max_slices=max_slices)


def names(found: Cut) -> list[str]:
    return [piece.name for piece in found.slices]


def test_names_in_the_order_of_their_frequency_with_missing_last() -> None:
    found = cut_all(table(column_of_names("sex", ["f", "m", "m", None, "m", "f"], "category")), "sex")
    assert names(found) == ["m", "f", "missing"]
    assert found.codes.tolist() == [1, 0, 0, 2, 0, 1] and found.sizes == [3, 2, 1]
    assert [piece.conditions[0].label for piece in found.slices] == ["sex = m", "sex = f", "sex is missing"]


def test_a_name_called_missing_stays_apart_from_missing_values() -> None:
    found = cut_all(table(column_of_names("sex", ["missing", "missing", None], "category")), "sex")
    assert names(found) == ["missing", "(missing)"]


def test_whole_numbers_have_inclusive_labels() -> None:
    found = cut_all(table(numbers(*range(20, 60), name="age")), "age")
    assert names(found) == ["under 30", "30 to 39", "40 to 49", "50 or more"] and found.sizes == [10] * 4
    assert [piece.conditions[0].label for piece in found.slices] == [
        "age < 30",
        "age 30 to 39",
        "age 40 to 49",
        "age ≥ 50",
    ]


def test_numbers_have_short_edges_and_bins_of_about_equal_size() -> None:
    values = np.random.default_rng(0).lognormal(3, 2, 10_000)
    found = cut_all(table(Column("x", "number", numbers=values)), "x", bins=10)
    assert max(len(name) for name in names(found)) <= len("0.25 to 0.55")
    assert all(800 < size < 1200 for size in found.sizes)


def test_few_values_are_slices_of_their_own() -> None:
    found = cut_all(table(numbers(3, 1, 2.5, 1, math.nan)), "x")
    assert names(found) == ["1", "2.5", "3", "missing"]
    assert names(cut_all(table(numbers(1, 0, 1, math.nan, type="boolean")), "x")) == ["false", "true", "missing"]


def test_infinite_numbers_are_in_the_outer_bins() -> None:
    found = cut_all(table(numbers(-math.inf, *range(8), math.inf)), "x")
    assert found.codes[0] == 0 and found.codes[-1] == len(found.slices) - 1 == 3


def test_two_columns_have_the_pairs_that_occur() -> None:
    source = table(
        column_of_names("a", ["x", "x", "y", "y"], "category"), numbers(0, 1, 1, 1, name="b", type="boolean")
    )
    found = cut_all(source, "a", "b")
    assert names(found) == ["x, false", "x, true", "y, true"] and found.codes.tolist() == [0, 1, 2, 2]


def test_the_rest_beyond_the_limit_is_counted() -> None:
    column = column_of_names("a", [f"name {i % 1000 if i < 1500 else 0}" for i in range(2000)], "category")
    found = cut_all(table(column), "a", max_slices=5)
    assert names(found)[0] == "name 0" and len(found.slices) == 5 and found.left_out == 995
    assert (found.codes == NO_SLICE).sum() == 2000 - sum(found.sizes)
    texts = column_of_names("a", [f"text {i}" for i in range(2 * MAX_NAMES)], "text")
    assert (
        cut_all(table(texts, numbers(*([0, 1] * MAX_NAMES), name="b")), "a", "b").left_out == 2 * MAX_NAMES - MAX_SLICES
    )


@pytest.mark.parametrize("rows", [0, 1])
def test_few_rows(rows: int) -> None:
    source = table(numbers(*[1.0] * rows), column_of_names("a", ["x"] * rows, "category"))
    for by in ([], ["x"], ["a"], ["x", "a"]):
        found = cut(source, np.arange(rows), by, bins=4)
        assert len(found.codes) == rows and len(found.slices) == (rows if by else 0)


def test_an_unknown_column_or_value_is_an_error() -> None:
    source = table(numbers(1, 2), column_of_names("a", ["x", "y"], "category"))
    with pytest.raises(ExamplesError, match="no column 'z'"):
        cut_all(source, "z")
    with pytest.raises(ExamplesError, match="got 'old', want a number"):
        meets_all(source, [Condition("x", ("old",))])
    with pytest.raises(ExamplesError, match="a range needs numbers"):
        meets_all(source, [Condition("a", at_least=3)])


values = st.one_of(st.floats(-50, 50), st.integers(-3, 3).map(float), st.sampled_from([math.nan, math.inf, -math.inf]))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(values, st.sampled_from(["a", "b", None])), min_size=1, max_size=60), st.integers(2, 6))
def test_the_conditions_of_a_slice_select_its_rows(rows: list[tuple[float, str | None]], bins: int) -> None:
    source = table(numbers(*(row[0] for row in rows)), column_of_names("a", [row[1] for row in rows], "category"))
    for by in (["x"], ["a"], ["x", "a"]):
        found = cut_all(source, *by, bins=bins)
        assert found.left_out == 0 and (found.codes >= 0).all() and min(found.sizes) > 0
        for code, piece in enumerate(found.slices):
            assert meets_all(source, piece.conditions).tolist() == (found.codes == code).tolist(), piece
