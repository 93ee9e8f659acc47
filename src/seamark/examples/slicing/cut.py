"""Cuts rows into slices by the values of one or two columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from seamark.examples.results.result import Condition
from seamark.examples.slicing.conditions import column_named, is_whole
from seamark.examples.slicing.edges import quantile_edges
from seamark.examples.slicing.labels import MISSING_NAME, number_text, range_condition, range_name, values_condition
from seamark.tables.column import Codes, Column, Numbers, Rows, Table

MAX_SLICES = 24
# Of a column with more names, such as a text, the rest is in no slice; so two columns have at most a million pairs.
MAX_NAMES = 999
NO_SLICE = -1


@dataclass(frozen=True)
class Slice:
    name: str  # "Female", "25 to 64"; of two columns "Female, 25 to 64"
    conditions: tuple[Condition, ...]


ALL = Slice("All", ())


@dataclass(frozen=True, eq=False)
class Cut:
    """`codes`: the position in `slices` of each of the rows that were cut; NO_SLICE for one that is in none."""

    slices: tuple[Slice, ...]
    codes: Codes
    left_out: int = 0  # slices beyond the limit

    @property
    def sizes(self) -> list[int]:
        counts: list[int] = np.bincount(self.codes[self.codes >= 0], minlength=len(self.slices)).tolist()
        return counts


def cut(table: Table, rows: Rows, by: Sequence[str], *, bins: int, max_slices: int = MAX_SLICES) -> Cut:
    """Slices of `rows` without empty ones: numbers in `bins` of about equal size, the most frequent names, missing.

    No columns: there are no slices.
    """
    columns = [column_named(table, name).take(rows) for name in dict.fromkeys(by)]
    if not columns:
        return Cut((), np.full(len(rows), NO_SLICE, np.int32))
    found = _cut_column(columns[0], bins)
    for column in columns[1:]:
        found = _cross(found, _cut_column(column, bins))
    return _most_frequent(found, max_slices)


def _cut_column(column: Column, bins: int) -> Cut:
    if column.numbers is None:
        return _by_name(column)
    return _by_value(column) if column.type == "boolean" or _few_values(column.numbers, bins) else _by_bin(column, bins)


def _by_name(column: Column) -> Cut:
    assert column.codes is not None
    counts = np.bincount(column.codes[column.codes >= 0], minlength=len(column.names))
    frequent = np.sort(np.argsort(-counts, kind="stable")[:MAX_NAMES])
    position = np.full(len(column.names) + 1, NO_SLICE, np.int32)  # MISSING takes the last
    position[frequent] = np.arange(len(frequent))
    names = [column.names[at] for at in frequent.tolist()]
    slices = [Slice(name, (values_condition(column.name, name),)) for name in names]
    left_out = int((counts > 0).sum() - (counts[frequent] > 0).sum())
    return _with_missing(column, slices, position[column.codes], left_out)


def _by_value(column: Column) -> Cut:
    assert column.numbers is not None
    values, codes = np.unique(column.numbers, return_inverse=True)  # NaN is the last
    present = values[~np.isnan(values)].tolist()
    names = [_value_text(column, value) for value in present]
    slices = [Slice(name, (values_condition(column.name, name),)) for name in names]
    return _with_missing(column, slices, np.where(codes < len(present), codes, NO_SLICE).astype(np.int32))


def _by_bin(column: Column, bins: int) -> Cut:
    assert column.numbers is not None
    whole = is_whole(column.numbers)
    edges = quantile_edges(column.numbers, bins, is_whole=whole)
    bounds = [None, *edges.tolist(), None]
    slices = [
        Slice(range_name(low, high, is_whole=whole), (range_condition(column.name, low, high, is_whole=whole),))
        for low, high in pairwise(bounds)
    ]
    codes = np.searchsorted(edges, column.numbers, side="right").astype(np.int32)
    codes[~column.present] = NO_SLICE
    return _with_missing(column, slices, codes)


def _with_missing(column: Column, slices: list[Slice], codes: Codes, left_out: int = 0) -> Cut:
    """Adds the slice of missing values, if there are any."""
    if column.present.all():
        return Cut(tuple(slices), codes, left_out)
    taken = {piece.name for piece in slices}
    name = MISSING_NAME if MISSING_NAME not in taken else f"({MISSING_NAME})"
    missing = Slice(name, (values_condition(column.name, ""),))
    return Cut((*slices, missing), np.where(column.present, codes, len(slices)).astype(np.int32), left_out)


def _cross(first: Cut, second: Cut) -> Cut:
    """The combinations that occur, in the order of the first and then of the second."""
    width = len(second.slices)
    is_in_both = (first.codes >= 0) & (second.codes >= 0)
    both = np.where(is_in_both, first.codes * width + second.codes, NO_SLICE)
    present = np.flatnonzero(np.bincount(both[is_in_both], minlength=1))
    position = np.full(len(first.slices) * width + 1, NO_SLICE, np.int32)
    position[present] = np.arange(len(present))
    pairs = [(first.slices[at // width], second.slices[at % width]) for at in present.tolist()] if width else []
    slices = tuple(Slice(f"{a.name}, {b.name}", (*a.conditions, *b.conditions)) for a, b in pairs)
    return Cut(slices, position[both], first.left_out + second.left_out)


def _most_frequent(found: Cut, max_slices: int) -> Cut:
    sizes = np.array(found.sizes, np.int64)
    occurring = np.flatnonzero(sizes)
    largest = occurring[np.argsort(-sizes[occurring], kind="stable")[:max_slices]]
    kept = np.sort(largest)
    position = np.full(len(found.slices) + 1, NO_SLICE, np.int32)  # NO_SLICE takes the last
    position[kept] = np.arange(len(kept))
    left_out = found.left_out + len(occurring) - len(kept)
    return Cut(tuple(found.slices[at] for at in kept.tolist()), position[found.codes], left_out)


def _few_values(numbers: Numbers, bins: int) -> bool:
    """Whether there are not more values than bins; looks at few rows first, because most columns have many."""
    return all(len(np.unique(part[~np.isnan(part)])) <= bins for part in (numbers[: 20 * bins], numbers))


def _value_text(column: Column, value: float) -> str:
    if column.type == "boolean":
        return "true" if value else "false"
    return number_text(value) if np.isfinite(value) else str(value)
