"""The functions of the query language."""

from __future__ import annotations

import time
from collections.abc import Callable
from operator import contains
from typing import Any

import numpy as np

from seamark.compare.query.operators import paired
from seamark.compare.query.query_table import QueryTable
from seamark.compare.query.vectors import (
    ValueTypeError,
    Vector,
    boolean,
    constant,
    describe,
    mapped,
    number,
    text,
    vector_of,
)
from seamark.format.patterns import BadPatternError, which_match

SECONDS = {"days": 86400.0, "hours": 3600.0, "minutes": 60.0}
NUMERIC: dict[str, Callable[[Any], Any]] = {"abs": np.abs, "log": np.log, "log10": np.log10}


def call(name: str, given: list[Vector], table: QueryTable, deadline: float) -> Vector:
    """Calls a function whose number of arguments was checked. `deadline`, of time.monotonic(), limits `matches()`."""
    if name in NUMERIC:
        one = number(given[0], f"{name}()")
        return Vector("number", np.asarray(NUMERIC[name](one.values)), one.present)
    if name in SECONDS:
        one = number(given[0], f"{name}()")
        return Vector("duration", one.values * SECONDS[name], one.present)
    match name:
        case "tag":
            return has_tag(text(given[0], "tag()"), vector_of(table.column("run:tags")))
        case "min" | "max":
            return extreme(np.minimum if name == "min" else np.maximum, [number(one, f"{name}()") for one in given])
        case "len":
            return length(given[0])
        case "lower" | "upper":
            return cased(text(given[0], f"{name}()"), str.lower if name == "lower" else str.upper)
        case "startswith" | "endswith":
            whole, part = (text(one, f"{name}()") for one in given)
            test = str.startswith if name == "startswith" else str.endswith
            return boolean(paired(test, whole.values, part.values), whole.present & part.present)
        case "matches":
            return matching(text(given[0], "matches()"), text(given[1], "matches()"), deadline)
        case "isnan":
            one = number(given[0], "isnan()")
            return boolean(np.isnan(one.values), one.present)
    return Vector("time", np.array(table.now()), np.array(True))


def has_tag(wanted: Vector, tags: Vector) -> Vector:
    """Whether each run has the tag. Known for runs without any tags, too."""
    return boolean(paired(contains, tags.values, wanted.values), wanted.present)


def extreme(pick: Callable[[Any, Any], Any], given: list[Vector]) -> Vector:
    values, present = given[0].values, given[0].present
    for one in given[1:]:
        values, present = pick(values, one.values), present & one.present
    return Vector("number", np.asarray(values), present)


def length(one: Vector) -> Vector:
    if one.type == "items":
        return constant(len(one.items))
    if one.type == "list":
        return Vector("number", mapped(len, one.values, float), np.array(True))
    found = text(one, "len()")
    return Vector("number", mapped(len, found.values, float), found.present)


def cased(one: Vector, change: Callable[[str], str]) -> Vector:
    if not one.values.ndim:
        return constant(change(str(one.values[()])))
    values = np.empty(one.values.shape, object)
    values[:] = [change(value) for value in one.values.tolist()]
    return Vector("text", values, one.present)


def matching(one: Vector, written: Vector, deadline: float) -> Vector:
    if written.values.ndim:
        raise ValueTypeError(f"matches() needs a pattern in quotes, and {describe(written)} is a column")
    pattern = str(written.values[()])
    texts = [str(value) for value in one.values.reshape(-1).tolist()]
    try:
        found = which_match(pattern, texts, anywhere=True, max_secs=deadline - time.monotonic())
    except BadPatternError as error:
        raise ValueTypeError(str(error)) from None
    return boolean(np.array(found, bool).reshape(one.values.shape), one.present)
