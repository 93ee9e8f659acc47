"""Planted slices in tables of random shapes: the search knows nothing of how they were made, and names them first."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from seamark.examples.slices.find import SearchOptions, find_worst_slices
from seamark.examples.slices.test_support import named, with_errors
from seamark.examples.slicing.conditions import meets_all
from seamark.tables.column import Column, Table

ROWS = 20_000
Mask = NDArray[np.bool_]
Maker = Callable[[np.random.Generator, str, np.ndarray], Column]


class Planted(NamedTuple):
    columns: set[str]
    rows: Mask


def number(values: Callable[[np.random.Generator, np.ndarray], np.ndarray]) -> Maker:
    return lambda rng, name, base: Column(name, "number", numbers=values(rng, base).astype(np.float64))


def boolean(rng: np.random.Generator, name: str, base: np.ndarray) -> Column:
    return Column(name, "boolean", numbers=(base > 0.7 * rng.normal()).astype(np.float64))


def category(rng: np.random.Generator, name: str, base: np.ndarray) -> Column:
    """From two to thirty names, equally frequent or with a long tail; some values are missing."""
    count = int(rng.integers(2, 30))
    shares = np.arange(1, count + 1) ** rng.choice([0.0, -1.2])
    codes = np.searchsorted(np.cumsum(shares / shares.sum())[:-1], rng.random(len(base)))
    codes[rng.random(len(base)) < rng.choice([0.0, 0.05])] = -1
    return named(name, codes, tuple(f"v{at}" for at in range(count)))


MAKERS: tuple[Maker, ...] = (
    number(lambda rng, base: base * rng.choice([1, 100, 1e-3]) + rng.choice([0, 50])),
    number(lambda _, base: np.exp(base)),
    number(lambda rng, base: rng.random(len(base))),
    number(lambda rng, base: rng.poisson(np.exp(0.5 * base))),
    number(lambda _, base: np.where(base > 0.3, base + 8, base)),
    boolean,
    category,
    category,
)


def random_table(rng: np.random.Generator) -> Table:
    """From 5 to 21 columns; some depend on a hidden cause, so that they are correlated."""
    cause = rng.normal(size=ROWS)
    columns = []
    for at in range(int(rng.integers(5, 22))):
        make = MAKERS[int(rng.integers(len(MAKERS)))]
        column = make(rng, f"c{at}", rng.choice([0, 0, 0.5, 1.0]) * cause + rng.normal(size=ROWS))
        if column.type == "number" and rng.random() < 0.3:
            assert column.numbers is not None
            column.numbers[rng.random(ROWS) < 0.06] = np.nan
        columns.append(column)
    return Table(ROWS, tuple(columns))


def random_condition(rng: np.random.Generator, column: Column) -> Mask:
    if column.type != "number":
        values = column.codes if column.numbers is None else column.numbers
        assert values is not None
        found, counts = np.unique(values, return_counts=True)
        frequent: Mask = values == rng.choice(found[counts >= min(counts.max(), 0.05 * ROWS)])
        return frequent
    assert column.numbers is not None
    first = rng.choice([0.0, rng.uniform(0.1, 0.6)])
    low, high = np.nanquantile(column.numbers, [first, min(1.0, first + rng.uniform(0.2, 0.45))])
    within: Mask = (column.numbers >= low) & (column.numbers < high)
    return within


def plant(rng: np.random.Generator, table: Table, conditions: int) -> Planted:
    """So many conditions that are met by 1.5 % to 30 % of the rows together."""
    while True:
        chosen = rng.choice(len(table.columns), conditions, replace=False).tolist()
        rows = np.logical_and.reduce([random_condition(rng, table.columns[at]) for at in chosen])
        if 0.015 * ROWS <= rows.sum() <= 0.3 * ROWS:
            return Planted({table.columns[at].name for at in chosen}, rows)


def is_first(seed: int, conditions: int) -> bool:
    """Whether the worst slice has the planted columns and mostly planted rows. It never has any other column."""
    rng = np.random.default_rng([seed, conditions])
    table = random_table(rng)
    planted = plant(rng, table, conditions)
    error = rng.uniform(0.03, 0.25)
    scored = with_errors(table, np.where(planted.rows, error + rng.uniform(0.25, 0.45), error), seed)
    found = find_worst_slices(scored, np.arange(ROWS), SearchOptions())
    first = found.slices[0]
    columns = {condition.column for condition in first.conditions}
    assert columns <= planted.columns and len(found.slices) <= 4
    # Limits of ranges are quantiles of the column, so they meet the planted ones only nearly.
    inside = meets_all(table, first.conditions)
    return columns == planted.columns and (inside & planted.rows).sum() >= 0.6 * inside.sum()


@pytest.mark.parametrize("conditions", [1, 2, 3])
def test_a_planted_slice_of_a_random_table_is_first(conditions: int) -> None:
    seeds = 10
    assert sum(is_first(seed, conditions) for seed in range(seeds)) >= 0.9 * seeds
