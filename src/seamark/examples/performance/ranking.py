"""Quality of rankings by slice. A list is the rows with one value of the group column, or all rows without one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from seamark.examples.form import ScoredSet
from seamark.examples.performance.kendall import kendall_tau
from seamark.examples.performance.parts import Part, parts
from seamark.examples.results.performance import RankingResult, RankingSlice
from seamark.examples.slicing.cut import Cut
from seamark.tables.column import Column, Numbers, Rows


class ListQuality(NamedTuple):
    """NaN where it is undefined: a list without relevant rows, or of equal truths."""

    ndcg: float
    ndcg_at_10: float
    reciprocal_rank: float
    kendall_tau: float


def ranking_performance(scored: ScoredSet, rows: Rows, cut: Cut) -> RankingResult:
    truth, scores = scored.truth_numbers, scored.predictions.scores
    assert truth is not None
    names = scored.examples.schema.names_of("group")
    group = scored.examples.table.by_name[names[0]] if names else None
    is_known = np.isfinite(truth) & ~np.isnan(scores)
    notes = [] if names else ["No column has the role of a group: all rows are one list."]
    if (truth[is_known] < 0).any():
        notes.append("Truths below 0 count as 0 in the NDCG.")
    return RankingResult(
        slices=tuple(_slice(part, truth, scores, group) for part in parts(rows, cut, is_known)),
        left_out=int((~is_known[rows]).sum()),
        slices_left_out=cut.left_out,
        notes=tuple(notes),
    )


def _slice(part: Part, truth: Numbers, scores: Numbers, group: Column | None) -> RankingSlice:
    lists = list(_lists(part.rows, group))
    quality = np.array([list_quality(truth[own], scores[own]) for own in lists]).reshape(len(lists), 4)
    means = [_mean(quality[:, at]) for at in range(4)]
    return RankingSlice(part.name, part.conditions, len(part.rows), len(lists), *means)


def _lists(rows: Rows, group: Column | None) -> Iterator[Rows]:
    if group is None or not len(rows):
        yield from [rows] if len(rows) else []
        return
    values = group.numbers if group.numbers is not None else group.codes
    assert values is not None
    own = values[rows]
    order = np.argsort(own, kind="stable")
    ordered = own[order]
    differs = ordered[1:] != ordered[:-1]
    if ordered.dtype.kind == "f":  # NaN differs from itself, and yet missing values are one list
        differs &= ~(np.isnan(ordered[1:]) & np.isnan(ordered[:-1]))
    yield from np.split(rows[order], np.flatnonzero(differs) + 1)


def list_quality(truth: Numbers, scores: Numbers) -> ListQuality:
    gains = np.maximum(truth, 0.0)
    reciprocal = _reciprocal_rank(truth, scores)
    return ListQuality(ndcg(gains, scores), ndcg(gains, scores, 10), reciprocal, kendall_tau(truth, scores))


def ndcg(gains: Numbers, scores: Numbers, at: int | None = None) -> float:
    """Gains are the truths themselves. Equal scores share the mean of their gains (McSherry and Najork, 2008)."""
    discounts = 1 / np.log2(np.arange(len(gains)) + 2)
    discounts[len(gains) if at is None else at :] = 0
    ideal = float((np.sort(gains)[::-1] * discounts).sum())
    if ideal == 0:
        return math.nan
    _, codes, counts = np.unique(-scores, return_inverse=True, return_counts=True)
    means = np.bincount(codes, weights=gains) / counts
    starts = np.cumsum(counts) - counts
    return float((means * np.add.reduceat(discounts, starts)).sum()) / ideal


def _reciprocal_rank(truth: Numbers, scores: Numbers) -> float:
    """Of the first row with a truth above 0; among equal scores, it counts as the last of them."""
    relevant = scores[truth > 0]
    return math.nan if not len(relevant) else 1.0 / int((scores >= relevant.max()).sum())


def _mean(values: Numbers) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None
