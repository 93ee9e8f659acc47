"""Columns of metadata from values of any source: numbers, categories or texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import MISSING, Metadata, MetadataColumn
from seamark.embeddings.texts import Texts, pack
from seamark.tables.names import distinct_names

# A column is a category if it has at most so many names, and each is that of two rows on average.
MAX_CATEGORIES = 256
MIN_ROWS_PER_CATEGORY = 2
# Whole numbers are a category, too, if there are few, as in TensorBoard: they are the numbers of classes.
MAX_NUMBER_CATEGORIES = 50
MAX_WHOLE_NUMBER = 1e15


class SourceColumn(NamedTuple):
    """The values of a column as its source has them; "" and None are missing."""

    name: str
    values: Sequence[str | None] | NDArray[np.float64]


class Table(NamedTuple):
    columns: list[SourceColumn]
    rows: int


NO_TABLE = Table([], 0)


def build(tables: Iterable[Table], rows: int) -> tuple[Metadata, list[str]]:
    """The metadata of an embedding with so many points, and sentences about what does not fit."""
    columns: list[MetadataColumn] = []
    problems: list[str] = []
    tables = list(tables)
    names = iter(distinct_names(column.name for table in tables for column in table.columns))
    for table in tables:
        if table.columns and table.rows != rows:
            problems.append(row_problem(table.rows, rows))
        columns += [make_column(next(names), column.values, rows) for column in table.columns]
    return Metadata(rows, tuple(columns)), problems


def row_problem(got: int, points: int) -> str:
    sentence = f"the metadata has {got:,} row{'s' * (got != 1)} for {points:,} points"
    lacking = points - got
    if lacking < 0:
        return f"{sentence}: the last {-lacking:,} are not used"
    return f"{sentence}: the last {lacking:,} {'has' if lacking == 1 else 'have'} no labels"


def make_column(name: str, values: Sequence[str | None] | NDArray[np.float64], rows: int) -> MetadataColumn:
    """A column with as many rows as there are points."""
    if isinstance(values, np.ndarray):
        return number_column(name, resized(values.astype(np.float64), rows, math.nan))
    numbers = parse_numbers(values)
    if numbers is not None:
        return number_column(name, resized(numbers, rows, math.nan))
    return text_column(name, values if isinstance(values, Texts) else pack(values), rows)


def parse_numbers(values: Sequence[str | None]) -> NDArray[np.float64] | None:
    """None if a value is no number, or if all are missing."""
    try:
        numbers = np.fromiter((float(value) if value else math.nan for value in values), np.float64, len(values))
    except ValueError:
        return None
    return numbers if any(values) else None


def number_column(name: str, numbers: NDArray[np.float64]) -> MetadataColumn:
    is_known = ~np.isnan(numbers)
    known = numbers[is_known]
    if not len(known) or not np.all(known == np.floor(known)) or np.abs(known).max() >= MAX_WHOLE_NUMBER:
        return MetadataColumn(name, "number", numbers=numbers)
    values, positions, counts = np.unique(known, return_inverse=True, return_counts=True)
    if len(values) > MAX_NUMBER_CATEGORIES or len(known) < MIN_ROWS_PER_CATEGORY * len(values):
        return MetadataColumn(name, "number", numbers=numbers)
    order = np.argsort(-counts, kind="stable")
    ranks = np.empty(len(values), np.int32)
    ranks[order] = np.arange(len(values))
    codes = np.full(len(numbers), MISSING, np.int32)
    codes[is_known] = ranks[positions]
    return MetadataColumn(name, "category", numbers, codes, [f"{value:.0f}" for value in values[order].tolist()])


def text_column(name: str, values: Texts, rows: int) -> MetadataColumn:
    found, first = distinct(values)
    codes = resized(found, rows, MISSING)
    counts = np.bincount(codes[codes != MISSING], minlength=len(first))
    if len(first) > MAX_CATEGORIES or int(counts.sum()) < MIN_ROWS_PER_CATEGORY * len(first):
        return MetadataColumn(name, "text", codes=codes, names=values.take(first))
    order = np.argsort(-counts, kind="stable")
    positions = np.full(len(first) + 1, MISSING, np.int32)  # the last is that of MISSING
    positions[order] = np.arange(len(first))
    return MetadataColumn(name, "category", codes=positions[codes], names=list(values.take(first[order])))


def distinct(values: Texts) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """A code for each text, in the order of their first places, and these places. An empty text is MISSING.

    Texts are compared by hashes of 64 bits: a dictionary of a million strings takes 200 MB. Two of a million different
    ones are equal with a probability of 3e-8.
    """
    is_filled = np.diff(values.offsets) > 0
    filled = np.flatnonzero(is_filled)
    hashes = np.fromiter(map(hash, values), np.int64, len(values))[filled]
    _, first, inverse = np.unique(hashes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    ranks = np.empty(len(first), np.int32)
    ranks[order] = np.arange(len(first))
    codes = np.full(len(values), MISSING, np.int32)
    codes[filled] = ranks[inverse.reshape(-1)]
    return codes, filled[first[order]]


def resized(values: NDArray, rows: int, missing: float) -> NDArray:  # type: ignore[type-arg]
    if len(values) >= rows:
        return values[:rows]
    return np.concatenate([values, np.full(rows - len(values), missing, values.dtype)])
