"""Literals: the single conditions on a column that slices are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.examples.results.result import Condition
from seamark.examples.slicing.conditions import is_whole
from seamark.examples.slicing.edges import quantile_edges
from seamark.examples.slicing.labels import range_condition, values_condition
from seamark.tables.column import Column

NUMBER_BINS = 8
MAX_NAMES = 24


@dataclass(frozen=True, eq=False)
class Literals:
    """Each row has one cell; a literal is a set of cells. So the counts of all literals follow from those of cells."""

    column: str
    cells: NDArray[np.int64]  # of each row
    members: NDArray[np.float64]  # [literals, cells], 1 where the cell belongs to the literal
    conditions: tuple[Condition, ...]

    @property
    def cell_count(self) -> int:
        return int(self.members.shape[1])

    def mask(self, literal: int) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = (self.members[literal] > 0)[self.cells]
        return found


def literals_of(column: Column) -> Literals | None:
    """Of a column of the rows that are searched; None if no condition splits them."""
    if column.numbers is None or column.type == "boolean":
        cells, conditions, members = _names(column)
    else:
        cells, conditions, members = _ranges(column)
    if len(conditions) < 2:
        return None
    return Literals(column.name, cells, np.array(members, np.float64), tuple(conditions))


def _names(column: Column) -> tuple[NDArray[np.int64], list[Condition], NDArray[np.float64]]:
    """One literal for each of the most frequent names, and one for missing values."""
    if column.numbers is not None:
        codes = np.where(column.present, np.nan_to_num(column.numbers) != 0, -1).astype(np.int64)
        names: Sequence[str] = ("false", "true")
    else:
        assert column.codes is not None
        codes, names = column.codes.astype(np.int64), column.names
    counts = np.bincount(codes[codes >= 0], minlength=len(names))
    frequent = np.argsort(-counts, kind="stable")[:MAX_NAMES]
    frequent = frequent[counts[frequent] > 0]
    missing, rest = len(frequent), len(frequent) + 1
    cell = np.full(len(names) + 1, rest, np.int64)
    cell[frequent] = np.arange(len(frequent))
    cell[-1] = missing  # the code -1 takes the last
    conditions = [values_condition(column.name, names[at]) for at in frequent.tolist()]
    if not column.present.all():
        conditions.append(values_condition(column.name, ""))
    return cell[codes], conditions, np.eye(len(conditions), rest + 1)


def _ranges(column: Column) -> tuple[NDArray[np.int64], list[Condition], NDArray[np.float64]]:
    """Every range between two of the edges or from one on, and one literal for missing values."""
    assert column.numbers is not None
    whole = is_whole(column.numbers)
    edges = quantile_edges(column.numbers, NUMBER_BINS, is_whole=whole)
    bins = len(edges) + 1
    cells = np.searchsorted(edges, column.numbers, side="right").astype(np.int64)
    cells[~column.present] = bins
    conditions, members = [], []
    bounds = [None, *edges.tolist(), None]
    for first, last in ((i, j) for i in range(bins) for j in range(i, bins) if (i, j) != (0, bins - 1)):
        conditions.append(range_condition(column.name, bounds[first], bounds[last + 1], is_whole=whole))
        members.append([float(first <= cell <= last) for cell in range(bins + 1)])
    if not column.present.all():
        conditions.append(values_condition(column.name, ""))
        members.append([float(cell == bins) for cell in range(bins + 1)])
        if bins == 1:  # a constant; without this, there would be no condition for "not missing"
            conditions.append(range_condition(column.name, _least(column), None, is_whole=whole))
            members.append([1.0, 0.0])
    return cells, conditions, np.array(members).reshape(len(conditions), bins + 1)


def _least(column: Column) -> float:
    assert column.numbers is not None
    return float(np.min(column.numbers[column.present], initial=0.0))
