"""One hyperparameter against the target: the mean over the runs that have each value, with its interval.

These are means over runs as they are, not what a model says: where the other hyperparameters were drawn at random they
show the effect of this one, where they went along with it they show that, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.compare.importance import Param
from seamark.compare.statistics import student_interval

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MAX_VALUES = 12  # of a number: as many are shown one by one
RANGES = 8
MAX_CATEGORIES = 20


@dataclass(frozen=True, slots=True)
class Effect:
    """One point per value, or per range of values. `x` is None for the runs that have none: they come last."""

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
        type=param.kind,
        x=[label for label, _ in rows],
        mean=[float(values.mean()) for _, values in rows],
        low=[low for low, _ in bounds],
        high=[high for _, high in bounds],
        n=[len(values) for _, values in rows],
    )


def ranges_of(param: Param) -> tuple[Ints, Sequence[float | str | bool | None]]:
    """Each value by itself when there are few, else ranges of about as many runs; a range stands at its median."""
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
    """One of the values: between two of them nobody has tried any, and infinities have no middle."""
    return float(np.sort(values)[(len(values) - 1) // 2]) if len(values) else 0.0


def categories_of(param: Param) -> tuple[Ints, Sequence[float | str | bool | None]]:
    """The most frequent ones by themselves, the rest together."""
    categories = param.categories
    if param.kind == "bool":
        return categories, [False, True]
    counts = np.bincount(categories[categories >= 0], minlength=len(param.labels))
    if len(param.labels) <= MAX_CATEGORIES:
        return categories, param.labels
    kept = np.sort(np.argsort(-counts, kind="stable")[: MAX_CATEGORIES - 1])
    place = np.full(len(param.labels) + 1, len(kept))
    place[kept], place[-1] = np.arange(len(kept)), -1
    rest = f"{len(param.labels) - len(kept)} others"
    return place[categories], [*(param.labels[at] for at in kept), rest]
