"""Columns as another type: numbers as categories, texts as numbers where possible."""

from __future__ import annotations

import math

import numpy as np

from seamark.tables.build import BOOLEANS, named_column, parse_number
from seamark.tables.column import MISSING, Column, ColumnType

# More names than this are no categories but keys or measured values.
MAX_CATEGORY_NAMES = 10_000
MAX_SHOWN_CHARACTERS = 40
SWITCHES = {**BOOLEANS, "1": 1.0, "0": 0.0, "1.0": 1.0, "0.0": 0.0}


def convert_column(column: Column, type: ColumnType) -> tuple[Column, str]:
    """The column as that type, and a sentence about values that do not fit; "" if all do."""
    if type == column.type:
        return column, ""
    if type in ("number", "boolean"):
        return _to_numbers(column, type)
    named = _named(column)
    if type == "category" and len(named.names) > MAX_CATEGORY_NAMES:
        return column, (
            f"the column '{column.name}' stays {column.type}: it has {len(named.names):,} different values, "
            f"want at most {MAX_CATEGORY_NAMES:,} for a category"
        )
    assert named.codes is not None
    return named_column(column.name, named.codes, named.names, type), ""


def format_number(number: float) -> str:
    """A number as the name of a class: "3", not "3.0"."""
    if number.is_integer() and abs(number) < 1e15:
        return str(int(number))
    return repr(number)


def _named(column: Column) -> Column:
    """Numbers and booleans as names."""
    if column.numbers is None:
        return column
    values, codes = np.unique(column.numbers[column.present], return_inverse=True)
    if column.type == "boolean":
        names = ["true" if value else "false" for value in values.tolist()]
    else:
        names = [format_number(value) for value in values.tolist()]
    all_codes = np.full(len(column), MISSING, np.int32)
    all_codes[column.present] = codes
    return Column(column.name, "text", codes=all_codes, names=tuple(names))


def _to_numbers(column: Column, type: ColumnType) -> tuple[Column, str]:
    if column.numbers is not None:
        if type == "number":
            return Column(column.name, type, numbers=column.numbers), ""
        fits = np.isnan(column.numbers) | np.isin(column.numbers, (0.0, 1.0))
        numbers = np.where(fits, column.numbers, math.nan)
    else:
        assert column.codes is not None
        parsed = [_number_of(name, type) for name in column.names]
        table = np.array([*(math.nan if value is None else value for value in parsed), math.nan])
        unfit = np.array([*(value is None for value in parsed), False])
        numbers, fits = table[column.codes], ~unfit[column.codes]
    converted = Column(column.name, type, numbers=numbers)
    rows = np.flatnonzero(~fits)
    if not len(rows):
        return converted, ""
    example = str(column.value(int(rows[0])))[:MAX_SHOWN_CHARACTERS]
    want = "a number" if type == "number" else "true or false"
    missing = "1 value is" if len(rows) == 1 else f"{len(rows):,} values are"
    return converted, f"{missing} missing now in '{column.name}': got '{example}', want {want}"


def _number_of(name: str, type: ColumnType) -> float | None:
    return SWITCHES.get(name.strip().lower()) if type == "boolean" else parse_number(name)
