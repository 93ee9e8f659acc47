"""Small sets and models in NumPy, for the tests of points."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from seamark.examples.form import ExampleSet, Overrides, PredictError, Predictions, ScoredSet, Value
from seamark.examples.schema import ColumnSchema, Schema, Task
from seamark.tables.build import column_of_names
from seamark.tables.column import Column, Rows, Table

Function = Callable[[dict[str, np.ndarray[tuple[int], np.dtype[np.object_]]]], object]


class NumpyModel:
    """`function` takes the features as arrays of values and returns the scores."""

    name = "numpy"

    def __init__(
        self, examples: ExampleSet, function: Function, task: Task = "binary", classes: tuple[str, ...] = ("no", "yes")
    ) -> None:
        self._examples, self._function, self._task = examples, function, task
        self._classes = classes if task in ("binary", "multiclass") else ()
        self.predicted = 0
        self.calls = 0

    def predict(self, rows: Rows, overrides: Overrides | None = None) -> Predictions:
        overrides = overrides or {}
        for name, values in overrides.items():
            if len(values) != len(rows):
                raise PredictError(f"got {len(values)} values for {len(rows)} rows: '{name}'")
        features = {
            column.name: np.array(overrides.get(column.name) or [column.value(row) for row in rows.tolist()], object)
            for column in self._examples.features
        }
        self.predicted += len(rows)
        self.calls += 1
        return Predictions(self._task, np.asarray(self._function(features), np.float64), self._classes)


def example_set(columns: Mapping[str, Sequence[Value]], *, target: str = "", task: Task = "binary") -> ExampleSet:
    """Numbers, booleans and names become columns of that type; `target` is the truth."""
    made = tuple(_column(name, values) for name, values in columns.items())
    schema = Schema(
        columns=tuple(
            ColumnSchema(name=column.name, type=column.type, role="truth" if column.name == target else "feature")
            for column in made
        ),
        task=task,
        target=target,
    )
    return ExampleSet(Table(len(next(iter(columns.values()))), made), schema, content_id="test")


def scored_set(examples: ExampleSet, scores: object, task: Task = "binary") -> ScoredSet:
    array = np.asarray(scores, np.float64)
    classes = ("no", "yes") if task == "binary" else tuple(f"class {i}" for i in range(array.shape[-1]))
    return ScoredSet(examples, Predictions(task, array, classes if task in ("binary", "multiclass") else ()))


def _column(name: str, values: Sequence[Value]) -> Column:
    present = [value for value in values if value is not None]
    if present and all(isinstance(value, str) for value in present):
        return column_of_names(name, [value if isinstance(value, str) else None for value in values], "category")
    numbers = np.array([np.nan if value is None else float(value) for value in values])
    return Column(name, "boolean" if isinstance(present[0] if present else 0, bool) else "number", numbers=numbers)
