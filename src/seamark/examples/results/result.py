"""Result: the base of everything that is sent, and types that several results share."""

from __future__ import annotations

from msgspec import Struct


class Result(Struct):
    """Sent as it is."""


class Condition(Result):
    """A condition of a slice: one of `values`, or a range of numbers. `label` is what people read: "age 25 to 65"."""

    column: str
    values: tuple[str, ...] = ()  # names of a category, "true" or "false"; "" stands for a missing value
    at_least: float | None = None
    below: float | None = None
    label: str = ""


class Rate(Result):
    """A share of `of` rows with its 95 % interval (Wilson). All three are None if there are no rows."""

    count: int
    of: int
    value: float | None
    low: float | None
    high: float | None


class Difference(Result):
    """The difference of two rates or means with its 95 % interval."""

    value: float | None
    low: float | None
    high: float | None
