"""What a parameter of an address may be, and the sentence about what it may not."""

from __future__ import annotations

import pytest

from seamark.serve.answers import BadRequestError
from seamark.serve.endpoint import Parameter, Schema, read_value

WIDTH: Schema = {"type": "integer", "minimum": 0, "maximum": 100_000}
SMOOTHING: Schema = {"type": "number", "minimum": 0, "exclusiveMaximum": 1}


@pytest.mark.parametrize(
    ("schema", "text", "reason"),
    [
        (WIDTH, "-1", "x is at least 0 and at most 100,000, got -1"),
        (WIDTH, "100001", "x is at least 0 and at most 100,000, got 100001"),
        (SMOOTHING, "1", "x is at least 0 and less than 1, got 1"),
        (SMOOTHING, "nan", "x is at least 0 and less than 1, got nan"),
        (WIDTH, "wide", "x is not a number: 'wide'"),
    ],
)
def test_a_number_outside_its_limits_is_told_both(schema: Schema, text: str, reason: str) -> None:
    with pytest.raises(BadRequestError) as error:
        read_value(Parameter("x", "A number.", schema), [text])
    assert str(error.value) == reason


def test_the_limits_themselves_are_inside() -> None:
    assert read_value(Parameter("x", "A number.", WIDTH), ["100000"]) == 100_000
    assert read_value(Parameter("x", "A number.", SMOOTHING), ["0"]) == 0.0
