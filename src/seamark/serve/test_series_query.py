"""Every wrong value is answered with a sentence that names it."""

from __future__ import annotations

from typing import Any

import pytest

from seamark.serve.answers import BadRequestError
from seamark.serve.series_query import SeriesQuery, parse_query


def test_a_tag_is_enough() -> None:
    query = parse_query({"tag": "loss"})
    assert (query.tag, query.runs, query.axis, query.width, query.attempts) == ("loss", None, "step", 0, "latest")


def test_text_from_an_address_and_numbers_from_json_mean_the_same() -> None:
    from_address = {"tag": "loss", "run": ["a", "b", "a"], "start": "1", "stop": "", "width": "800", "smoothing": "0.6"}
    from_json = {"tag": "loss", "run": ["a", "b"], "start": 1, "stop": None, "width": 800, "smoothing": 0.6}
    assert parse_query(from_address) == parse_query(from_json)
    assert isinstance(parse_query(from_json), SeriesQuery)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({}, "no tag given"),
        ({"tag": 7}, "no tag given"),
        ({"tag": "a", "axis": "time"}, "axis is one of step, relative, wall, got 'time'"),
        ({"tag": "a", "axis": ["step"]}, "axis is one of"),
        ({"tag": "a", "width": "wide"}, "width is not a number: 'wide'"),
        ({"tag": "a", "width": -1}, "width is a number of pixels"),
        ({"tag": "a", "width": 1e9}, "width is a number of pixels"),
        ({"tag": "a", "smoothing": 1}, "smoothing is at least 0 and less than 1"),
        ({"tag": "a", "start": "nan"}, "start is not a finite number"),
        ({"tag": "a", "stop": [1]}, "stop is not a number"),
        ({"tag": "a", "run": "b"}, "run is not a list of names"),
        ({"tag": "a", "run": [1]}, "run is not a list of names"),
        ({"tag": "a", "attempts": "first"}, "attempts is one of latest, all"),
        ({"tag": "a", "zoom": 1}, "unknown parameter 'zoom'"),
    ],
)
def test_wrong_values_are_named(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadRequestError, match=reason):
        parse_query(given)
