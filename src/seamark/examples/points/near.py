"""The rows nearest to a point: neighbours, and the counterfactual, which the model predicts differently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from seamark.examples.form import Predictions, ScoredSet
from seamark.examples.points.distance import DistanceOptions, Distances, feature_space
from seamark.examples.points.point import Point, feature_named
from seamark.examples.points.prediction import prediction_list
from seamark.examples.results.points import Counterfactual, FeatureDifference, NearRow, Neighbours
from seamark.tables.column import Rows

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class CounterfactualOptions:
    """`fixed`: features that must be equal. `min_difference` 0: another class; of numbers, one standard deviation."""

    distance: DistanceOptions = field(default_factory=DistanceOptions)
    fixed: tuple[str, ...] = ()
    min_difference: float = 0.0
    threshold: float = 0.5


def nearest_counterfactual(
    scored: ScoredSet, point: Point, own: Predictions, options: CounterfactualOptions, rows: Rows | None = None
) -> Counterfactual:
    """The nearest of `rows` (None: of all) that qualifies. `own` is the prediction of the point, edits included."""
    qualifies, note = _qualifying(scored, own, options)
    qualifies &= _within(scored, point, rows)
    for feature in options.fixed:
        qualifies &= _has_value(point, feature)
    candidates = np.flatnonzero(qualifies)
    space = feature_space(scored.examples)
    words = space.describe(options.distance)
    if not candidates.size:
        return Counterfactual(None, distance=words, notes=(note,))
    distances = space.distances(point, options.distance)
    row = int(candidates[distances[candidates].argmin()])
    return Counterfactual(
        near=_near_rows(scored, [row], distances, options.threshold)[0],
        differences=_differences(point, row, options.distance),
        candidates=int(candidates.size),
        distance=words,
        notes=(note,),
    )


def nearest_neighbours(
    scored: ScoredSet,
    point: Point,
    options: DistanceOptions,
    count: int,
    *,
    threshold: float = 0.5,
    rows: Rows | None = None,
) -> Neighbours:
    """In ascending order of the distance; of equal ones the first row comes first."""
    space = feature_space(scored.examples)
    distances = space.distances(point, options)
    candidates = np.flatnonzero(_within(scored, point, rows))
    near = distances[candidates]
    if count < candidates.size:
        # All that are as near as the last one that fits, so that the order of equal ones does not depend on chance.
        chosen = near <= np.partition(near, count - 1)[count - 1]
        candidates, near = candidates[chosen], near[chosen]
    nearest = candidates[np.argsort(near, kind="stable")[:count]]
    return Neighbours(tuple(_near_rows(scored, nearest.tolist(), distances, threshold)), space.describe(options))


def _qualifying(scored: ScoredSet, own: Predictions, options: CounterfactualOptions) -> tuple[Mask, str]:
    """The rows with another prediction, and a sentence of what counts as another."""
    is_class = scored.task in ("binary", "multiclass")
    if is_class and options.min_difference == 0:
        own_class = int(ScoredSet(scored.examples, own).predicted_classes(options.threshold)[0])
        predicted = scored.predicted_classes(options.threshold)
        return (predicted != own_class) & (predicted >= 0), "another predicted class"
    scores, own_score = _comparable_scores(scored.predictions, own)
    least = options.min_difference
    if least == 0:
        least = float(np.std(scores[np.isfinite(scores)])) if np.isfinite(scores).any() else 0.0
        words = f"a prediction that differs by at least {least:.4g}, the standard deviation of the predictions"
    else:
        words = f"a prediction that differs by at least {least:.4g}"
    with np.errstate(invalid="ignore"):
        difference = np.abs(scores - own_score)
    return (difference >= least) & (difference > 0), words


def _comparable_scores(predictions: Predictions, own: Predictions) -> tuple[NDArray[np.float64], float]:
    """The scores, and that of the point; of a multi-class model those of the class predicted for the point."""
    if predictions.scores.ndim == 1:
        return predictions.scores, float(own.scores[0])
    own_scores = np.where(np.isnan(own.scores[0]), -np.inf, own.scores[0])
    position = int(own_scores.argmax())
    return predictions.scores[:, position], float(own.scores[0, position])


def _within(scored: ScoredSet, point: Point, rows: Rows | None) -> Mask:
    """The rows of the filter without the point itself."""
    mask = np.full(scored.examples.rows, rows is None)
    if rows is not None:
        mask[rows] = True
    mask[point.row] = False
    return mask


def _has_value(point: Point, feature: str) -> Mask:
    column, value = feature_named(point.examples, feature), point.value(feature)
    if value is None:
        return ~column.present
    if column.numbers is not None:
        return np.asarray(column.numbers == float(value))
    code = column.names.index(str(value)) if value in column.names else None
    return np.zeros(len(column), bool) if code is None else np.asarray(column.codes == code)


def _near_rows(scored: ScoredSet, rows: Sequence[int], distances: Distances, threshold: float) -> list[NearRow]:
    chosen = Predictions(scored.task, scored.predictions.scores[list(rows)], scored.predictions.classes)
    truth = scored.examples.truth
    return [
        NearRow(row, float(distances[row]), prediction, None if truth is None else truth.value(row))
        for row, prediction in zip(rows, prediction_list(chosen, threshold), strict=True)
    ]


def _differences(point: Point, row: int, options: DistanceOptions) -> tuple[FeatureDifference, ...]:
    """Also of features that are not measured: they have no part, and come last."""
    parts = feature_space(point.examples).parts(point, row, options)
    pairs = [(column.name, point.value(column.name), column.value(row)) for column in point.examples.features]
    different = [
        FeatureDifference(name, own, other, parts.get(name, 0.0)) for name, own, other in pairs if own != other
    ]
    return tuple(sorted(different, key=lambda difference: -difference.distance))
