"""Columns from the values of any source, with the type that they look like."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.tables.column import MISSING, Codes, Column, ColumnType

# A column is a category if it has at most so many names, and each is that of two rows on average.
MAX_CATEGORIES = 256
MIN_ROWS_PER_CATEGORY = 2
BOOLEANS = {"true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0}
NO_VALUES = frozenset({"", "nan", "null", "none", "na", "n/a"})
# Larger whole numbers are not exact as float64: they are keys, and stay text.
MAX_EXACT = 2**53


def column_of_texts(name: str, values: Iterable[str | None]) -> Column:
    """A column of numbers, booleans, names or texts, whatever all present values are."""
    codes, texts = encode_texts(values)
    return column_of_codes(name, codes, texts)


def column_of_names(name: str, values: Iterable[str | None], type: ColumnType | None = None) -> Column:
    codes, texts = encode_texts(values)
    return named_column(name, codes, texts, type)


def encode_texts(values: Iterable[str | None]) -> tuple[Codes, list[str]]:
    """A code for each value, and the text of each code."""
    code_of: dict[str, int] = {}
    codes = [MISSING if value is None else code_of.setdefault(value, len(code_of)) for value in values]
    return np.array(codes, np.int32), list(code_of)


def column_of_codes(name: str, codes: Codes, texts: Sequence[str]) -> Column:
    """A column whose rows have one of `texts` each, which are judged once, however many rows have them."""
    is_missing = np.array([*(text.strip().lower() in NO_VALUES for text in texts), True])
    present = [text for text, missing in zip(texts, is_missing, strict=False) if not missing]
    for type, parse in (("boolean", parse_boolean), ("number", parse_number)):
        if type == "boolean" and not present:
            continue
        numbers = [math.nan if missing else parse(text) for text, missing in zip(texts, is_missing, strict=False)]
        if None not in numbers:
            return Column(name, type, numbers=np.array([*numbers, math.nan], np.float64)[codes])  # type: ignore[arg-type]
    return named_column(name, np.where(is_missing[codes], MISSING, codes).astype(np.int32), texts)


def parse_boolean(text: str) -> float | None:
    return BOOLEANS.get(text.strip().lower())


def parse_number(text: str) -> float | None:
    """None if it is no number: unlike Python's, a number has no underscores, and is exact if it is whole."""
    try:
        number = float(text)
    except ValueError:
        return None
    if "_" in text:
        return None
    if abs(number) >= MAX_EXACT:
        digits = text.strip().lstrip("+-")
        if digits.isdecimal() and int(digits[:400]) != abs(number):
            return None
    return number


def named_column(name: str, codes: Codes, texts: Sequence[str], type: ColumnType | None = None) -> Column:
    """A category with its names by descending count, or a text with its names as they come."""
    counts = np.bincount(codes[codes >= 0], minlength=len(texts))
    is_used = counts > 0
    distinct = int(is_used.sum())
    is_category = distinct <= MAX_CATEGORIES and distinct * MIN_ROWS_PER_CATEGORY <= max(2, len(codes))
    chosen = type or ("category" if is_category else "text")
    order = np.argsort(-counts, kind="stable") if chosen == "category" else np.arange(len(texts))
    order = order[is_used[order]]
    positions = np.full(len(texts) + 1, MISSING, np.int32)  # the last is that of MISSING
    positions[order] = np.arange(len(order), dtype=np.int32)
    return Column(name, chosen, codes=positions[codes], names=tuple(texts[index] for index in order.tolist()))


def number_column(name: str, values: NDArray[Any]) -> Column:
    """From any array of numbers or booleans."""
    type: ColumnType = "boolean" if values.dtype.kind == "b" else "number"
    if values.dtype.kind in "iu" and values.size and not _is_exact(values):
        return column_of_names(name, map(str, values.tolist()))
    return Column(name, type, numbers=np.ascontiguousarray(values, np.float64))


def _is_exact(values: NDArray[Any]) -> bool:
    return int(values.min()) >= -MAX_EXACT and int(values.max()) <= MAX_EXACT


def column_of_values(name: str, values: Sequence[Any]) -> Column:
    """From values as JSON has them. Strings stay names, even if they look like numbers; lists become their JSON."""
    types = set(map(type, values)) - {type(None)}
    if types and types <= {bool}:
        return Column(name, "boolean", numbers=_floats(values))
    if types <= {int, float}:
        if int not in types or all(abs(value) <= MAX_EXACT for value in values if type(value) is int):
            return Column(name, "number", numbers=_floats(values))
        return column_of_names(name, [None if value is None else str(value) for value in values])
    return column_of_names(name, [text_of(value) for value in values])


def _floats(values: Sequence[float | None]) -> NDArray[np.float64]:
    return np.array([math.nan if value is None else value for value in values], np.float64)


def text_of(value: Any) -> str | None:
    """A value that is no number as text; None if it is missing."""
    if value is None or (isinstance(value, str) and not value):
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)
