"""Report: tests the candidates, corrects for all that were tried, and removes overlaps."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from seamark.examples.intervals import Z, holm, wilson
from seamark.examples.results.slices import FoundSlice
from seamark.examples.slices.search import Names, Search
from seamark.examples.slices.significance import p_value_of_mean, p_value_of_rate

Mask = NDArray[np.bool_]
MAX_TESTED = 500  # slices with the same number of conditions


@dataclass(frozen=True, kw_only=True)
class SearchOptions:
    columns: Sequence[str] = ()  # empty: all features
    max_conditions: int = 3
    min_rows: int = 50
    max_p: float = 0.01
    count: int = 20


@dataclass(frozen=True, eq=False)
class Candidate:
    names: Names
    mask: Mask
    p: float  # the largest of the tests against the rest and against the rest of each parent
    lower: float  # the bound of the 95 % interval of its error


class Report:
    def __init__(self, search: Search, options: SearchOptions) -> None:
        self._search, self._options = search, options
        self._wrong: Mask | None = search.values > 0 if search.is_binary else None
        self._masks: dict[tuple[int, int], Mask] = {}

    def slices(self) -> list[FoundSlice]:
        """From the worst on, by the lower bound of the error: that is effect and certainty in one number.

        Without slices whose errors are explained by a worse one (their other rows must be significantly wrong too), and
        without parts of a wider slice that are not significantly worse than it.
        """
        search, options = self._search, self._options
        significant = self._significant()
        found: list[FoundSlice] = []
        by_columns: dict[tuple[int, ...], list[Candidate]] = {}
        for one, _ in significant:
            by_columns.setdefault(_columns(one.names), []).append(one)
        explained = np.zeros(len(search.values), np.bool_)
        reported: list[Candidate] = []
        for one, p in significant:
            if len(found) == options.count:
                break
            if _repeats(one, reported) or not self._adds(one.mask, explained) or self._is_part(one, by_columns):
                continue
            explained |= one.mask
            reported.append(one)
            found.append(self._found(one, p))
        return found

    def _significant(self) -> list[tuple[Candidate, float]]:
        """With corrected p values, from the worst on."""
        bounds = {names: bound for bound, names in self._search.candidates}
        # Of each length: a part of a bad slice that is bad by chance must not take the place of the whole one.
        lengths = [[(bound, names) for names, bound in bounds.items() if len(names) == n] for n in (1, 2, 3)]
        tested = [self._test(names) for found in lengths for _, names in heapq.nlargest(MAX_TESTED, found)]
        corrected = holm(np.array([one.p for one in tested]), self._search.tried).tolist()
        kept = [(one, p) for one, p in zip(tested, corrected, strict=True) if p <= self._options.max_p]
        return sorted(kept, key=lambda pair: (-pair[0].lower, pair[0].names))

    def _test(self, names: Names) -> Candidate:
        mask = self._mask(names)
        # Under chance alone, the errors within a parent are in random order whichever parent was chosen. So the test
        # against the parent stays valid, although parents were chosen by their errors.
        parents = [self._mask(parent) for parent in combinations(names, len(names) - 1)] if len(names) > 1 else []
        p = max(self._p(mask, pool) for pool in (None, *parents))
        error, half = self._error(mask)
        return Candidate(names, mask, p, error - half)

    def _adds(self, mask: Mask, explained: Mask) -> bool:
        rest = mask & ~explained
        if rest.sum() < self._options.min_rows:
            return False
        return self._is_significant(self._p(rest, ~explained)) if explained.any() else True

    def _is_part(self, one: Candidate, by_columns: dict[tuple[int, ...], list[Candidate]]) -> bool:
        """Whether a wider significant slice says the same."""
        wider = (other for columns in _subsets(_columns(one.names)) for other in by_columns.get(columns, ()))
        return any(
            not self._is_significant(self._p(one.mask, other.mask))
            for other in wider
            if other is not one and self._contains(other.names, one.names)
        )

    def _contains(self, wider: Names, narrower: Names) -> bool:
        literals = dict(narrower)
        members = [(self._search.columns[at].members, at, literal) for at, literal in wider]
        return all(bool((cells[literal] >= cells[literals[at]]).all()) for cells, at, literal in members)

    def _is_significant(self, p: float) -> bool:
        return self._search.tried * p <= self._options.max_p

    def _found(self, one: Candidate, p: float) -> FoundSlice:
        overall = float(self._search.values.mean())
        error, half = self._error(one.mask)
        conditions = tuple(self._search.columns[at].conditions[literal] for at, literal in one.names)
        return FoundSlice(conditions, int(one.mask.sum()), error, half, error / overall if overall else None, p)

    def _p(self, inside: Mask, among: Mask | None) -> float:
        if self._wrong is None:
            return p_value_of_mean(self._search.values, inside, among)
        return p_value_of_rate(self._wrong, inside, among)

    def _error(self, mask: Mask) -> tuple[float, float]:
        """The mean with half of its 95 % interval."""
        values = self._search.values[mask]
        mean = float(values.mean())
        if self._wrong is None:
            return mean, Z * float(values.std(ddof=1)) / len(values) ** 0.5 if len(values) > 1 else 0.0
        rate = wilson(int(values.sum()), len(values))
        assert rate.low is not None and rate.high is not None
        return mean, (rate.high - rate.low) / 2

    def _mask(self, names: Sequence[tuple[int, int]]) -> Mask:
        for at, literal in names:
            if (at, literal) not in self._masks:
                self._masks[at, literal] = self._search.columns[at].mask(literal)
        mask = self._masks[names[0]]
        for name in names[1:]:
            mask = mask & self._masks[name]
        return mask


def _repeats(one: Candidate, reported: Sequence[Candidate]) -> bool:
    """Whether a reported slice has other limits on the same columns, and they share half of the smaller one's rows."""
    return any(
        _columns(one.names) == _columns(other.names)
        and 2 * (one.mask & other.mask).sum() >= min(one.mask.sum(), other.mask.sum())
        for other in reported
    )


def _columns(names: Names) -> tuple[int, ...]:
    return tuple(at for at, _ in names)


def _subsets(columns: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for size in range(1, len(columns) + 1):
        yield from combinations(columns, size)
