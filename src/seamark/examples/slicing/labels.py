"""What people read about a condition: "25 to 64" within its column, "age 25 to 64" on its own."""

from __future__ import annotations

import math

from seamark.examples.results.result import Condition

MISSING_NAME = "missing"


def number_text(value: float) -> str:
    """All digits, without the ".0" of whole numbers."""
    return str(int(value)) if value == math.floor(value) and abs(value) < 1e15 else repr(float(value))


def range_name(at_least: float | None, below: float | None, *, is_whole: bool) -> str:
    """Of whole numbers, both ends are included: 25 ≤ x < 65 is "25 to 64"."""
    if at_least is None:
        return "all" if below is None else f"under {number_text(below)}"
    if below is None:
        return f"{number_text(at_least)} or more"
    last = below - 1 if is_whole else below
    if is_whole and last <= at_least:
        return number_text(at_least)
    return f"{number_text(at_least)} to {number_text(last)}"


def range_condition(column: str, at_least: float | None, below: float | None, *, is_whole: bool) -> Condition:
    return Condition(column, (), at_least, below, _range_label(column, at_least, below, is_whole=is_whole))


def values_condition(column: str, *values: str) -> Condition:
    """Of a category, a boolean or whole numbers; "" stands for missing."""
    names = [value for value in values if value]
    if not names:
        return Condition(column, values, label=f"{column} is missing")
    label = f"{column} = {' or '.join(names)}"
    return Condition(column, values, label=label if len(names) == len(values) else f"{label} or missing")


def _range_label(column: str, at_least: float | None, below: float | None, *, is_whole: bool) -> str:
    if at_least is None and below is not None:
        return f"{column} < {number_text(below)}"
    if below is None and at_least is not None:
        return f"{column} ≥ {number_text(at_least)}"
    name = range_name(at_least, below, is_whole=is_whole)
    return f"{column} = {name}" if is_whole and " " not in name else f"{column} {name}"
