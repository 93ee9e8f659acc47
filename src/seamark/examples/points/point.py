"""Point: a row of a set, with some features changed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from seamark.examples.form import ExamplesError, ExampleSet, Value
from seamark.tables.column import Column

Edits = Mapping[str, Value]


@dataclass(frozen=True, eq=False)
class Point:
    """`edits` are of features only, and each fits the type of its feature."""

    examples: ExampleSet
    row: int
    edits: Edits

    def value(self, feature: str) -> Value:
        return self.edits[feature] if feature in self.edits else self.examples.table.by_name[feature].value(self.row)


def make_point(examples: ExampleSet, row: int, edits: Edits) -> Point:
    """Raises ExamplesError if there is no such row, or if an edit does not fit."""
    if not 0 <= row < examples.rows:
        raise ExamplesError(f"there is no row {row:,}: the set has {examples.rows:,} rows")
    features = {column.name: column for column in examples.features}
    checked = {name: _fitting(features, name, value) for name, value in edits.items()}
    return Point(examples, row, checked)


def feature_named(examples: ExampleSet, name: str) -> Column:
    found = next((column for column in examples.features if column.name == name), None)
    if found is None:
        raise ExamplesError(f"the set has no feature '{name}'")
    return found


def _fitting(features: Mapping[str, Column], name: str, value: Value) -> Value:
    column = features.get(name)
    if column is None:
        raise ExamplesError(f"only features can be changed, want one of {', '.join(features)}: got '{name}'")
    if value is None:
        return None
    if column.type == "boolean":
        return _boolean(name, value)
    if column.type == "number":
        if isinstance(value, str):
            raise ExamplesError(f"the feature takes a number, got '{value}': '{name}'")
        return None if math.isnan(value) else float(value)
    if not isinstance(value, str):
        raise ExamplesError(f"the feature takes a name, got {value}: '{name}'")
    return value


def _boolean(name: str, value: Value) -> bool:
    if value not in (0, 1):  # also True and False
        raise ExamplesError(f"the feature takes true or false, got '{value}': '{name}'")
    return bool(value)
