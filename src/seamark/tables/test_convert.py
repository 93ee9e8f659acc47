"""Columns as another type."""

from __future__ import annotations

import numpy as np
import pytest

from seamark.tables.build import column_of_texts, number_column
from seamark.tables.column import Column, ColumnType
from seamark.tables.content import content_hash
from seamark.tables.convert import convert_column


def values(column: Column) -> list[object]:
    return [column.value(row) for row in range(len(column))]


@pytest.mark.parametrize(
    ("texts", "type", "want", "problem"),
    [
        (["3", "1", "3", ""], "category", ["3", "1", "3", None], ""),
        (["1.5", "2"], "text", ["1.5", "2"], ""),
        (["true", "false", ""], "category", ["true", "false", None], ""),
        (["true", "false"], "number", [1.0, 0.0], ""),
        (
            ["1", "0", "2"],
            "boolean",
            [True, False, None],
            "1 value is missing now in 'c': got '2.0', want true or false",
        ),
        (
            ["1", "x", "<b>", "x"],
            "number",
            [1.0, None, None, None],
            "3 values are missing now in 'c': got 'x', want a number",
        ),
        (
            ["yes", "b", "1"],
            "boolean",
            [True, None, True],
            "1 value is missing now in 'c': got 'b', want true or false",
        ),
        (["a", "b", "b"], "text", ["a", "b", "b"], ""),
    ],
)
def test_conversions(texts: list[str], type: ColumnType, want: list[object], problem: str) -> None:
    converted, sentence = convert_column(column_of_texts("c", texts), type)
    assert (converted.type, values(converted), sentence) == (type, want, problem)


def test_too_many_values_are_no_category() -> None:
    column = number_column("c", np.arange(20_000))
    converted, sentence = convert_column(column, "category")
    assert converted is column and "stays number: it has 20,000 different values" in sentence


def test_equal_values_have_an_equal_hash() -> None:
    a, b = column_of_texts("c", ["x", "y", "x"]), column_of_texts("c", ["x", "y", "x"])
    other = column_of_texts("c", ["x", "y", "y"])
    assert content_hash([a]) == content_hash([b]) != content_hash([other])
    assert content_hash([a]) != content_hash([a], salt=b"s")
