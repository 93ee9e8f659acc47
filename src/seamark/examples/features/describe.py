"""Statistics of each feature, alone or compared with another set."""

from __future__ import annotations

import math

import numpy as np

from seamark.examples.features.drift import drift, name_counts
from seamark.examples.features.flags import flags
from seamark.examples.features.strength import truth_strength
from seamark.examples.form import ExampleSet
from seamark.examples.intervals import holm
from seamark.examples.results.features import FeaturesResult, FeatureStatistics, NamedCount
from seamark.examples.scale import safe_unit
from seamark.tables.column import Column, Numbers, Rows

BINS = 20
TOP = 20
QUANTILES = (0, 0.05, 0.25, 0.5, 0.75, 0.95, 1)


def describe_features(examples: ExampleSet, rows: Rows, other: tuple[ExampleSet, Rows] | None = None) -> FeaturesResult:
    """`other`: the set and its rows to compare with."""
    truth = examples.truth.take(rows) if examples.truth is not None else None
    found, infinite, notes = [], [], []
    for feature in examples.features:
        column = feature.take(rows)
        other_column = _other(feature, other)
        if other is not None and other_column is None:
            notes.append(f"The other set has no comparable column '{feature.name}'.")
        statistics = _describe(column, other_column)
        if truth is not None and column.type not in ("text", "image"):
            statistics.truth_strength = truth_strength(column, truth)
        found.append(statistics)
        infinite.append(int(np.isinf(column.numbers).sum()) if column.numbers is not None else 0)
    _correct(found)
    for statistics, count in zip(found, infinite, strict=True):
        statistics.flags = tuple(flags(statistics, count))
    return FeaturesResult(len(rows), len(other[1]) if other else 0, tuple(found), tuple(notes))


def _other(feature: Column, other: tuple[ExampleSet, Rows] | None) -> Column | None:
    """The column of the same name, if both have numbers or both have names."""
    column = other[0].table.by_name.get(feature.name) if other else None
    if other is None or column is None or column.is_numeric != feature.is_numeric:
        return None
    return column.take(other[1])


def _describe(column: Column, other: Column | None) -> FeatureStatistics:
    found = FeatureStatistics(
        name=column.name,
        type=column.type,
        rows=len(column),
        missing=int((~column.present).sum()),
        zeros=0,
        distinct=0,
    )
    if column.numbers is not None:
        _add_numbers(found, column.numbers, other.numbers if other is not None else None)
        if column.type == "boolean":
            found.top = _booleans(column, other)
    else:
        _add_names(found, column, other)
    if other is not None and column.type not in ("text", "image"):
        found.drift, found.drift_p = drift(column, other)
    return found


def _add_numbers(found: FeatureStatistics, numbers: Numbers, other: Numbers | None) -> None:
    finite = np.sort(numbers[np.isfinite(numbers)])
    found.zeros = int((finite == 0).sum())
    infinite = numbers[np.isinf(numbers)]
    found.distinct = int((finite[1:] != finite[:-1]).sum()) + (len(finite) > 0) + len(np.unique(infinite))
    if not len(finite):
        return
    unit = safe_unit(finite[[0, -1]])
    scaled = finite / unit
    found.mean = float(scaled.mean()) * unit
    found.deviation = float(scaled.std(ddof=1)) * unit if len(finite) > 1 else None
    found.skewness = _skewness(scaled)
    found.quantiles = tuple((np.quantile(scaled, QUANTILES) * unit).tolist())
    edges = _edges(finite, other)
    found.edges = tuple(edges.tolist())
    found.histogram = tuple(np.histogram(finite, edges)[0].tolist())
    if other is not None:
        found.other_histogram = tuple(np.histogram(other[np.isfinite(other)], edges)[0].tolist())


def _edges(finite: Numbers, other: Numbers | None) -> Numbers:
    """Equal steps over the range of both sets."""
    both = finite if other is None else np.concatenate([finite, other[np.isfinite(other)]])
    low, high = float(both.min()), float(both.max())
    shares = np.arange(BINS + 1) / BINS
    edges: Numbers = np.unique(low * (1 - shares) + high * shares)
    if len(edges) < 2:
        reach = max(abs(low), 1.0) / 2
        return np.array([low - reach, low + reach])
    edges[0], edges[-1] = low, high  # rounding must not leave the extremes outside
    return edges


def _skewness(values: Numbers) -> float | None:
    """The third moment in deviations; None for fewer than three values or a constant."""
    centred = values - values.mean()
    variance = float((centred**2).mean())
    if len(values) < 3 or values[0] == values[-1] or variance**1.5 == 0:
        return None
    skewness = float((centred**3).mean()) / variance**1.5
    return skewness if math.isfinite(skewness) else None


def _add_names(found: FeatureStatistics, column: Column, other: Column | None) -> None:
    counts, others = name_counts(column, other if other is not None else column.take(np.empty(0, np.int64)))
    names = list(dict.fromkeys((*column.names, *(other.names if other is not None else ()))))
    own = counts[:-1]
    found.distinct = int((own > 0).sum())
    found.longest = max((len(names[at]) for at in np.flatnonzero(own).tolist()), default=0)
    top = np.argsort(-own, kind="stable")[:TOP]
    found.top = tuple(
        NamedCount(names[at], int(own[at]), int(others[at])) for at in top.tolist() if own[at] or others[at]
    )


def _booleans(column: Column, other: Column | None) -> tuple[NamedCount, ...]:
    found = []
    for name, value in (("true", 1.0), ("false", 0.0)):
        counts = [int(np.count_nonzero(side.numbers == value)) if side is not None else 0 for side in (column, other)]
        found.append(NamedCount(name, *counts))
    return tuple(sorted(found, key=lambda one: -one.count))


def _correct(found: list[FeatureStatistics]) -> None:
    """Corrects the p values of drift for the number of features."""
    tested = [(one, one.drift_p) for one in found if one.drift_p is not None]
    for (one, _), p in zip(tested, holm(np.array([p for _, p in tested])).tolist(), strict=True):
        one.drift_p = p
