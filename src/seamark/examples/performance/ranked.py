"""RankedScores: the scores of a binary model in ascending order, from which everything about thresholds follows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from seamark.tables.column import Numbers, Rows

Counts = NDArray[np.int64]
THRESHOLDS = 1001


@dataclass(frozen=True, eq=False)
class RankedScores:
    """Rows with a score and a truth, in ascending order of the score. `truth` is 1 for the positive class, else 0."""

    rows: Rows
    scores: Numbers
    truth: Numbers

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, mask: NDArray[np.bool_]) -> RankedScores:
        """Those of a slice, still in order."""
        return RankedScores(self.rows[mask], self.scores[mask], self.truth[mask])

    @cached_property
    def positives(self) -> int:
        return int(self.truth.sum())

    @property
    def negatives(self) -> int:
        return len(self) - self.positives

    @cached_property
    def is_probability(self) -> bool:
        return not len(self) or bool(self.scores[0] >= 0 and self.scores[-1] <= 1)

    @cached_property
    def _positives_below(self) -> Counts:
        """By position in the order; one more than there are rows."""
        below: Counts = np.concatenate([[0], np.cumsum(self.truth)]).astype(np.int64)
        return below

    def counts(self, thresholds: Numbers) -> tuple[Counts, Counts]:
        """True and false positives at each threshold: rows whose score is at or above it."""
        at = np.searchsorted(self.scores, thresholds, side="left")
        true_positives: Counts = self.positives - self._positives_below[at]
        return true_positives, len(self) - at - true_positives

    @cached_property
    def distinct(self) -> Numbers:
        """The distinct scores in descending order."""
        if not len(self):
            return self.scores
        starts = np.concatenate([[True], self.scores[1:] != self.scores[:-1]])
        descending: Numbers = self.scores[starts][::-1]
        return descending

    @cached_property
    def distinct_counts(self) -> tuple[Counts, Counts]:
        return self.counts(self.distinct)


def rank(scores: Numbers, truth: Numbers) -> RankedScores:
    """Drops rows without a score or a truth."""
    rows = np.flatnonzero(~np.isnan(scores) & ~np.isnan(truth))
    order = np.argsort(scores[rows], kind="stable")
    rows = rows[order].astype(np.int64)
    return RankedScores(rows, scores[rows], truth[rows])


def threshold_grid(ranked: RankedScores) -> Numbers:
    """From 0 to 1 in steps of 0.001; for scores that are not probabilities, over their range."""
    if ranked.is_probability:
        return np.arange(THRESHOLDS) / (THRESHOLDS - 1)
    finite = ranked.scores[np.isfinite(ranked.scores)]
    if not len(finite) or finite[0] == finite[-1]:
        return finite[:1] if len(finite) else np.zeros(1)
    shares = np.arange(THRESHOLDS) / (THRESHOLDS - 1)
    # Not by the range, because the difference of two very large numbers is infinite.
    return np.unique(finite[0] * (1 - shares) + finite[-1] * shares)
