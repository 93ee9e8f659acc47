"""Sentences for values that do not fit a struct, in place of msgspec's messages."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from seamark.plugin.errors import RequestError

if TYPE_CHECKING:
    from msgspec import inspect

MAX_SHOWN = 80
# Patterns of msgspec's messages. They are compiled by the first error, not by the start of the server.
MISSING = r"Object missing required field `(?P<name>[^`]*)`"
UNKNOWN = r"Object contains unknown field `(?P<name>[^`]*)`"
PATH = r" - at `(?:key` in `)?\$(?P<path>[^`]*)`$"
STEP = r"\.(?P<name>[^.\[]+)|\[(?P<index>\d+|\.\.\.)\]"
ABSENT = object()


@functools.cache
def parameter_names(struct: type[msgspec.Struct]) -> Mapping[str, str]:
    """The names in a request, with the attributes that hold them."""
    return dict(zip(struct.__struct_encode_fields__, struct.__struct_fields__, strict=True))


@functools.cache
def struct_info(struct: type[msgspec.Struct]) -> inspect.StructType:
    from msgspec import inspect  # only the first request needs it

    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    return info


@functools.cache
def repeatable_names(struct: type[msgspec.Struct]) -> frozenset[str]:
    return frozenset(
        field.encode_name for field in struct_info(struct).fields if any(map(is_list, options(field.type)))
    )


def is_repeatable(struct: type[msgspec.Struct], name: str) -> bool:
    return name in repeatable_names(struct)


def explain(error: msgspec.ValidationError, struct: type[msgspec.Struct], given: object) -> RequestError:
    """The error with the name of the parameter, what it must be, and the given value."""
    message = str(error)
    match = re.search(PATH, message)
    steps = list(path_steps(match["path"])) if match else []
    where = path_text(steps)
    if missing := re.match(MISSING, message):
        name = f"{where}.{missing['name']}" if where else missing["name"]
        return RequestError(f"missing parameter '{name}'", code="missing_parameter")
    expected = expected_at(struct_info(struct), steps)
    if unknown := re.match(UNKNOWN, message):
        name = f"{where}.{unknown['name']}" if where else unknown["name"]
        known = [field.encode_name for one in options(expected) for field in getattr(one, "fields", ())]
        return RequestError(f"unknown parameter '{name}', want one of {', '.join(known)}", code="unknown_parameter")
    got = value_at(given, steps)
    ending = "" if got is ABSENT else f", got {shown(got, expects_list=any(map(is_list, options(expected))))}"
    return RequestError(
        f"{where or 'the request body'} must be {description_of(expected)}{ending}", code="invalid_parameter"
    )


def path_steps(path: str) -> Iterator[str | int]:
    """ ".requests[3].width" as "requests", 3, "width"; a key of a mapping, which msgspec does not name, as "…"."""
    for step in re.finditer(STEP, path):
        if step["name"]:
            yield step["name"]
        else:
            yield "…" if step["index"] == "..." else int(step["index"])


def path_text(steps: list[str | int]) -> str:
    parts = [f"[{step}]" if isinstance(step, int) or step == "…" else f".{step}" for step in steps]
    return "".join(parts).lstrip(".")


def expected_at(expected: Any, steps: list[str | int]) -> Any:
    """The type that a struct declares at a path."""
    for step in steps:
        for option in options(expected):
            found = child_type(option, step)
            if found is not None:
                expected = found
                break
    return expected


def child_type(parent: Any, step: str | int) -> Any:
    for field in getattr(parent, "fields", ()):
        if field.encode_name == step:
            return field.type
    if step == "…" and hasattr(parent, "value_type"):
        return parent.value_type
    return getattr(parent, "item_type", None) if step == "…" or isinstance(step, int) else None


def value_at(given: Any, steps: list[str | int]) -> Any:
    for step in steps:
        try:
            given = given[step]
        except (KeyError, IndexError, TypeError):
            return ABSENT
    return given


def options(expected: Any) -> list[Any]:
    """The members of a union without null, or the type itself; without the annotations around it."""
    while type(expected).__name__ == "Metadata":
        expected = expected.type
    if type(expected).__name__ != "UnionType":
        return [expected]
    return [one for entry in expected.types for one in options(entry) if type(one).__name__ != "NoneType"]


def is_list(expected: Any) -> bool:
    return type(expected).__name__ in ("ListType", "VarTupleType", "SetType", "FrozenSetType")


def description_of(expected: Any) -> str:
    return " or ".join(dict.fromkeys(description_of_one(one) for one in options(expected)))


def description_of_one(expected: Any) -> str:
    match type(expected).__name__:
        case "IntType":
            return f"a whole number{limits_of(expected)}"
        case "FloatType":
            return f"a number{limits_of(expected)}"
        case "BoolType":
            return "true or false"
        case "StrType":
            return f"text{length_of(expected, 'characters')}"
        case "LiteralType":
            return f"one of {', '.join(map(str, expected.values))}"
        case "ListType" | "VarTupleType" | "SetType" | "FrozenSetType":
            return f"a list{length_of(expected, plural_of(expected.item_type))}"
        case "NoneType":
            return "null"
    return "an object"


def plural_of(expected: Any) -> str:
    names = {"IntType": "whole numbers", "FloatType": "numbers", "StrType": "strings", "StructType": "objects"}
    return names.get(type(options(expected)[0]).__name__, "entries")


def limits_of(expected: Any) -> str:
    if expected.ge is not None and expected.le is not None:
        return f" from {format_limit(expected.ge)} to {format_limit(expected.le)}"
    words = {"at least": expected.ge, "more than": expected.gt, "at most": expected.le, "less than": expected.lt}
    limits = " and ".join(f"{word} {format_limit(limit)}" for word, limit in words.items() if limit is not None)
    return f" of {limits}" if limits else ""


def format_limit(limit: float) -> str:
    return f"{int(limit):,}" if limit == int(limit) else f"{limit:g}"


def length_of(expected: Any, unit: str) -> str:
    minimum, maximum = expected.min_length, expected.max_length
    if maximum is not None:
        return f" of {f'{minimum} to ' if minimum else 'at most '}{maximum:,} {unit}"
    if minimum is not None:
        return f" of one or more {unit}" if minimum == 1 else f" of at least {minimum} {unit}"
    return f" of {unit}" if unit != "characters" else ""


def shown(value: object, *, expects_list: bool) -> str:
    if isinstance(value, list):
        return f"{len(value):,} entries" if expects_list else "a list"
    if isinstance(value, str) and len(value) > MAX_SHOWN:
        return f"{value[:MAX_SHOWN]!r}… ({len(value):,} characters)"
    text = repr(value)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
