"""How well one feature alone predicts the truth, from 0 to 1.

Numbers and classes: |2 AUC - 1| of the class that the feature separates best. Names and classes: the mutual information
as a share of the truth's entropy, less its expectation under chance. A truth of numbers: the share of its variance that
the names, or 20 bins of equal size, explain (eta squared, adjusted for their number).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from seamark.examples.features.entropy import entropy
from seamark.examples.performance.curves import roc_curve
from seamark.examples.performance.ranked import rank
from seamark.tables.column import Column, Numbers

BINS = 20
MAX_CLASSES = 20
MIN_ROWS = 20
# A feature at least this strong is a suspect: an AUC of 0.975, or 95 % of the information or of the variance.
SUSPECT = 0.95


def truth_strength(feature: Column, truth: Column) -> float | None:
    """None if the rows are too few, the truth or the feature is constant, or there are too many classes."""
    known = feature.present & truth.present
    if known.sum() < MIN_ROWS:
        return None
    rows = np.flatnonzero(known)
    feature, truth = feature.take(rows), truth.take(rows)
    if truth.type == "number" and truth.numbers is not None and not _is_binary(truth.numbers):
        return _explained_variance(_groups(feature), truth.numbers)
    classes = _codes(truth)
    if not 2 <= len(np.unique(classes)) <= MAX_CLASSES:
        return None
    if feature.numbers is not None and feature.type != "boolean":
        areas = [_area(feature.numbers, classes == one) for one in np.unique(classes)]
        return max(abs(2 * area - 1) for area in areas)
    return _explained_information(_codes(feature), classes)


def _is_binary(numbers: Numbers) -> bool:
    return bool(np.isin(numbers, (0.0, 1.0)).all())


def _area(numbers: Numbers, is_class: NDArray[np.bool_]) -> float:
    area = roc_curve(rank(numbers, is_class.astype(np.float64))).area
    return 0.5 if area is None else area


def _explained_information(feature: NDArray[np.int64], truth: NDArray[np.int64]) -> float | None:
    rows, width = len(truth), int(truth.max()) + 1
    pairs = np.unique(feature * width + truth, return_counts=True)[1]
    sides = [np.unique(side, return_counts=True)[1] for side in (feature, truth)]
    if len(sides[0]) < 2:
        return None
    of_feature, of_truth, of_both = (entropy(counts / rows) for counts in (*sides, pairs))
    # Miller and Madow: chance alone gives about this much.
    chance = (len(sides[0]) - 1) * (len(sides[1]) - 1) / (2 * rows * math.log(2))
    return min(1.0, max(0.0, (of_feature + of_truth - of_both - chance) / of_truth))


def _explained_variance(groups: NDArray[np.int64], truth: Numbers) -> float | None:
    finite = np.isfinite(truth)
    groups, truth = groups[finite], truth[finite]
    counts = np.bincount(groups)
    used = int((counts > 0).sum())
    if len(truth) <= used or used < 2 or truth.min() == truth.max():
        return None
    scaled = truth / np.abs(truth).max()
    means = np.bincount(groups, weights=scaled) / np.maximum(counts, 1)
    within, total = float(((scaled - means[groups]) ** 2).sum()), float(((scaled - scaled.mean()) ** 2).sum())
    if total == 0:
        return None
    return max(0.0, 1 - within / (len(truth) - used) / (total / (len(truth) - 1)))


def _groups(feature: Column) -> NDArray[np.int64]:
    if feature.numbers is None or feature.type == "boolean":
        return _codes(feature)
    ordered = np.sort(feature.numbers)
    edges = np.unique(ordered[(np.arange(1, BINS) * len(ordered) / BINS).astype(np.int64)])
    return np.searchsorted(edges, feature.numbers, side="right").astype(np.int64)


def _codes(column: Column) -> NDArray[np.int64]:
    if column.codes is not None:
        return column.codes.astype(np.int64)
    assert column.numbers is not None
    return (
        column.numbers.astype(np.int64)
        if column.type == "boolean"
        else np.unique(column.numbers, return_inverse=True)[1]
    )
