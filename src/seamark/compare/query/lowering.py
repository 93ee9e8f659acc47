"""Reduces a query to what needs metrics, for stores that evaluate it themselves.

Everything else (text, hyperparameters, saved notes) is in the table's memory and is evaluated here, by the same code as
for any other table; what is left are numbers and truth values. Types were checked before, on a table without rows.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns.column import Column, metric_id
from seamark.compare.query.evaluation import Evaluator
from seamark.compare.query.expression import Query
from seamark.compare.query.functions import SECONDS
from seamark.compare.query.operators import ARITHMETIC, COMPARISONS
from seamark.compare.query.query_table import QueryTable
from seamark.compare.query.vectors import NUMBERLIKE, Vector, number, time_of
from seamark.compare.settings import DEFAULT_TAIL
from seamark.format.types import Tag
from seamark.store.ask.table_request import (
    FALSE,
    TRUE,
    UNKNOWN,
    And,
    Arithmetic,
    Compare,
    Constant,
    IsMissing,
    IsNan,
    MetricValue,
    Not,
    NumberExpression,
    Or,
    RowNumber,
    RowTruth,
    TooComplexError,
    TruthExpression,
    TruthNumber,
)  # fmt: skip

# The others round differently from machine to machine, or not as Python does.
EXACT_OPERATORS = frozenset({"+", "-", "*", "/"})


class NoRows:
    """A QueryTable with the columns of another and no rows: evaluating a query on it checks the types."""

    def __init__(self, table: QueryTable) -> None:
        self._table = table
        self.known_names, self.resolve, self.now, self.hold = (
            table.known_names, table.resolve, table.now, table.hold,
        )  # fmt: skip

    def __len__(self) -> int:
        return 0

    def column(self, column_id: str, *, tail: int = DEFAULT_TAIL) -> Column:
        if column_id.startswith("metric:"):
            return Column(column_id, "number", np.zeros(0), np.zeros(0, bool))
        found = self._table.column(column_id, tail=tail)
        return Column(column_id, found.type, found.values[:0], found.present[:0], mixed=found.mixed)


@dataclass(frozen=True, slots=True)
class Lowered:
    """A part of a query with metrics: a number, a time or a duration, or, of type "bool", a truth value."""

    type: str
    content: NumberExpression | TruthExpression


class Lowering:
    """Collects the columns of numbers and truth values that the expressions refer to."""

    def __init__(self, query: Query, table: QueryTable, *, tail: int) -> None:
        self._evaluator = Evaluator(query, table, tail)
        self._tail = tail
        self.numbers: list[tuple[NDArray[np.float64], NDArray[np.bool_]]] = []
        self.truths: list[NDArray[np.uint8]] = []
        self._size = len(table)
        self._uses_metric: dict[int, bool] = {}  # by the id of the node, which the query keeps alive

    def conditions(self, node: ast.expr) -> tuple[NDArray[np.bool_], list[TruthExpression]]:
        """Splits `a and b and c`: the rows for which the parts without metrics are true, and the other parts."""
        keep, parts = np.ones(self._size, bool), []
        for part in _conjuncts(node):
            if self.uses_metric(part):
                parts.append(self.truth(part))
            else:
                found = self._evaluator.truth(part)
                keep &= found.values & found.present
        return keep, parts

    def uses_metric(self, node: ast.expr) -> bool:
        if id(node) not in self._uses_metric:
            children = _children(node)
            self._uses_metric[id(node)] = (
                self._evaluator.column_id(node).startswith("metric:")
                if children is None
                else any(self.uses_metric(child) for child in children)
            )
        return self._uses_metric[id(node)]

    def truth(self, node: ast.expr) -> TruthExpression:
        if not self.uses_metric(node):
            return self._row_truth(self._evaluator.truth(node))
        found = self._value(node)
        if found.type == "bool":
            return found.content  # type: ignore[return-value]
        return Compare("!=", found.content, Constant(0.0))  # type: ignore[arg-type]

    def _operand(self, node: ast.expr) -> Lowered | Vector:
        return self._value(node) if self.uses_metric(node) else self._evaluator.value(node)

    def _value(self, node: ast.expr) -> Lowered:
        """Of a node that uses a metric."""
        match node:
            case ast.BoolOp(op=op, values=parts):
                join = And if isinstance(op, ast.And) else Or
                return Lowered("bool", join(tuple(self.truth(part) for part in parts)))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Lowered("bool", Not(self.truth(operand)))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return Lowered("number", Arithmetic("negate", (self._number(self._operand(operand)),)))
            case ast.UnaryOp(operand=operand):
                return self._value(operand)
            case ast.BinOp(left=left, op=op, right=right):
                return self._arithmetic(op, self._operand(left), self._operand(right))
            case ast.Compare():
                return Lowered("bool", self._comparison(node))
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return self._call(name, [self._operand(one) for one in arguments])
            case ast.List() | ast.Tuple():
                raise TooComplexError("cannot evaluate a list of metrics outside of 'in'")
        return self._metric(self._evaluator.column_id(node))

    def _metric(self, column_id: str) -> Lowered:
        return Lowered("number", metric_value(column_id, tail=self._tail))

    def _arithmetic(self, op: ast.operator, left: Lowered | Vector, right: Lowered | Vector) -> Lowered:
        sign = ARITHMETIC[type(op)][0]
        if sign not in EXACT_OPERATORS:
            raise TooComplexError(f"rounds '{sign}' differently")
        is_moment = "time" in (left.type, right.type) and left.type != right.type and sign in "+-"
        operands = (self._number(left), self._number(right))
        return Lowered("time" if is_moment else "number", Arithmetic(sign, operands))  # type: ignore[arg-type]

    def _call(self, name: str, given: list[Lowered | Vector]) -> Lowered:
        numbers = tuple(self._number(one) for one in given)
        if name in ("abs", "min", "max"):
            return Lowered("number", Arithmetic(name, numbers))  # type: ignore[arg-type]
        if name in SECONDS:
            return Lowered("duration", Arithmetic("*", (*numbers, Constant(SECONDS[name]))))
        if name == "isnan":
            return Lowered("bool", IsNan(numbers[0]))
        raise TooComplexError(f"rounds {name}() differently")

    def _comparison(self, node: ast.Compare) -> TruthExpression:
        parts = []
        left_node = node.left
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            if self.uses_metric(left_node) or self.uses_metric(right_node):
                parts.append(self._compared(op, left_node, right_node))
            else:
                one = ast.copy_location(ast.Compare(left_node, [op], [right_node]), node)
                parts.append(self._row_truth(self._evaluator.truth(one)))
            left_node = right_node
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _compared(self, op: ast.cmpop, left_node: ast.expr, right_node: ast.expr) -> TruthExpression:
        left = self._operand(left_node)
        if isinstance(op, ast.In | ast.NotIn):
            found = self._one_of(left, right_node)
            return found if isinstance(op, ast.In) else Not(found)
        right = self._operand(right_node)
        if "none" in (left.type, right.type):
            missing = IsMissing(self._number(right if left.type == "none" else left))
            return missing if isinstance(op, ast.Is | ast.Eq) else Not(missing)
        sign = COMPARISONS[type(op)][0]
        left, right = _as_time(left, right), _as_time(right, left)
        return Compare(sign, self._number(left), self._number(right))  # type: ignore[arg-type]

    def _one_of(self, left: Lowered | Vector, right_node: ast.expr) -> TruthExpression:
        if not isinstance(right_node, ast.List | ast.Tuple) or left.type not in NUMBERLIKE:
            raise TooComplexError("cannot look for a metric in text or tags")
        value = self._number(left)
        # False, or unknown where the value is missing.
        parts: list[TruthExpression] = [Compare("<", value, Constant(-np.inf))]
        for item in map(self._operand, right_node.elts):
            if item.type == "none":
                parts.append(IsMissing(value))
            elif item.type == "mixed":
                raise TooComplexError("cannot look for a metric among numbers and text")
            else:
                parts.append(Compare("==", value, self._number(_as_time(item, left))))
        return Or(tuple(parts))

    def _number(self, given: Lowered | Vector) -> NumberExpression:
        if isinstance(given, Lowered):
            return TruthNumber(given.content) if given.type == "bool" else given.content  # type: ignore[arg-type,return-value]
        found = number(given, "")
        if not found.values.ndim and not found.present.ndim and found.present:
            return Constant(float(found.values))
        self.numbers.append((np.broadcast_to(found.values, self._size), np.broadcast_to(found.present, self._size)))
        return RowNumber(len(self.numbers) - 1)

    def _row_truth(self, found: Vector) -> TruthExpression:
        values = np.where(found.present, np.where(found.values, TRUE, FALSE), UNKNOWN).astype(np.uint8)
        self.truths.append(np.broadcast_to(values, self._size))
        return RowTruth(len(self.truths) - 1)


def metric_value(column_id: str, *, tail: int) -> MetricValue:
    tag, stat = metric_id(column_id)
    if stat == "tail" and tail != DEFAULT_TAIL:
        raise TooComplexError(f"has the mean of the last {DEFAULT_TAIL} points, not of the last {tail}")
    return MetricValue(Tag(tag), stat)  # type: ignore[arg-type]


def _as_time(one: Lowered | Vector, other: Lowered | Vector) -> Lowered | Vector:
    """Text that is compared with a time is a time."""
    return time_of(one) if isinstance(one, Vector) and one.type == "text" and other.type == "time" else one


def _conjuncts(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        for part in node.values:
            yield from _conjuncts(part)
    else:
        yield node


def _children(node: ast.expr) -> list[ast.expr] | None:
    """The operands of a part of a query; None for the name or the lookup of a column."""
    match node:
        case ast.Constant():
            return []
        case ast.BoolOp(values=parts) | ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Call(args=parts):
            return parts
        case ast.UnaryOp(operand=operand):
            return [operand]
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.Compare(left=left, comparators=others):
            return [left, *others]
    return None
