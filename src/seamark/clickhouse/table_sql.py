"""Writes the conditions and orders of tables of runs as SQL.

Every part is used once, so that a statement grows with the query: a truth value is 0 for false, 1 for unknown and 2 for
true, which makes `and` the lesser and `or` the greater of two. Servers before 19.5 have no such logic of NULL.
Constants are parameters: a Float64 is sent as the hexadecimal digits of its bits, because servers round decimal digits.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

from msgspec import Struct

from seamark.clickhouse.parameters import Value
from seamark.store.ask.table_request import (
    And,
    Arithmetic,
    Compare,
    Constant,
    IsMissing,
    IsNan,
    MetricOrder,
    MetricValue,
    Not,
    NumberExpression,
    Or,
    RowNumber,
    RowOrder,
    RowTruth,
    TooComplexError,
    TruthExpression,
    TruthNumber,
)  # fmt: skip

MAX_EXPRESSION_CHARS = 6000
COMPARISONS = {"==": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


class SqlNumber(Struct, frozen=True):
    """An expression of type Float64, and the conditions that all hold where it is present."""

    value: str
    present: frozenset[str] = frozenset()


class ExpressionWriter:
    """Collects the parameters of what it writes. Column i of the table's own numbers is `x<i>`, present if `p<i>`."""

    def __init__(self, metrics: Mapping[MetricValue, SqlNumber]) -> None:
        self._metrics = metrics
        self.parameters: dict[str, Value] = {}

    def condition(self, expression: TruthExpression) -> str:
        return f"{self._truth(expression)} = 2"

    def order_keys(self, order: MetricOrder | RowOrder) -> list[str]:
        if isinstance(order, RowOrder):
            return [f"r{order.at}"]
        number = self._metrics[order.metric]
        # Adding zero makes -0.0 and 0.0 equal also where the server sorts by bits.
        value = f"0.0 - {number.value}" if order.descends else f"{number.value} + 0.0"
        is_number = f"{_all(number.present)} AND NOT isNaN({number.value})"
        return [
            f"multiIf(NOT ({_all(number.present)}), 2, isNaN({number.value}), 1, 0)",
            f"if({is_number}, {value}, 0.0)",
        ]

    def _truth(self, expression: TruthExpression) -> str:
        match expression:
            case RowTruth(at=at):
                return f"t{at}"
            case Compare(operator=operator, left=left, right=right):
                one, other = self._number(left), self._number(right)
                test = f"{one.value} {COMPARISONS[operator]} {other.value}"
                return _checked(_known(test, one.present | other.present))
            case IsNan(operand=operand):
                number = self._number(operand)
                return _known(f"isNaN({number.value})", number.present)
            case IsMissing(operand=operand):
                return f"if({_all(self._number(operand).present)}, 0, 2)"
            case And(parts=parts):
                return self._joined("least", parts)
            case Or(parts=parts):
                return self._joined("greatest", parts)
            case Not(part=part):
                return _checked(f"(2 - {self._truth(part)})")

    def _joined(self, function: str, parts: tuple[TruthExpression, ...]) -> str:
        found = self._truth(parts[0])
        for part in parts[1:]:
            found = _checked(f"{function}({found}, {self._truth(part)})")
        return found

    def _number(self, expression: NumberExpression) -> SqlNumber:
        match expression:
            case Constant(value=value):
                return SqlNumber(self._constant(value))
            case MetricValue():
                return self._metrics[expression]
            case RowNumber(at=at):
                return SqlNumber(f"x{at}", frozenset({f"p{at}"}))
            case TruthNumber(truth=truth):
                found = self._truth(truth)
                return SqlNumber(_checked(f"toFloat64({found} = 2)"), frozenset({f"{found} != 1"}))
            case Arithmetic(operator=operator, operands=operands):
                numbers = [self._number(operand) for operand in operands]
                present = frozenset().union(*(number.present for number in numbers))
                return SqlNumber(_checked(_calculated(operator, [number.value for number in numbers])), present)

    def _constant(self, value: float) -> str:
        name = f"c{len(self.parameters)}"
        self.parameters[name] = struct.pack("<d", value).hex()
        return f"reinterpretAsFloat64(unhex({{{name}:String}}))"


def _calculated(operator: str, values: list[str]) -> str:
    if operator == "negate":
        return f"negate({values[0]})"
    if operator == "abs":
        return f"abs({values[0]})"
    if operator not in ("min", "max"):
        return f"({values[0]} {operator} {values[1]})"
    # NaN if one of the two is NaN: `least` and `greatest` return either.
    sign = "<" if operator == "min" else ">"
    found = values[0]
    for value in values[1:]:
        found = _checked(f"if({found} {sign} {value}, {found}, if({value} {sign}= {found}, {value}, nan))")
    return found


def _known(test: str, present: frozenset[str]) -> str:
    truth = f"if({test}, 2, 0)"
    return f"if({_all(present)}, {truth}, 1)" if present else truth


def _all(present: frozenset[str]) -> str:
    """Returns a condition that holds where all are present; text of a set in a fixed order."""
    return " AND ".join(f"({one})" for one in sorted(present)) or "1"


def _checked(sql: str) -> str:
    if len(sql) > MAX_EXPRESSION_CHARS:
        raise TooComplexError("cannot evaluate a query this long")
    return sql
