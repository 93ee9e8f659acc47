"""Non-finite numbers as text: one spelling for run.json, HTTP responses, CSV and terminal output."""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Mapping
from typing import Any

# JSON has no numbers for these. TensorBoard's responses use the same strings.
NON_FINITE: Mapping[str, float] = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_JSON_TYPES = frozenset({str, int, bool, type(None)})


def format_float(value: float) -> str:
    """All digits of a number, or the name of a non-finite one."""
    if math.isfinite(value):
        return repr(value)
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def json_number(value: float) -> float | str:
    """The number itself, or the name of a non-finite one."""
    return value if math.isfinite(value) else format_float(value)


def finite_or_none(value: float | None) -> float | None:
    """The number, or None for a non-finite one, such as a time that cannot be known."""
    return value if value is not None and math.isfinite(value) else None


def parse_non_finite(value: Any) -> Any:
    """The number that "NaN", "Infinity" or "-Infinity" names; every other value unchanged."""
    return NON_FINITE.get(value, value) if isinstance(value, str) else value


def json_safe(value: Any) -> Any:
    """A copy that JSON can hold: names for non-finite numbers, objects for dataclasses, strings for paths and keys."""
    if type(value) in _JSON_TYPES:
        return value
    if isinstance(value, float):
        return json_number(value)
    if isinstance(value, Mapping):
        return {str(key): json_safe(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: json_safe(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return os.fspath(value) if isinstance(value, os.PathLike) else value
