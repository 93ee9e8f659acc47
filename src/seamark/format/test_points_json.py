"""The core's JSON text reads back as the same points."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from seamark import _core
from seamark.format.points_json import objects_json, rows_json


def test_numbers_read_back_exactly() -> None:
    drawn = np.random.default_rng(1)
    walls, steps = drawn.random(1000) * 2e9, np.arange(1000) - 1
    values = drawn.standard_normal(1000) * 10.0 ** drawn.integers(-300, 300, 1000)
    rows = json.loads(rows_json(walls, steps, values))
    assert rows == [list(row) for row in zip(walls.tolist(), steps.tolist(), values.tolist(), strict=True)]
    assert all(type(number) is float for row in rows for number in (row[0], row[2]))
    names = ("wallTime", "step", "value")
    assert json.loads(objects_json(walls, steps, values)) == [dict(zip(names, row, strict=True)) for row in rows]


def test_non_finite_numbers_are_strings() -> None:
    walls, values = np.array([0.0, 1e300, math.inf]), np.array([math.nan, math.inf, -math.inf])
    rows = json.loads(rows_json(walls, np.arange(3), values))
    assert rows == [[0.0, 0, "NaN"], [1e300, 1, "Infinity"], ["Infinity", 2, "-Infinity"]]
    assert rows_json(walls[:0], np.arange(0), values[:0]) == b"[]"


def test_columns_of_different_lengths_are_rejected() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        rows_json(np.zeros(2), np.zeros(1, np.int64), np.zeros(2))
    with pytest.raises(ValueError, match="unknown layout"):
        _core.points_json(np.zeros(0), np.zeros(0, np.int64), np.zeros(0), 7)
