"""Columns that are computed from the predictions of a model: `=score`, `=predicted`, `=error` and others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from seamark.dashboards.whatif.models import ModelLibrary
from seamark.examples.form import ExampleSet, ScoredSet
from seamark.examples.points.distance import distance_column
from seamark.plugin import not_found
from seamark.tables.column import Column, Numbers

SCORE_OF_CLASS = "=score:"


class ColumnContext(NamedTuple):
    """What a computed column depends on."""

    examples: ExampleSet
    models: ModelLibrary
    model: str = ""
    model2: str = ""
    row: int = 0
    threshold: float = 0.5

    def scored(self) -> ScoredSet:
        return self.models.scored(self.examples, self.model)


def find_column(context: ColumnContext, name: str) -> Column:
    """A column of the file, or a computed one. Raises RequestError."""
    found = context.examples.table.by_name.get(name)
    if found is not None:
        return found
    if name.startswith(SCORE_OF_CLASS):
        return class_score(context, name.removeprefix(SCORE_OF_CLASS))
    compute = COMPUTED.get(name)
    if compute is None:
        raise not_found(f"the set has no column '{name}'")
    return compute(context)


def score(context: ColumnContext) -> Column:
    """Multi-class: the score of the predicted class."""
    return _number("=score", _scores(context.scored()))


def _scores(scored: ScoredSet) -> Numbers:
    scores = scored.predictions.scores
    if scores.ndim == 1:
        return scores
    return np.where(np.isnan(scores).all(axis=1), np.nan, np.where(np.isnan(scores), -np.inf, scores).max(axis=1))


def class_score(context: ColumnContext, class_name: str) -> Column:
    """Binary: of the other class what is left of 1."""
    predictions = context.scored().predictions
    if class_name not in predictions.classes:
        raise not_found(f"the model has no class '{class_name}'")
    index = predictions.classes.index(class_name)
    if predictions.scores.ndim == 1:
        return _number(f"{SCORE_OF_CLASS}{class_name}", predictions.scores if index == 1 else 1 - predictions.scores)
    return _number(f"{SCORE_OF_CLASS}{class_name}", predictions.scores[:, index])


def predicted(context: ColumnContext) -> Column:
    """The predicted class; of a regression or ranking the score."""
    scored = context.scored()
    if scored.task in ("regression", "ranking"):
        return _number("=predicted", scored.predictions.scores)
    codes = scored.predicted_classes(context.threshold)
    return Column("=predicted", "category", codes=codes, names=scored.predictions.classes)


def error(context: ColumnContext) -> Column:
    return _number("=error", context.scored().errors(context.threshold))


def correct(context: ColumnContext) -> Column:
    """Only classes are correct or not: a regression has none that is."""
    scored = context.scored()
    if scored.task in ("regression", "ranking"):
        raise not_found(f"a {scored.task} has no correct predictions: use =error")
    return Column("=correct", "boolean", numbers=1 - scored.errors(context.threshold))


def difference(context: ColumnContext) -> Column:
    """The score of `model` minus that of `model2`; multi-class: of the class that `model` predicts."""
    left = context.scored()
    right = context.models.scored(context.examples, context.model2)
    if left.predictions.scores.ndim == 1 and right.predictions.scores.ndim == 1:
        return _number("=difference", left.predictions.scores - right.predictions.scores)
    rows = np.arange(len(left.predictions))
    codes = left.predicted_classes()
    position = {name: index for index, name in enumerate(right.predictions.classes)}
    others = np.array([*(position.get(name, -1) for name in left.predictions.classes), -1])[codes]
    is_known = (codes >= 0) & (others >= 0)
    scores = left.predictions.scores[rows, codes] - right.predictions.scores[rows, others]
    return _number("=difference", np.where(is_known, scores, np.nan))


def distance(context: ColumnContext) -> Column:
    """From the row, over all features."""
    if context.row >= context.examples.rows:
        raise not_found(f"there is no row {context.row:,}: the set has {context.examples.rows:,} rows")
    return _number("=distance", np.asarray(distance_column(context.examples, context.row), np.float64))


def _number(name: str, numbers: Numbers) -> Column:
    return Column(name, "number", numbers=numbers)


COMPUTED: dict[str, Callable[[ColumnContext], Column]] = {
    "=score": score,
    "=predicted": predicted,
    "=error": error,
    "=correct": correct,
    "=difference": difference,
    "=distance": distance,
}
# In queries these have no `=`. A column of the file with the same name comes first.
QUERY_NAMES: Mapping[str, str] = {
    name.removeprefix("="): name for name in ("=score", "=predicted", "=error", "=correct")
}
