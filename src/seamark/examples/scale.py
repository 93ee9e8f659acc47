"""A unit in which powers of numbers neither overflow nor underflow."""

from __future__ import annotations

import numpy as np

from seamark.tables.column import Numbers

LARGE = 1e75  # whose fourth power is a number, and whose inverse's is one


def safe_unit(*columns: Numbers) -> float:
    """1 for ordinary numbers, whose digits then do not change; else the largest absolute value."""
    largest = max((float(np.abs(values).max()) for values in columns if len(values)), default=0.0)
    return largest if largest > LARGE or 0 < largest < 1 / LARGE else 1.0
