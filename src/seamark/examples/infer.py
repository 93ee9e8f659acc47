"""A schema for a table, from the names and values of its columns."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from seamark.examples.prediction_names import PredictionName, prediction_columns
from seamark.examples.schema import ColumnSchema, Role, Schema, Task
from seamark.tables.column import Column, ColumnType, Table
from seamark.tables.convert import format_number

TRUTH_NAMES = (
    "truth", "ground_truth", "groundtruth", "y_true", "label", "labels", "target", "actual", "gold", "class", "outcome",
    "relevance", "y",
)  # fmt: skip
ID_NAMES = ("id", "index", "row", "key", "uuid", "guid", "example_id", "row_id", "unnamed", "unnamed: 0")
SPLIT_NAMES = ("split", "subset", "fold", "partition")
WEIGHT_NAMES = ("weight", "sample_weight", "instance_weight", "example_weight", "fnlwgt")
GROUP_NAMES = ("qid", "query_id", "query", "group_id", "session_id")
POSITIVE_NAMES = ("1", "true", "yes", "y", "positive", "pos", "t", ">50k", ">50k.", "spam", "fraud", "malignant")
MAX_SPLITS = 50
MAX_CLASSES = 100
# Whole numbers from 0 or 1 on without a gap are classes if there are at most so many.
MAX_NUMBER_CLASSES = 30
SEPARATORS = re.compile(r"[\s\-.]+")


def infer_schema(
    table: Table, *, target: str | None = None, known_predictions: Mapping[str, PredictionName] | None = None
) -> Schema:
    """`target`: the column with the truth, if it is known; "": there is none."""
    truth = table.by_name.get(_find_target(table) if target is None else target)
    classes = class_names(truth) if truth is not None else []
    others = [column.name for column in table.columns if truth is None or column.name != truth.name]
    predictions = {**prediction_columns(others, classes), **(known_predictions or {})}
    roles = {c.name: _role(c, truth, predictions) for c in table.columns}
    task = _task(table, truth, roles, predictions)
    columns = tuple(
        ColumnSchema(
            name=c.name,
            type=_type(c, roles[c.name], task),
            role=roles[c.name],
            model=predictions[c.name].model if roles[c.name] == "prediction" else "",
            predicted_class=predictions[c.name].predicted_class if roles[c.name] == "prediction" else "",
        )
        for c in table.columns
    )
    positive = infer_positive(table, truth, columns) if task == "binary" else ""
    return Schema(columns=columns, task=task, target=truth.name if truth else "", positive=positive)


def class_names(truth: Column) -> list[str]:
    """The values of a truth as names of classes; none if they are measured numbers."""
    if truth.type == "boolean":
        return ["false", "true"]
    if truth.numbers is None:
        return list(truth.names) if len(truth.names) <= MAX_CLASSES else []
    values = np.unique(truth.numbers[truth.present])
    if len(values) > MAX_CLASSES or not np.all(values == np.floor(values)):
        return []
    return [format_number(value) for value in values.tolist()]


def _find_target(table: Table) -> str:
    by_name = {_plain(c.name): c.name for c in reversed(table.columns)}
    return next((by_name[name] for name in TRUTH_NAMES if name in by_name), "")


def _plain(name: str) -> str:
    return SEPARATORS.sub("_", name.strip().lower())


def _role(column: Column, truth: Column | None, predictions: Mapping[str, PredictionName]) -> Role:
    if truth is not None and column.name == truth.name:
        return "truth"
    if column.name in predictions and column.type not in ("text", "image"):
        return "prediction"
    name = _plain(column.name)
    if name in ID_NAMES or (name.endswith("_id") and _is_unique(column)):
        return "id"
    if name in SPLIT_NAMES and len(column.names) <= MAX_SPLITS:
        return "split"
    if name in WEIGHT_NAMES and column.numbers is not None:
        return "weight"
    if name in GROUP_NAMES:
        return "group"
    return "feature"


def _is_unique(column: Column) -> bool:
    values = column.numbers if column.numbers is not None else column.codes
    return values is not None and len(np.unique(values)) == len(column)


def _task(
    table: Table, truth: Column | None, roles: Mapping[str, Role], predictions: Mapping[str, PredictionName]
) -> Task:
    given = {name: predictions[name] for name, role in roles.items() if role == "prediction"}
    by_class = {entry.predicted_class for entry in given.values()} - {""}
    if truth is None:
        return _task_of_predictions(table, list(given), by_class)
    if truth.type == "boolean":
        return "binary"
    if truth.numbers is None:
        return "binary" if len(truth.names) <= 2 else "multiclass"
    if "group" in roles.values():
        return "ranking"
    classes = class_names(truth)
    if len(classes) == 2 or classes in (["0"], ["1"]):
        return "binary"
    if by_class & set(classes):
        return "multiclass"
    return "multiclass" if _are_number_classes(classes, table, list(given)) else "regression"


def _task_of_predictions(table: Table, names: list[str], by_class: set[str]) -> Task:
    if len(by_class) > 2:
        return "multiclass"
    for name in names:
        column = table.by_name[name]
        if column.type == "category":
            return "binary" if len(column.names) <= 2 else "multiclass"
        if column.type == "number" and not _is_share(column):
            return "regression"
    return "binary"


def _is_share(column: Column) -> bool:
    assert column.numbers is not None
    present = column.numbers[column.present]
    return bool(np.all((present >= 0) & (present <= 1)))


def _are_number_classes(classes: list[str], table: Table, predictions: list[str]) -> bool:
    """Whole numbers without a gap, unless a prediction lies between two of them."""
    if not 2 < len(classes) <= MAX_NUMBER_CLASSES:
        return False
    numbers = np.array(classes, np.float64)
    if numbers[0] not in (0, 1) or not np.all(np.diff(numbers) == 1):
        return False
    scores = [column.numbers for name in predictions if (column := table.by_name[name]).numbers is not None]
    return all(bool(np.all(np.isnan(score) | (score == np.floor(score)))) for score in scores)


def _type(column: Column, role: Role, task: Task) -> ColumnType:
    """The classes of a multi-class task are names, also if they are numbers; a key is no category."""
    if task == "multiclass" and role == "truth" and column.type == "number":
        return "category"
    if task == "multiclass" and role == "prediction" and column.numbers is not None:
        whole = bool(np.all(np.isnan(column.numbers) | (column.numbers == np.floor(column.numbers))))
        return "category" if whole and not _is_share(column) else column.type
    return column.type


def infer_positive(table: Table, truth: Column | None, columns: tuple[ColumnSchema, ...]) -> str:
    """The class that scores are of: the one with higher scores; else one that is called so; else the rarer."""
    if truth is None:
        predicted = [c.predicted_class for c in columns if c.predicted_class]
        return predicted[-1] if predicted else "1"
    if truth.type == "boolean":
        return "true"
    classes = class_names(truth)
    if not classes:
        return ""
    if truth.numbers is not None:
        return classes[-1]
    return _higher_scored(table, truth, columns) or _called_positive(classes) or classes[-1]


def last_class(truth: Column) -> str:
    """The positive class of scores that were logged for a truth: one that is called so, or the last in their order.

    It must not depend on the scores: a model may be wrong at its first steps.
    """
    if truth.numbers is not None or len(truth.names) != 2:
        return ""
    return _called_positive(list(truth.names)) or max(truth.names)


def _called_positive(classes: list[str]) -> str:
    return next((name for name in classes if name.strip().lower() in POSITIVE_NAMES), "")


def _higher_scored(table: Table, truth: Column, columns: tuple[ColumnSchema, ...]) -> str:
    assert truth.codes is not None
    for entry in columns:
        column = table.by_name[entry.name]
        if entry.role != "prediction" or entry.predicted_class or column.numbers is None or len(truth.names) != 2:
            continue
        means = [_mean(column.numbers[truth.codes == code]) for code in (0, 1)]
        if means[0] != means[1] and not np.isnan(means).any():
            return truth.names[int(np.argmax(means))]
    return ""


def _mean(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    finite = values[np.isfinite(values)]
    return float(finite.mean()) if finite.size else float("nan")
