"""Parameters and bodies are parsed into structs; what does not fit is explained in one sentence."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from seamark.format.types import Tag
from seamark.plugin import RequestError, RequestStruct, parse_body, parse_parameters


class Inner(RequestStruct, kw_only=True):
    tag: Tag
    goal: Literal["min", "max"] = "min"


class Example(RequestStruct, kw_only=True):
    tag: Tag
    run: tuple[str, ...] | None = None
    axis: Literal["step", "wall"] = "step"
    start: float | None = None
    width: Annotated[int, Meta(ge=0, le=100_000)] = 0
    smoothing: Annotated[float, Meta(ge=0, lt=1)] = 0.0
    edges: bool = False
    tail: Annotated[int, Meta(ge=1)] = 10
    share: Annotated[float, Meta(ge=0, le=0.5)] = 0.0
    size: Annotated[int, Meta(le=2_000_000)] = 0
    begin: str = msgspec.field(name="from", default="")
    requests: Annotated[list[Inner], Meta(min_length=1, max_length=2)] = msgspec.field(default_factory=list)
    goals: dict[str, Inner] = msgspec.field(default_factory=dict)
    note: Annotated[str, Meta(max_length=3)] = ""


class Tolerant(Example, forbid_unknown_fields=False):
    pass


def error_of(call: Any, *arguments: Any) -> tuple[str, str]:
    with pytest.raises(RequestError) as caught:
        call(*arguments)
    return str(caught.value), caught.value.code


def test_values_of_a_query_become_the_declared_types() -> None:
    pairs = [("tag", "loss"), ("run", "a"), ("run", "null"), ("width", "7"), ("smoothing", "0.5"), ("edges", "true")]
    parsed = parse_parameters(Example, [*pairs, ("start", "-1e3"), ("from", "x"), ("axis", "step"), ("axis", "wall")])
    assert (parsed.tag, parsed.run, parsed.width, parsed.smoothing) == ("loss", ("a", "null"), 7, 0.5)
    assert (parsed.edges, parsed.start, parsed.begin, parsed.axis) == (True, -1000.0, "x", "step")


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("width", "-1", "width must be a whole number from 0 to 100,000, got '-1'"),
        ("width", "100001", "width must be a whole number from 0 to 100,000, got '100001'"),
        ("width", "wide", "width must be a whole number from 0 to 100,000, got 'wide'"),
        ("width", "9" * 400, f"width must be a whole number from 0 to 100,000, got '{'9' * 80}'… (400 characters)"),
        ("smoothing", "1", "smoothing must be a number of at least 0 and less than 1, got '1'"),
        ("smoothing", "nan", "smoothing must be a number of at least 0 and less than 1, got 'nan'"),
        ("share", "0.6", "share must be a number from 0 to 0.5, got '0.6'"),
        ("size", "2000001", "size must be a whole number of at most 2,000,000, got '2000001'"),
        ("tail", "0", "tail must be a whole number of at least 1, got '0'"),
        ("start", "soon", "start must be a number, got 'soon'"),
        ("start", "inf", "start must be a finite number, got 'inf'"),
        ("axis", "miles", "axis must be one of step, wall, got 'miles'"),
        ("edges", "maybe", "edges must be true or false, got 'maybe'"),
        ("note", "long", "note must be text of at most 3 characters, got 'long'"),
    ],
)
def test_a_wrong_value_names_the_parameter_and_what_it_must_be(name: str, value: str, sentence: str) -> None:
    assert error_of(parse_parameters, Example, [("tag", "a"), (name, value)]) == (sentence, "invalid_parameter")


def test_unknown_and_missing_parameters_are_named() -> None:
    known = ", ".join(Example.__struct_encode_fields__)
    unknown = error_of(parse_parameters, Example, [("tag", "a"), ("nonsense", "1")])
    assert unknown == (f"unknown parameter 'nonsense', want one of {known}", "unknown_parameter")
    assert error_of(parse_parameters, Example, []) == ("missing parameter 'tag'", "missing_parameter")
    assert parse_parameters(Tolerant, [("tag", "a"), ("nonsense", "1")]).tag == "a"


@pytest.mark.parametrize(
    ("given", "sentence", "code"),
    [
        ({"tag": 7}, "tag must be text, got 7", "invalid_parameter"),
        ({"tag": "a", "width": "7"}, "width must be a whole number from 0 to 100,000, got '7'", "invalid_parameter"),
        ({"tag": "a", "width": True}, "width must be a whole number from 0 to 100,000, got True", "invalid_parameter"),
        ({"tag": "a", "run": "b"}, "run must be a list of strings, got 'b'", "invalid_parameter"),
        ({"tag": "a", "run": ["b", 3]}, "run[1] must be text, got 3", "invalid_parameter"),
        ({"tag": "a", "requests": []}, "requests must be a list of 1 to 2 objects, got 0 entries", "invalid_parameter"),
        ({"tag": "a", "requests": [3]}, "requests[0] must be an object, got 3", "invalid_parameter"),
        ({"tag": "a", "requests": [{}]}, "missing parameter 'requests[0].tag'", "missing_parameter"),
        ({"tag": "a", "goals": {"x": {"tag": 1}}}, "goals[…].tag must be text", "invalid_parameter"),
        (
            {"tag": "a", "requests": [{"tag": "b", "x": 1}]},
            "unknown parameter 'requests[0].x', want one of tag, goal",
            "unknown_parameter",
        ),
    ],
)
def test_a_wrong_body_names_the_field(given: dict[str, Any], sentence: str, code: str) -> None:
    assert error_of(parse_body, Example, json.dumps(given).encode()) == (sentence, code)


@pytest.mark.parametrize("body", [b"", b"{", b"[1]", b"\xff", b'{"tag": NaN}', b'{"a":' * 100_000])
def test_a_body_that_is_no_json_object_is_an_error(body: bytes) -> None:
    sentence, code = error_of(parse_body, Example, body)
    assert code == "invalid_body" and sentence.startswith("the request body ")


@pytest.mark.parametrize("body", [r'{"\ud800": 1}', r'{"tag": "a", "axis": "\ud800"}'])
def test_half_a_character_is_no_field_and_no_choice(body: str) -> None:
    sentence = r"'\ud800' is neither a parameter nor a choice of this route"
    assert error_of(parse_body, Example, body.encode()) == (sentence, "invalid_parameter")


def test_a_name_that_is_not_utf8_passes_through() -> None:
    assert parse_body(Example, b'{"tag": "a", "run": ["b\\udcff"]}').run == ("b\udcff",)
