"""Values in a query: one per run, or one for all runs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns.column import Column, objects

NUMBERLIKE = ("number", "bool", "time", "duration")
TYPE_NAMES = {
    "number": "a number", "bool": "true or false", "time": "a time", "duration": "a duration", "text": "text",
    "list": "a list", "items": "a list", "mixed": "numbers and text", "none": "None",
}  # fmt: skip


class ValueTypeError(ValueError):
    """Values of incompatible types; the message is one sentence. `item` counts those of a list, if one is to blame."""

    def __init__(self, message: str, *, item: int | None = None) -> None:
        super().__init__(message)
        self.item = item


@dataclass(frozen=True, slots=True, eq=False)
class Vector:
    """`values` and `present` have one entry per run, or no dimension: then the value is the same for all.

    Types: number, bool, time, duration, text, list, mixed, none, and items (a list written in the query).
    """

    type: str
    values: NDArray[Any]
    present: NDArray[np.bool_]
    items: tuple[Vector, ...] = ()
    name: str = ""


def vector_of(column: Column) -> Vector:
    return Vector("mixed" if column.mixed else column.type, column.values, column.present, name=column.name)


def constant(value: Any) -> Vector:
    there = np.array(True)
    if value is None:
        return Vector("none", np.array(None), np.array(False))
    if isinstance(value, bool):
        return Vector("bool", np.array(value), there)
    if isinstance(value, int | float):
        return Vector("number", np.array(float(value)), there)
    text = np.empty((), object)
    text[()] = value
    return Vector("text", text, there)


def boolean(values: NDArray[np.bool_], present: NDArray[np.bool_]) -> Vector:
    return Vector("bool", values, present)


def truth(vector: Vector) -> Vector:
    """As in Python: zero, "" and the empty list are false."""
    match vector.type:
        case "bool":
            return vector
        case "number" | "time" | "duration":
            return boolean(vector.values != 0, vector.present)
        case "text" | "list" | "mixed":
            return boolean(mapped(bool, vector.values, bool), vector.present)
        case "none":
            return boolean(np.array(False), np.array(True))
    raise ValueTypeError("a list is neither true nor false; use it with 'in'")


def number(vector: Vector, doing: str) -> Vector:
    """For arithmetic. For a mixed column, its numbers."""
    if vector.type == "mixed":
        return numbers_of(vector)
    if vector.type not in NUMBERLIKE:
        raise ValueTypeError(f"{doing} needs numbers, and {describe(vector)} is {TYPE_NAMES[vector.type]}")
    return Vector(vector.type, vector.values.astype(float), vector.present)


def text(vector: Vector, doing: str) -> Vector:
    if vector.type == "mixed":
        return texts_of(vector)
    if vector.type != "text":
        raise ValueTypeError(f"{doing} needs text, and {describe(vector)} is {TYPE_NAMES[vector.type]}")
    return vector


def numbers_of(mixed: Vector) -> Vector:
    is_number = mapped(lambda value: isinstance(value, int | float), mixed.values, bool)
    values = mapped(lambda value: float(value) if isinstance(value, int | float) else 0.0, mixed.values, float)
    return Vector("number", values, mixed.present & is_number, name=mixed.name)


def texts_of(mixed: Vector) -> Vector:
    is_text = mapped(lambda value: isinstance(value, str), mixed.values, bool)
    values = objects(value if isinstance(value, str) else "" for value in mixed.values.tolist())
    return Vector("text", values, mixed.present & is_text, name=mixed.name)


def time_of(vector: Vector) -> Vector:
    """Text such as "2026-11-01" or "2026-11-01 12:30" in the query, as seconds; UTC unless it says otherwise."""
    if vector.values.ndim:
        raise ValueTypeError('compare a time with a string in the query, such as "2026-11-01"')
    written = str(vector.values[()])
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        raise ValueTypeError(f'\'{written}\' is not a time; write "2026-11-01" or "2026-11-01 12:30"') from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return Vector("time", np.array(moment.timestamp()), np.array(True))


def describe(vector: Vector) -> str:
    if vector.name:
        return f"'{vector.name}'"
    if vector.type == "items" or vector.values.ndim:
        return "this"
    value = vector.values.tolist()
    return repr(int(value) if isinstance(value, float) and value.is_integer() else value)


def mapped(function: Any, values: NDArray[Any], dtype: type) -> NDArray[Any]:
    """`function` of every value, with or without a dimension."""
    if values.ndim == 0:
        return np.array(function(values[()]), dtype)
    return np.array([function(value) for value in values.tolist()], dtype)
