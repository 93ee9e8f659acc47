"""What a table of runs asks of a store that computes it itself, e.g. a database: conditions, orders, values, ranges.

The table resolves names, checks types and evaluates whatever needs no metric; only numbers and truth values are left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

from msgspec import Struct

from seamark.format.types import RunName, Tag

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

# The names of `Digests`, which stores keep for each series; `tail` is of DEFAULT_TAIL points.
Stat = Literal["last", "min", "max", "min_step", "max_step", "mean", "first", "count", "tail"]
# min_step and max_step are missing if a series has no finite value; the others are NaN then.
WHOLE_STATS = ("min_step", "max_step", "count")

NumberOperator = Literal["+", "-", "*", "/", "negate", "abs", "min", "max"]
Comparison = Literal["==", "!=", "<", "<=", ">", ">="]


class Constant(Struct, frozen=True):
    """The same number for all rows."""

    value: float


class MetricValue(Struct, frozen=True):
    """A statistic of a tag; missing in runs without points of it."""

    tag: Tag
    stat: Stat


class RowNumber(Struct, frozen=True):
    """A number that the table has for each row; `at` is a position in `TableRequest.numbers`."""

    at: int


class RowTruth(Struct, frozen=True):
    """A truth value that the table has for each row; `at` is a position in `TableRequest.truths`."""

    at: int


class Arithmetic(Struct, frozen=True):
    """As IEEE 754 defines it: the same bits on every machine. Missing if one of the operands is."""

    operator: NumberOperator
    operands: tuple[NumberExpression, ...]


class TruthNumber(Struct, frozen=True):
    """1 for true, 0 for false; missing if it is unknown."""

    truth: TruthExpression


NumberExpression = Constant | MetricValue | RowNumber | Arithmetic | TruthNumber


class Compare(Struct, frozen=True):
    """Unknown if an operand is missing. NaN compares as in IEEE 754."""

    operator: Comparison
    left: NumberExpression
    right: NumberExpression


class IsNan(Struct, frozen=True):
    """Unknown if the operand is missing."""

    operand: NumberExpression


class IsMissing(Struct, frozen=True):
    """Always known."""

    operand: NumberExpression


class And(Struct, frozen=True):
    """False if one is false, else unknown if one is unknown."""

    parts: tuple[TruthExpression, ...]


class Or(Struct, frozen=True):
    """True if one is true, else unknown if one is unknown."""

    parts: tuple[TruthExpression, ...]


class Not(Struct, frozen=True):
    """Unknown stays unknown."""

    part: TruthExpression


TruthExpression = RowTruth | Compare | IsNan | IsMissing | And | Or | Not
UNKNOWN, FALSE, TRUE = 1, 0, 2  # the entries of `TableRequest.truths`: `and` is the lesser, `or` the greater of two


class MetricOrder(Struct, frozen=True):
    """Sorts by a metric; NaN come after numbers, missing values after those, whether it descends or not."""

    metric: MetricValue
    descends: bool


class RowOrder(Struct, frozen=True):
    """Sorts by ranks that the table has for each row; `at` is a position in `TableRequest.ranks`."""

    at: int


class TableRows(Struct, frozen=True):
    """The runs of a table's rows, and for the tags that come from another run: row → that run and its tag there."""

    runs: Sequence[RunName]
    sources: Mapping[Tag, Mapping[int, tuple[RunName, Tag]]]


class TableRequest(Struct, frozen=True):
    """Which rows match, and in which order. The given order of the rows decides between equals."""

    rows: TableRows
    condition: TruthExpression | None
    order: tuple[MetricOrder | RowOrder, ...]
    numbers: tuple[tuple[NDArray[np.float64], NDArray[np.bool_]], ...]  # values, and where they are present
    truths: tuple[NDArray[np.uint8], ...]
    ranks: tuple[NDArray[np.uint32], ...]


def metrics_in(parts: Iterable[object]) -> list[MetricValue]:
    """Returns all metrics in expressions."""
    found: list[MetricValue] = []
    for part in parts:
        if isinstance(part, MetricValue):
            found.append(part)
        elif isinstance(part, tuple):
            found += metrics_in(part)
        elif hasattr(part, "__struct_fields__"):
            found += metrics_in(getattr(part, name) for name in part.__struct_fields__)
    return found


class MetricColumn(Struct, frozen=True):
    """The values of a metric for the rows of a request; NaN where it is missing."""

    values: NDArray[np.float64]
    present: NDArray[np.bool_]


class TooComplexError(Exception):
    """The store cannot express this request; the message completes "the database …"."""


class TableEngine(Protocol):
    """Any thread may call it. The answers are those of a table that is computed from `RunStore.digests`."""

    def select(self, request: TableRequest) -> NDArray[np.intp]:
        """Returns the positions of the rows that match, in order. May raise TooComplexError."""
        ...

    def values(self, rows: TableRows, metrics: Sequence[MetricValue]) -> list[MetricColumn]:
        """Returns the metrics of these rows."""
        ...

    def spans(self, rows: TableRows, metrics: Sequence[MetricValue]) -> list[tuple[float | None, float | None]]:
        """Returns the least and the greatest finite value of each metric."""
        ...
