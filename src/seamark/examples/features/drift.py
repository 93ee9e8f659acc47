"""How far the distributions of a feature in two sets are from each other."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.examples.features.entropy import entropy
from seamark.tables.column import Column, Numbers
from seamark.tail_probabilities import chi_square_tail, kolmogorov_tail

Counts = NDArray[np.int64]
BINS = 20
MIN_EXPECTED = 5  # of a cell, for the chi-square test


class Drift(NamedTuple):
    """`distance`: the Jensen-Shannon distance with the logarithm to base 2: 0 if equal, 1 if disjoint."""

    distance: float | None
    p: float | None


def drift(first: Column, second: Column) -> Drift:
    """Numbers by the test of Kolmogorov and Smirnov, names by chi-square; missing values by chi-square as well."""
    if not len(first) or not len(second):
        return Drift(None, None)
    if first.numbers is not None and second.numbers is not None:
        counts = _number_counts(first.numbers, second.numbers)
        present = first.numbers[first.present], second.numbers[second.present]
        return Drift(js_distance(*counts), _either(ks_p(*present), _missing_p(first, second)))
    if first.codes is None or second.codes is None:
        return Drift(None, None)
    counts = name_counts(first, second)
    return Drift(js_distance(*counts), chi_square_p(*counts))


def js_distance(first: Counts, second: Counts) -> float:
    p, q = first / first.sum(), second / second.sum()
    middle = (p + q) / 2
    return math.sqrt(max(0.0, entropy(middle) - (entropy(p) + entropy(q)) / 2))


def ks_p(first: Numbers, second: Numbers) -> float:
    """The limit of the two-sided test; 1 if a side is empty."""
    if not len(first) or not len(second):
        return 1.0
    ordered = np.sort(first), np.sort(second)
    at = np.concatenate(ordered)
    shares = [np.searchsorted(side, at, side="right") / len(side) for side in ordered]
    distance = float(np.abs(shares[0] - shares[1]).max())
    return kolmogorov_tail(distance * math.sqrt(len(first) * len(second) / (len(first) + len(second))))


def chi_square_p(first: Counts, second: Counts) -> float:
    """Of equal shares. Names that are too rare for the test are one cell."""
    table = np.stack([first, second]).astype(np.float64)
    table = table[:, table.sum(axis=0) > 0]
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    is_rare = expected.min(axis=0) < MIN_EXPECTED
    if is_rare.any():
        table = np.column_stack([table[:, ~is_rare], table[:, is_rare].sum(axis=1)])
        expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    return chi_square_tail(float(((table - expected) ** 2 / expected).sum()), table.shape[1] - 1)


def name_counts(first: Column, second: Column) -> tuple[Counts, Counts]:
    """By name of either side, the last for missing values."""
    names = {name: at for at, name in enumerate(dict.fromkeys((*first.names, *second.names)))}
    return _counts(first, names), _counts(second, names)


def _counts(column: Column, names: dict[str, int]) -> Counts:
    assert column.codes is not None
    position = np.array([*(names[name] for name in column.names), len(names)], np.int64)
    return np.bincount(position[column.codes], minlength=len(names) + 1)


def _number_counts(first: Numbers, second: Numbers) -> tuple[Counts, Counts]:
    """In bins of both sets together, the last for missing values."""
    pooled = np.sort(np.concatenate([first, second]))
    finite = pooled[np.isfinite(pooled)]
    at = (np.arange(1, BINS) * len(finite) / BINS).astype(np.int64)
    edges = np.unique(finite[at]) if len(finite) else finite
    found = []
    for side in (first, second):
        cells = np.where(np.isnan(side), len(edges) + 1, np.searchsorted(edges, side, side="right"))
        found.append(np.bincount(cells, minlength=len(edges) + 2))
    return found[0], found[1]


def _missing_p(first: Column, second: Column) -> float:
    missing = [int((~side.present).sum()) for side in (first, second)]
    if not any(missing):
        return 1.0
    rows = [len(first), len(second)]
    return chi_square_p(*(np.array([m, n - m]) for m, n in zip(missing, rows, strict=True)))


def _either(first: float, second: float) -> float:
    """Of two tests: twice the smaller one, unless the second has nothing to test."""
    return first if second == 1.0 else min(1.0, 2 * min(first, second))
