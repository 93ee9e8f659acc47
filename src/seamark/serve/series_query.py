"""What a request for series asks for, checked: every wrong value is answered with a sentence that names it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, get_args

from starlette.requests import Request

from seamark import plugin
from seamark.format.types import RunName, Tag
from seamark.serve.answers import BadRequestError
from seamark.serve.endpoint import NUMBER, TEXT, Parameter, array_of, choice_of

Axis = Literal["step", "relative", "wall"]
Attempts = Literal["latest", "all"]
SeriesAttempts = Literal["latest", "all", "marked"]
Choice = TypeVar("Choice", bound=str)
AXES: tuple[Axis, ...] = get_args(Axis)
Encoding = Literal["exact", "compact"]
ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)
ATTEMPTS: tuple[Attempts, ...] = get_args(Attempts)
SERIES_ATTEMPTS: tuple[SeriesAttempts, ...] = get_args(SeriesAttempts)
MAX_WIDTH = 100_000
MAX_BODY_BYTES = 16 << 20
MAX_QUESTIONS = 64


@dataclass(frozen=True, slots=True)
class SeriesQuery:
    tag: Tag
    runs: tuple[RunName, ...] | None  # None: every run that has the tag
    axis: Axis = "step"
    start: float | None = None
    stop: float | None = None
    width: int = 0  # pixel columns; 0: every point
    smoothing: float = 0.0
    attempts: SeriesAttempts = "latest"
    columns: tuple[str, ...] | None = None  # None: all there are
    edges: bool = False  # with the nearest point outside the window on either side
    encoding: Encoding = "exact"


PARAMETERS = (
    Parameter("tag", "The tag.", TEXT, required=True),
    Parameter("run", "Which runs; repeat it for several. Default: all that have the tag.", array_of(TEXT)),
    Parameter("axis", "The unit of start and stop.", choice_of(*AXES)),
    Parameter("start", "Where the window begins. Default: at the first point.", NUMBER),
    Parameter("stop", "Where the window ends. Default: at the last point.", NUMBER),
    Parameter(
        "width", "Pixel columns; 0: every point.", {"type": "integer", "minimum": 0, "maximum": MAX_WIDTH, "default": 0}
    ),
    Parameter(
        "smoothing",
        "Weight of the moving average.",
        {"type": "number", "minimum": 0, "exclusiveMaximum": 1, "default": 0},
    ),
    Parameter(
        "attempts",
        "Of a restarted run: the points that count; all, by attempt; or both, what the restart replaced marked.",
        choice_of(*SERIES_ATTEMPTS),
    ),
    Parameter("columns", "Which columns, separated by commas. Default: all.", array_of(TEXT)),
    Parameter("edges", "Also the nearest point outside the window on either side.", choice_of("false", "true")),
    Parameter("encoding", "compact: values as float32, columns that all runs share once.", choice_of(*ENCODINGS)),
)
KNOWN = tuple(parameter.name for parameter in PARAMETERS)


def address_query(request: Request) -> SeriesQuery:
    given: dict[str, Any] = dict(request.query_params)
    for repeated in ("run", "columns"):
        if repeated in given:
            given[repeated] = request.query_params.getlist(repeated)
    if "columns" in given:
        given["columns"] = [name for part in given["columns"] for name in part.split(",")]
    return parse_query(given)


def body_query(body: bytes) -> SeriesQuery:
    """A body has room for thousands of runs."""
    return parse_query(json_object(body))


def body_queries(body: bytes) -> list[SeriesQuery]:
    """Several at once."""
    given = json_object(body).get("questions")
    if not isinstance(given, list) or not 0 < len(given) <= MAX_QUESTIONS:
        raise BadRequestError(f"questions is a list of 1 to {MAX_QUESTIONS} objects")
    if not all(isinstance(question, dict) for question in given):
        raise BadRequestError("a question is a JSON object")
    return [parse_query(question) for question in given]


async def read_body(request: Request) -> bytes:
    try:
        return await plugin.read_body(request, max_bytes=MAX_BODY_BYTES)
    except plugin.BodyError as error:
        raise BadRequestError(str(error)) from None


def json_object(body: bytes) -> dict[str, Any]:
    try:
        given = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadRequestError(f"the request is not JSON: {error}") from None
    if not isinstance(given, dict):
        raise BadRequestError("the request is not a JSON object")
    return given


def parse_query(given: Mapping[str, Any]) -> SeriesQuery:
    unknown = sorted(set(given) - set(KNOWN))
    if unknown:
        raise BadRequestError(f"unknown parameter '{unknown[0]}', want one of {', '.join(KNOWN)}")
    if not isinstance(given.get("tag"), str):
        raise BadRequestError("no tag given")
    width = number(given, "width", 0.0)
    if not 0 <= width <= MAX_WIDTH:
        raise BadRequestError(f"width is a number of pixels from 0 to {MAX_WIDTH:,}, got {width:g}")
    smoothing = number(given, "smoothing", 0.0)
    if not 0 <= smoothing < 1:
        raise BadRequestError(f"smoothing is at least 0 and less than 1, got {smoothing:g}")
    runs, columns = names(given, "run"), names(given, "columns")
    return SeriesQuery(
        tag=Tag(given["tag"]),
        runs=None if runs is None else tuple(RunName(run) for run in dict.fromkeys(runs)),
        axis=choice(given, "axis", AXES),
        start=None if given.get("start") in (None, "") else number(given, "start", 0.0),
        stop=None if given.get("stop") in (None, "") else number(given, "stop", 0.0),
        width=int(width),
        smoothing=smoothing,
        attempts=choice(given, "attempts", SERIES_ATTEMPTS),
        columns=None if columns is None else tuple(columns),
        edges=flag(given, "edges"),
        encoding=choice(given, "encoding", ENCODINGS),
    )


def number(given: Mapping[str, Any], name: str, default: float) -> float:
    try:
        value = float(given.get(name, default))
    except (TypeError, ValueError, OverflowError):
        raise BadRequestError(f"{name} is not a number: {given[name]!r}") from None
    if not math.isfinite(value):
        raise BadRequestError(f"{name} is not a finite number: {given[name]!r}")
    return value


def choice(given: Mapping[str, Any], name: str, choices: tuple[Choice, ...]) -> Choice:
    wanted = given.get(name, choices[0])
    for value in choices:
        if value == wanted:
            return value
    raise BadRequestError(f"{name} is one of {', '.join(choices)}, got {wanted!r}")


def flag(given: Mapping[str, Any], name: str) -> bool:
    """True and false in JSON, the same words in an address."""
    value = given.get(name, False)
    if value not in (True, False, "true", "false"):
        raise BadRequestError(f"{name} is true or false, got {value!r}")
    return value in (True, "true")


def names(given: Mapping[str, Any], name: str) -> list[str] | None:
    value = given.get(name)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise BadRequestError(f"{name} is not a list of names: {value!r}"[:200])
    return value
