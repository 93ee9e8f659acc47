"""Features and changed values as frames carry them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from seamark.examples.form import ExampleSet, Overrides, PredictError, Value
from seamark.examples.predict.frames import Array, Header
from seamark.examples.predict.pictures import pack_pictures
from seamark.tables.column import MISSING, Column


def pack_features(examples: ExampleSet) -> tuple[list[Header], dict[str, Array]]:
    """An array for each feature. An image column has two more: its pictures, by the names that its codes mean."""
    entries: list[Header] = []
    arrays: dict[str, Array] = {}
    for index, column in enumerate(examples.features):
        entries.append({"name": column.name, "type": column.type, "names": list(column.names)})
        values = column.numbers if column.numbers is not None else column.codes
        assert values is not None
        arrays[str(index)] = values
        if column.type == "image":
            pictures, ends = pack_pictures(examples, column.name, column.names)
            arrays |= {f"pictures{index}": pictures, f"ends{index}": ends}
    return entries, arrays


def pack_overrides(
    features: Sequence[Column], overrides: Overrides, rows: int
) -> tuple[list[Header], dict[str, Array]]:
    """Entries name the feature by its position; names are sent once, with a code for each row."""
    position = {column.name: index for index, column in enumerate(features)}
    entries: list[Header] = []
    arrays: dict[str, Array] = {}
    for name, values in overrides.items():
        if name not in position:
            raise PredictError(f"only features can be changed, want one of {', '.join(position)}; got '{name}'")
        if len(values) != rows:
            raise PredictError(f"the feature '{name}' has {len(values)} changed values for {rows} rows")
        column = features[position[name]]
        names: list[str] = []
        if column.numbers is not None:
            packed = _numbers(column, values)
        else:
            packed, names = _codes(values)
        arrays[f"override{len(entries)}"] = packed
        entries.append({"feature": position[name], "names": names})
    return entries, arrays


def _numbers(column: Column, values: Sequence[Value]) -> Array:
    if isinstance(values, np.ndarray) and values.dtype.kind in "fiub":
        return values.astype(np.float64)
    try:
        return np.array([np.nan if value is None else float(value) for value in values], np.float64)
    except ValueError:
        wrong: Any = next(value for value in values if isinstance(value, str) and not _is_number(value))
        raise PredictError(f"the feature '{column.name}' takes numbers, got '{wrong}'") from None


def _codes(values: Sequence[Value]) -> tuple[Array, list[str]]:
    code: dict[str, int] = {}
    codes = [MISSING if value is None else code.setdefault(_as_name(value), len(code)) for value in values]
    return np.array(codes, np.int32), list(code)


def _as_name(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
