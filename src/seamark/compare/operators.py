"""Comparing, joining and calculating with columns of which some values are absent."""

from __future__ import annotations

import ast
from collections.abc import Callable
from itertools import repeat
from operator import contains
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.compare.vectors import (
    NUMBERLIKE,
    SPOKEN,
    KindError,
    Vector,
    boolean,
    called,
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


# What a column of numbers and text can be compared with.
UNMIXABLE = frozenset({*NUMBERLIKE, "text", "mixed"})


def both(left: Vector, right: Vector) -> Vector:
    """Known to be false when either is, whatever the other."""
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
    is_moment = "time" in (left.kind, right.kind) and left.kind != right.kind
    values = calculate(left.values, right.values)
    return Vector("time" if is_moment and sign in "+-" else "number", np.asarray(values), left.present & right.present)


def compared(op: ast.cmpop, left: Vector, right: Vector) -> Vector:
    match op:
        case ast.In():
            return contained(left, right)
        case ast.NotIn():
            return opposite(contained(left, right))
        case ast.Is() | ast.IsNot():
            if "none" not in (left.kind, right.kind):
                raise KindError("'is' is for None; write == to compare")
            return absence(left, right, wanted=isinstance(op, ast.Is))
    sign, compare = COMPARISONS[type(op)]
    if "none" in (left.kind, right.kind):
        if sign not in ("==", "!="):
            raise KindError(f"None has no order; '{sign}' cannot compare with it")
        return absence(left, right, wanted=sign == "==")
    left, right = alike(left, right, sign)
    return boolean(np.asarray(compare(left.values, right.values), bool), left.present & right.present)


def absence(left: Vector, right: Vector, *, wanted: bool) -> Vector:
    """Whether a value is not there: always known."""
    other = right if left.kind == "none" else left
    return boolean(~other.present if wanted else other.present, np.array(True))


def alike(left: Vector, right: Vector, sign: str) -> tuple[Vector, Vector]:
    """The two as kinds that can be compared."""
    if "mixed" in (left.kind, right.kind) and {left.kind, right.kind} <= UNMIXABLE:
        return unmixed(left, right)
    if left.kind == "time" and right.kind == "text":
        return left, time_of(right)
    if right.kind == "time" and left.kind == "text":
        return time_of(left), right
    if (left.kind in NUMBERLIKE and right.kind in NUMBERLIKE) or left.kind == right.kind == "text":
        return left, right
    if left.kind == right.kind == "list" and sign in ("==", "!="):
        return left, right
    raise KindError(
        f"'{sign}' compares {called(left)}, which is {SPOKEN[left.kind]}, "
        f"with {called(right)}, which is {SPOKEN[right.kind]}"
    )


def unmixed(left: Vector, right: Vector) -> tuple[Vector, Vector]:
    """A column of numbers and text is compared by those of its values that are of the other's kind."""
    if left.kind == right.kind == "mixed":
        return texts_of(left), texts_of(right)
    if left.kind == "mixed":
        return (numbers_of(left) if right.kind in NUMBERLIKE else texts_of(left)), right
    return left, (numbers_of(right) if left.kind in NUMBERLIKE else texts_of(right))


def contained(left: Vector, right: Vector) -> Vector:
    if right.kind == "items":
        return one_of(left, right.items)
    if right.kind == "mixed":
        right = texts_of(right)
    if right.kind == "list" or (right.kind == "text" and left.kind in ("text", "mixed")):
        if left.kind == "mixed":
            left = texts_of(left)
        return boolean(paired(contains, right.values, left.values), left.present & right.present)
    raise KindError(
        f"'in' looks for text in text or for a value in a list; {called(left)} is {SPOKEN[left.kind]} "
        f"and {called(right)} is {SPOKEN[right.kind]}"
    )


def one_of(left: Vector, items: tuple[Vector, ...]) -> Vector:
    found = boolean(np.zeros(left.values.shape, bool), left.present)
    for item in items:
        if item.kind == "none":
            found = either(found, absence(left, item, wanted=True))
        elif left.kind == "mixed" or (left.kind in NUMBERLIKE) == (item.kind in NUMBERLIKE):
            one, other = alike(left, item, "==")
            # A mixed value of the other kind is there and is not equal.
            is_there = left.present & item.present
            equal = np.asarray(one.values == other.values, bool) & one.present
            found = either(found, boolean(equal, is_there))
        elif left.kind == "time":
            found = either(found, compared(ast.Eq(), left, item))
    return found


def paired(function: Callable[[Any, Any], bool], left: NDArray[Any], right: NDArray[Any]) -> NDArray[np.bool_]:
    """`function` of every two; either side may be one value for all. One that is written in C costs little for each."""
    if not left.ndim and not right.ndim:
        return np.array(function(left[()], right[()]), bool)
    lefts = left.tolist() if left.ndim else repeat(left[()])
    rights = right.tolist() if right.ndim else repeat(right[()])
    return np.fromiter(map(function, lefts, rights), bool)
