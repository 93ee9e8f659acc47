"""The candidates: all single conditions and pairs, and the third conditions of the most promising pairs.

Counts of pairs come from one table for each two columns, so that a range costs no more than a name. Columns, pairs and
third conditions are bounded, and chosen by how far their errors are from chance; so the same data give the same result.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from seamark.examples.slices.literals import Literals
from seamark.tables.column import Numbers

# Rows times pairs of columns that are counted; further columns are only used as single and third conditions.
MAX_PAIR_WORK = 250_000_000
MAX_PARENTS = 120
PARENTS_OF_COLUMNS = 3  # of two columns, so that ranges that hardly differ do not take all places
KEPT_OF_COLUMNS = 3  # candidates of the same columns
# Less cannot be significant after the correction.
MIN_Z = 2.5

Names = tuple[tuple[int, int], ...]  # (column, literal) of each condition
Found = tuple[float, Names]  # with the lower bound of the error


@dataclass
class Search:
    """`values` are the errors of the rows: 1 or 0, or absolute errors."""

    values: Numbers
    columns: Sequence[Literals]
    min_rows: int
    max_conditions: int
    is_binary: bool
    tried: int = 0
    unpaired: int = 0  # columns that were not paired
    candidates: list[Found] = field(default_factory=list)

    def run(self) -> None:
        if not len(self.values) or self.values.min() == self.values.max():
            return
        self._overall = Moments(len(self.values), float(self.values.sum()))
        self._spread = float(self.values.std())
        singles = [self._single(at) for at in range(len(self.columns))]
        if self.max_conditions < 2:
            return
        parents = list(self._pairs(singles))
        if self.max_conditions > 2:
            for _, first, second in heapq.nlargest(MAX_PARENTS, parents):
                self._thirds(first, second)

    def _single(self, at: int) -> LiteralMoments:
        found = self._moments(self.columns[at], slice(None))
        self._keep(found, [self._overall], (at,))
        return found

    def _pairs(self, singles: Sequence[LiteralMoments]) -> Iterator[tuple[float, tuple[int, int], tuple[int, int]]]:
        """Tries all pairs of conditions on two columns. Yields the most promising ones, with how promising they are."""
        for a, b in combinations(self._paired_columns(singles), 2):
            first, second = self.columns[a], self.columns[b]
            cells = first.cells * second.cell_count + second.cells
            shape = (first.cell_count, second.cell_count)
            rows, sums = (
                first.members @ table.reshape(shape) @ second.members.T
                for table in self._tables(cells, shape, slice(None))
            )
            pair = LiteralMoments(rows, sums)
            sides = [singles[a].over(1), singles[b].over(0)]
            z = self._keep(pair, [self._overall, *sides], (a, b))
            for position in _largest(z, PARENTS_OF_COLUMNS):
                if z.flat[position] > 1.0:
                    i, j = divmod(position, len(second.conditions))
                    yield float(z.flat[position]), (a, i), (b, j)

    def _thirds(self, first: tuple[int, int], second: tuple[int, int]) -> None:
        inside = np.flatnonzero(self.columns[first[0]].mask(first[1]) & self.columns[second[0]].mask(second[1]))
        parent = Moments(len(inside), float(self.values[inside].sum()))
        for at, column in enumerate(self.columns):
            if at not in (first[0], second[0]):
                found = self._moments(column, inside)
                self._keep(found, [self._overall, parent], (at,), (first, second))

    def _paired_columns(self, singles: Sequence[LiteralMoments]) -> list[int]:
        """The columns with the strongest single conditions, as many as the work allows."""
        limit = max(2, int((2 * MAX_PAIR_WORK / max(1, len(self.values))) ** 0.5))
        strength = [-float(np.max(self._z(found, self._overall), initial=0.0)) for found in singles]
        chosen = np.argsort(strength, kind="stable")[:limit]
        self.unpaired = len(singles) - len(chosen)
        return sorted(chosen.tolist())

    def _moments(self, column: Literals, rows: NDArray[np.int64] | slice) -> LiteralMoments:
        tables = self._tables(column.cells[rows], (column.cell_count,), rows)
        return LiteralMoments(*(column.members @ table for table in tables))

    def _tables(
        self, cells: NDArray[np.int64], shape: tuple[int, ...], rows: NDArray[np.int64] | slice
    ) -> Iterator[Numbers]:
        """Rows and errors by cell."""
        count = int(np.prod(shape))
        yield np.bincount(cells, minlength=count).astype(np.float64)
        sums: Numbers = np.bincount(cells, weights=self.values[rows], minlength=count).astype(np.float64)
        yield sums

    def _keep(
        self,
        found: LiteralMoments,
        parents: Sequence[Moments | LiteralMoments],
        columns: tuple[int, ...],
        others: Names = (),
    ) -> Numbers:
        """Counts the slices with enough rows as tried, and keeps the worst of these columns. Returns how far each is.

        A slice must be worse than each of its parents, else the shorter one says the same.
        """
        enough = (found.rows >= self.min_rows) & (found.rows < self._overall.rows)
        self.tried += int(enough.sum())
        z = np.where(enough, self._z(found, parents[0]), -np.inf)
        is_worse = z >= MIN_Z
        for parent in parents[1:]:
            is_worse &= self._z(found, parent) >= MIN_Z
        if is_worse.any():
            bound = np.where(is_worse, self._lower_bound(found), -np.inf)
            # By z too, which prefers the wider of two ranges.
            worst = {*_largest(bound, KEPT_OF_COLUMNS), *_largest(np.where(is_worse, z, -np.inf), KEPT_OF_COLUMNS)}
            for position in sorted(worst):
                if is_worse.flat[position]:
                    literals = map(int, np.unravel_index(position, bound.shape))
                    names = (*others, *zip(columns, literals, strict=True))
                    self.candidates.append((float(bound.flat[position]), tuple(sorted(names))))
        return z

    def _z(self, found: LiteralMoments, parent: Moments | LiteralMoments) -> Numbers:
        """The distance of the slice's mean from its parent's, in deviations of a random draw from the parent."""
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = parent.sums / parent.rows
            spread = np.sqrt(mean * (1 - mean)) if self.is_binary else self._spread
            z = (
                (found.sums / found.rows - mean)
                * np.sqrt(found.rows)
                / (spread * np.sqrt(1 - found.rows / parent.rows))
            )
        return np.nan_to_num(z, nan=-np.inf, posinf=np.inf, neginf=-np.inf)

    def _lower_bound(self, found: LiteralMoments) -> Numbers:
        """Of the mean of each slice, roughly; the reported one is exact."""
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = found.sums / found.rows
            spread = np.sqrt(np.maximum(mean * (1 - mean), 0)) if self.is_binary else self._spread
            bound: Numbers = mean - 2 * spread / np.sqrt(found.rows) - 2 / found.rows * self.is_binary
        return bound


@dataclass(frozen=True)
class Moments:
    rows: float
    sums: float


@dataclass(frozen=True, eq=False)
class LiteralMoments:
    """Of every literal, or of every pair of two columns' literals."""

    rows: Numbers
    sums: Numbers

    def over(self, axis: int) -> LiteralMoments:
        """As those of one side of a pair."""
        return LiteralMoments(np.expand_dims(self.rows, axis), np.expand_dims(self.sums, axis))


def _largest(values: Numbers, count: int) -> list[int]:
    """Positions in the flat array of the largest values; of equal ones the first."""
    flat = values.ravel()
    if len(flat) > 8 * count:
        edge = np.partition(flat, len(flat) - count)[len(flat) - count]
        chosen = np.flatnonzero(flat >= edge)
    else:
        chosen = np.arange(len(flat))
    return [int(at) for at in chosen[np.argsort(-flat[chosen], kind="stable")[:count]]]
