"""Scalar points as JSON text, made by the core without the GIL. Non-finite numbers are strings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seamark import _core


def rows_json(walls: NDArray[np.float64], steps: NDArray[np.int64], values: NDArray[np.float64]) -> bytes:
    """[[wall time, step, value], …]"""
    return _core.points_json(walls, steps, values, _core.POINTS_ROWS)


def objects_json(walls: NDArray[np.float64], steps: NDArray[np.int64], values: NDArray[np.float64]) -> bytes:
    """[{"wallTime": …, "step": …, "value": …}, …]"""
    return _core.points_json(walls, steps, values, _core.POINTS_OBJECTS)
