"""The effect of one hyperparameter: the mean target of the runs with each value, with its interval.

These are means over the logged runs, not predictions of a model. If other hyperparameters are correlated with this one,
the means include their effects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.compare.groups.statistics import student_interval
from seamark.compare.importance.importance import Param

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MAX_VALUES = 12  # a number with more distinct values is shown in ranges
RANGES = 8
MAX_CATEGORIES = 20


@dataclass(frozen=True, slots=True)
class Effect:
    """One point per value or range of values. The last point has `x` None, for the runs without a value."""

    id: str
    type: str
    x: list[float | str | bool | None]
    mean: list[float]
    low: list[float | None]
    high: list[float | None]
    n: list[int]


def effect_of(param: Param, target: Floats) -> Effect:
    groups, labels = ranges_of(param) if param.is_ordered else categories_of(param)
    shown = [(at, label) for at, label in enumerate(labels) if (groups == at).any()]
    rows = [(label, target[groups == at]) for at, label in shown]
    if not param.present.all():
        rows.append((None, target[~param.present]))
    bounds = [student_interval(values) for _, values in rows]
    return Effect(
        id=param.id,
        type=param.type,
        x=[label for label, _ in rows],
        mean=[float(values.mean()) for _, values in rows],
        low=[low for low, _ in bounds],
        high=[high for _, high in bounds],
        n=[len(values) for _, values in rows],
    )


def ranges_of(param: Param) -> tuple[Ints, Sequence[float | str | bool | None]]:
    """One group per value if there are few, else ranges of about as many runs each, labelled by their medians."""
    there = param.present
    values = param.values[there]
    distinct = np.unique(values)
    groups = np.full(len(param.values), -1)
    if len(distinct) <= MAX_VALUES:
        groups[there] = np.searchsorted(distinct, values)
        return groups, distinct.tolist()
    cuts = np.unique(np.quantile(values, np.arange(1, RANGES) / RANGES, method="nearest"))
    groups[there] = np.searchsorted(cuts, values, side="left")
    medians = [median_of(param.values[groups == at]) for at in range(len(cuts) + 1)]
    return groups, medians


def median_of(values: Floats) -> float:
    """The lower median: always a value that was tried, and defined for infinities."""
    return float(np.sort(values)[(len(values) - 1) // 2]) if len(values) else 0.0


def categories_of(param: Param) -> tuple[Ints, Sequence[float | str | bool | None]]:
    """One group for each of the most frequent categories, and one for the rest."""
    categories = param.categories
    if param.type == "bool":
        return categories, [False, True]
    counts = np.bincount(categories[categories >= 0], minlength=len(param.labels))
    if len(param.labels) <= MAX_CATEGORIES:
        return categories, param.labels
    frequent = np.sort(np.argsort(-counts, kind="stable")[: MAX_CATEGORIES - 1])
    group = np.full(len(param.labels) + 1, len(frequent))
    group[frequent], group[-1] = np.arange(len(frequent)), -1
    rest = f"{len(param.labels) - len(frequent)} others"
    return group[categories], [*(param.labels[at] for at in frequent), rest]
