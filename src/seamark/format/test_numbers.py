"""Non-finite numbers have one spelling, and it can be read back."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

import pytest

from seamark.format.numbers import NON_FINITE, format_float, json_number, json_safe, parse_non_finite


@pytest.mark.parametrize(("value", "text"), [(0.1, "0.1"), (1e300, "1e+300"), (-0.0, "-0.0")])
def test_a_finite_number_keeps_all_its_digits(value: float, text: str) -> None:
    assert format_float(value) == text
    assert json_number(value) == value


@pytest.mark.parametrize("name", NON_FINITE)
def test_a_non_finite_number_is_written_as_its_name_and_read_back(name: str) -> None:
    number = parse_non_finite(name)
    assert format_float(number) == json_number(number) == name
    assert math.isnan(number) if name == "NaN" else number == float(name.lower())


@pytest.mark.parametrize("value", ["nan", "1.0", "", 3, None, [1]])
def test_other_values_are_not_parsed(value: object) -> None:
    assert parse_non_finite(value) is value


@dataclass
class Point:
    step: int
    value: float


def test_nested_values_become_json() -> None:
    given = {"points": (Point(1, math.nan), Point(2, 0.5)), 3: [math.inf, None, True], "path": Path("a/b")}
    want = {
        "points": [{"step": 1, "value": "NaN"}, {"step": 2, "value": 0.5}],
        "3": ["Infinity", None, True],
        "path": "a/b",
    }
    assert json.loads(json.dumps(json_safe(given), allow_nan=False)) == want
