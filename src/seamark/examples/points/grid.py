"""The values of a feature at which partial dependence is computed."""

from __future__ import annotations

import numpy as np

from seamark.examples.form import ExamplesError, Value
from seamark.tables.column import Column, Numbers, Rows


def grid_of(column: Column, own: Value, count: int, rows: Rows | None = None) -> list[Value]:
    """Quantiles of a number, the most frequent names of a category; with the point's own value, so that the curve
    passes through the point.

    Each value occurs in some row: models have not seen others.
    """
    if column.type == "boolean":
        return [False, True]
    if column.type == "number":
        return _numbers(column, own, count, rows)
    if column.type == "category":
        names: list[Value] = list(column.names[:count])
        return names if own is None or own in names else [*names[: count - 1], own]
    raise ExamplesError(f"a {column.type} has no grid of values, want a number, category or boolean: '{column.name}'")


def _numbers(column: Column, own: Value, count: int, rows: Rows | None) -> list[Value]:
    assert column.numbers is not None
    chosen = column.numbers if rows is None else column.numbers[rows]
    finite = chosen[np.isfinite(chosen)]
    if not finite.size:
        raise ExamplesError(f"the feature has no finite value in these rows: '{column.name}'")
    distinct = np.unique(finite)
    if distinct.size > count:
        distinct = _quantiles(finite, distinct, count)
    if own is not None and np.isfinite(float(own)):
        distinct = np.union1d(distinct, [float(own)])
    return [float(value) for value in distinct]


def _quantiles(finite: Numbers, distinct: Numbers, count: int) -> Numbers:
    """Values that occur. Equal quantiles count once."""
    shares = np.linspace(0, 1, count)
    quantiles = np.unique(np.quantile(finite, shares, method="inverted_cdf"))
    if quantiles.size >= count / 2:
        return quantiles
    # A feature such as a gain that is mostly zero has few quantiles: the others are those of its distinct values.
    rest = np.setdiff1d(np.quantile(distinct, shares, method="inverted_cdf"), quantiles)
    chosen = rest[np.linspace(0, rest.size - 1, min(rest.size, count - quantiles.size)).astype(np.int64)]
    return np.union1d(quantiles, chosen)
