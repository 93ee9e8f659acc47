"""Which rows meet conditions."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from seamark.examples.form import ExamplesError
from seamark.examples.results.result import Condition
from seamark.tables.column import Column, Numbers, Table

Mask = NDArray[np.bool_]
BOOLEANS = {"true": 1.0, "false": 0.0}


def meets_all(table: Table, conditions: Sequence[Condition]) -> Mask:
    mask = np.ones(table.rows, np.bool_)
    for condition in conditions:
        mask &= meets(column_named(table, condition.column), condition)
    return mask


def meets(column: Column, condition: Condition) -> Mask:
    """A range never holds for a missing value; the value "" does."""
    if column.numbers is None:
        return _has_name(column, condition)
    if condition.values:
        return _has_number(column, condition.values)
    mask = column.present.copy()
    if condition.at_least is not None:
        mask &= column.numbers >= condition.at_least
    if condition.below is not None:
        mask &= column.numbers < condition.below
    return mask


def column_named(table: Table, name: str) -> Column:
    column = table.by_name.get(name)
    if column is None:
        raise ExamplesError(f"the set has no column '{name}'")
    return column


def _has_name(column: Column, condition: Condition) -> Mask:
    assert column.codes is not None
    if not condition.values:
        if condition.at_least is None and condition.below is None:
            return column.present.copy()
        raise ExamplesError(f"a range needs numbers, and the column has names: '{column.name}'")
    wanted = set(condition.values)
    # A missing value has the code -1, which takes the last.
    chosen = np.array([*(name in wanted for name in column.names), "" in wanted], np.bool_)
    found: Mask = chosen[column.codes]
    return found


def _has_number(column: Column, values: Sequence[str]) -> Mask:
    assert column.numbers is not None
    wanted = np.array([_number(column, value) for value in values if value], np.float64)
    mask = np.isin(column.numbers, wanted)
    return mask | ~column.present if "" in values else mask


def _number(column: Column, value: str) -> float:
    if column.type == "boolean" and value.lower() in BOOLEANS:
        return BOOLEANS[value.lower()]
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if math.isnan(number):
        want = "true or false" if column.type == "boolean" else "a number"
        raise ExamplesError(f"unknown value of the column '{column.name}': got '{value}', want {want}")
    return number


def is_whole(numbers: Numbers) -> bool:
    """Whether all finite numbers are whole."""
    finite = numbers[np.isfinite(numbers)]
    return bool(finite.size) and bool((finite == np.floor(finite)).all())
