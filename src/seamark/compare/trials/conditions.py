"""Conditions on a column: ranges of numbers, words, missing values. A trial matches if any of them holds."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns.column import NUMBERS, Cell, Column

# A range with both ends, a word, or None for a missing value. In a column of numbers "NaN" is NaN and the infinities.
Condition = tuple[float, float] | str | None
Conditions = Mapping[str, Sequence[Condition]]
NON_FINITE = "NaN"


def matching(column: Column, conditions: Sequence[Condition]) -> NDArray[np.bool_]:
    """The rows for which a condition holds."""
    found = ~column.present if None in conditions else np.zeros(len(column.values), bool)
    if column.type in NUMBERS:
        finite = np.isfinite(column.values) & column.present
        if NON_FINITE in conditions:
            found |= column.present & ~finite
        for low, high in (one for one in conditions if isinstance(one, tuple)):
            found |= finite & (column.values >= low) & (column.values <= high)
        return found
    codes, cells = column.categories
    words = {one for one in conditions if isinstance(one, str)}
    matches: NDArray[np.bool_] = np.array([*(is_one_of(cell, words) for cell in cells), False])  # last: missing
    found |= matches[codes]
    return found


def is_one_of(cell: Cell, words: set[str]) -> bool:
    """Numbers match however they are spelled."""
    if isinstance(cell, bool):
        return str(cell).lower() in words
    if isinstance(cell, int | float):
        return any(is_same(cell, float_of(word)) for word in words)
    return (cell if isinstance(cell, str) else json.dumps(cell, separators=(",", ":"), ensure_ascii=False)) in words


def is_same(number: float, other: float | None) -> bool:
    return other is not None and (number == other or (math.isnan(number) and math.isnan(other)))


def float_of(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None
