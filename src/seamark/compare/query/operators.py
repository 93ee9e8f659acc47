"""Comparison, logic and arithmetic of columns with absent values."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from itertools import repeat
from operator import contains
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.compare.query.vectors import (
    NUMBERLIKE,
    TYPE_NAMES,
    ValueTypeError,
    Vector,
    boolean,
    describe,
    number,
    numbers_of,
    texts_of,
    time_of,
)

COMPARISONS: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Eq: ("==", np.equal),
    ast.NotEq: ("!=", np.not_equal),
    ast.Lt: ("<", np.less),
    ast.LtE: ("<=", np.less_equal),
    ast.Gt: (">", np.greater),
    ast.GtE: (">=", np.greater_equal),
}
ARITHMETIC: dict[type[ast.operator], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("+", np.add),
    ast.Sub: ("-", np.subtract),
    ast.Mult: ("*", np.multiply),
    ast.Div: ("/", np.divide),
    ast.FloorDiv: ("//", np.floor_divide),
    ast.Mod: ("%", np.mod),
    ast.Pow: ("**", np.power),
}


# Types that a column of numbers and text can be compared with.
UNMIXABLE = frozenset({*NUMBERLIKE, "text", "mixed"})


def both(left: Vector, right: Vector) -> Vector:
    """False if either is false, even if the other is unknown."""
    false = (left.present & ~left.values) | (right.present & ~right.values)
    return boolean(left.values & right.values & left.present & right.present, (left.present & right.present) | false)


def either(left: Vector, right: Vector) -> Vector:
    true = (left.present & left.values) | (right.present & right.values)
    return boolean(true, (left.present & right.present) | true)


def opposite(one: Vector) -> Vector:
    return boolean(~one.values, one.present)


def negated(one: Vector) -> Vector:
    found = number(one, "'-'")
    return Vector("number", -found.values, found.present)


def arithmetic(op: ast.operator, left: Vector, right: Vector) -> Vector:
    sign, calculate = ARITHMETIC[type(op)]
    left, right = number(left, f"'{sign}'"), number(right, f"'{sign}'")
    is_moment = "time" in (left.type, right.type) and left.type != right.type
    values = calculate(left.values, right.values)
    return Vector("time" if is_moment and sign in "+-" else "number", np.asarray(values), left.present & right.present)


def compared(op: ast.cmpop, left: Vector, right: Vector) -> Vector:
    match op:
        case ast.In():
            return contained(left, right)
        case ast.NotIn():
            return opposite(contained(left, right))
        case ast.Is() | ast.IsNot():
            if "none" not in (left.type, right.type):
                raise ValueTypeError("'is' is for None; write == to compare")
            return absence(left, right, wanted=isinstance(op, ast.Is))
    sign, compare = COMPARISONS[type(op)]
    if "none" in (left.type, right.type):
        if sign not in ("==", "!="):
            raise ValueTypeError(f"None has no order, so '{sign}' cannot compare with it")
        return absence(left, right, wanted=sign == "==")
    left, right = alike(left, right, sign)
    return boolean(np.asarray(compare(left.values, right.values), bool), left.present & right.present)


def absence(left: Vector, right: Vector, *, wanted: bool) -> Vector:
    """Whether a value is absent, which is always known."""
    other = right if left.type == "none" else left
    return boolean(~other.present if wanted else other.present, np.array(True))


def alike(left: Vector, right: Vector, sign: str) -> tuple[Vector, Vector]:
    """The two, converted to types that can be compared."""
    if "mixed" in (left.type, right.type) and {left.type, right.type} <= UNMIXABLE:
        return unmixed(left, right)
    if left.type == "time" and right.type == "text":
        return left, time_of(right)
    if right.type == "time" and left.type == "text":
        return time_of(left), right
    if (left.type in NUMBERLIKE and right.type in NUMBERLIKE) or left.type == right.type == "text":
        return left, right
    if left.type == right.type == "list" and sign in ("==", "!=", "in"):
        return left, right
    advice = (quotes_advice(left, right) or quotes_advice(right, left)) if sign in ("==", "!=", "in") else ""
    raise ValueTypeError(
        f"'{sign}' compares {describe(left)}, which is {TYPE_NAMES[left.type]}, "
        f"with {describe(right)}, which is {TYPE_NAMES[right.type]}{advice}"
    )


def quotes_advice(column: Vector, written: Vector) -> str:
    """How to write a value of the query so that it has the type of the column; "" if that is not all."""
    if written.name or written.values.ndim or not column.name:
        return ""
    if column.type == "number" and written.type == "text" and is_number(str(written.values[()])):
        return f"; write {written.values[()]} without quotes"
    return "; write it in quotes" if column.type == "text" and written.type == "number" else ""


def is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def unmixed(left: Vector, right: Vector) -> tuple[Vector, Vector]:
    """Reduces a column of numbers and text to the values of the other side's type."""
    if left.type == right.type == "mixed":
        return texts_of(left), texts_of(right)
    if left.type == "mixed":
        return (numbers_of(left) if right.type in NUMBERLIKE else texts_of(left)), right
    return left, (numbers_of(right) if left.type in NUMBERLIKE else texts_of(right))


def contained(left: Vector, right: Vector) -> Vector:
    if right.type == "items":
        return one_of(left, right.items)
    if right.type == "mixed":
        right = texts_of(right)
    if right.type == "list" or (right.type == "text" and left.type in ("text", "mixed")):
        if left.type == "mixed":
            left = texts_of(left)
        return boolean(paired(contains, right.values, left.values), left.present & right.present)
    # Python has no list of one in parentheses.
    advice = "; write [ ] around it" if left.name and not right.name and not right.values.ndim else ""
    raise ValueTypeError(
        f"'in' looks for text in text or for a value in a list; {describe(left)} is {TYPE_NAMES[left.type]} "
        f"and {describe(right)} is {TYPE_NAMES[right.type]}{advice}"
    )


def one_of(left: Vector, items: tuple[Vector, ...]) -> Vector:
    found = boolean(np.zeros(left.values.shape, bool), left.present)
    for index, item in enumerate(items):
        if item.type == "none":
            found = either(found, absence(left, item, wanted=True))
            continue
        try:
            one, other = alike(left, item, "in")
        except ValueTypeError as error:
            raise ValueTypeError(str(error), item=index) from None
        # A mixed value of the other type is present and not equal.
        equal = np.asarray(one.values == other.values, bool) & one.present & other.present
        found = either(found, boolean(equal, left.present & item.present))
    return found


def paired(function: Callable[[Any, Any], bool], left: NDArray[Any], right: NDArray[Any]) -> NDArray[np.bool_]:
    """`function` of each pair; either side may be one value for all. Fast for functions written in C."""
    if not left.ndim and not right.ndim:
        return np.array(function(left[()], right[()]), bool)
    lefts = left.tolist() if left.ndim else repeat(left[()])
    rights = right.tolist() if right.ndim else repeat(right[()])
    return np.fromiter(map(function, lefts, rights), bool)
