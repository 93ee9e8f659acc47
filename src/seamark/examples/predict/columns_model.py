"""Predictions that the file already has, as columns."""

from __future__ import annotations

import numpy as np

from seamark.examples.form import ExamplesError, ExampleSet, Predictions
from seamark.examples.schema import ColumnSchema
from seamark.tables.column import Column

DEFAULT_NAME = "predictions"


def stored_models(examples: ExampleSet) -> list[str]:
    """The names of the models whose predictions the file has, in the order of their columns."""
    return list(dict.fromkeys(c.model or DEFAULT_NAME for c in examples.schema.columns if c.role == "prediction"))


def stored_predictions(examples: ExampleSet, model: str) -> Predictions:
    columns = [c for c in examples.schema.columns if c.role == "prediction" and (c.model or DEFAULT_NAME) == model]
    task = examples.schema.task
    if task in ("regression", "ranking"):
        return Predictions(task, _numbers(examples.table.by_name[columns[0].name]))
    if task == "binary":
        return Predictions(task, _binary(examples, columns), binary_classes(examples))
    return _multiclass(examples, columns)


def binary_classes(examples: ExampleSet) -> tuple[str, str]:
    positive, truth = examples.schema.positive, examples.truth
    if truth is None or truth.numbers is not None:
        return {"true": ("false", "true"), "1": ("0", "1")}.get(positive, (f"not {positive}", positive))
    return next((name for name in truth.names if name != positive), f"not {positive}"), positive


def _binary(examples: ExampleSet, columns: list[ColumnSchema]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Of a column for each class, that of the positive one; one of the other class alone is turned round."""
    entry = next((c for c in columns if c.predicted_class in ("", examples.schema.positive)), columns[0])
    column = examples.table.by_name[entry.name]
    if column.numbers is not None:
        is_other = bool(entry.predicted_class) and entry.predicted_class != examples.schema.positive
        return 1 - column.numbers if is_other else column.numbers
    assert column.codes is not None
    names = np.array([*(float(name == examples.schema.positive) for name in column.names), np.nan])
    scores: np.ndarray[tuple[int], np.dtype[np.float64]] = names[column.codes]
    return scores


def _multiclass(examples: ExampleSet, columns: list[ColumnSchema]) -> Predictions:
    if all(c.predicted_class for c in columns):
        scores = np.stack([_numbers(examples.table.by_name[c.name]) for c in columns], axis=1)
        return Predictions("multiclass", scores, tuple(c.predicted_class for c in columns))
    column, truth = examples.table.by_name[columns[0].name], examples.truth
    classes = tuple(dict.fromkeys([*(truth.names if truth else ()), *column.names]))
    scores = np.full((examples.rows, len(classes)), np.nan)
    for index, name in enumerate(column.names):
        scores[column.codes == index] = 0.0
        scores[column.codes == index, classes.index(name)] = 1.0
    return Predictions("multiclass", scores, classes)


def _numbers(column: Column) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    if column.numbers is None:
        raise ExamplesError(f"the column has names, want numbers: '{column.name}'")
    return column.numbers
