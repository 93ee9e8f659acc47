"""Evaluates a query for all runs at once: every part of it is a column.

Logic has three values: a comparison with an absent value is neither true nor false, and so is its negation.
"""

from __future__ import annotations

import ast
import time

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns.column import RUN_FIELDS, STATS, UnknownColumnError
from seamark.compare.query import functions
from seamark.compare.query.expression import LOOKUPS, Query
from seamark.compare.query.operators import arithmetic, both, compared, either, negated, opposite
from seamark.compare.query.query_table import QueryTable
from seamark.compare.query.vectors import ValueTypeError, Vector, constant, truth, vector_of
from seamark.format.patterns import MAX_SECS

WORDS = {"true": "True", "false": "False", "null": "None", "none": "None", "nil": "None"}


def evaluate(query: Query, table: QueryTable, *, tail: int) -> NDArray[np.bool_]:
    with np.errstate(all="ignore"):
        found = Evaluator(query, table, tail).truth(query.tree)
        return np.broadcast_to(found.values & found.present, (len(table),)).copy()


class Evaluator:
    """Evaluates parts of one query; each is a column."""

    def __init__(self, query: Query, table: QueryTable, tail: int) -> None:
        self._source = query.source
        self._table = table
        self._tail = tail
        self._deadline = time.monotonic() + MAX_SECS  # of all patterns in the query

    def truth(self, node: ast.expr) -> Vector:
        return truth(self.value(node))

    def value(self, node: ast.expr) -> Vector:
        try:
            return self._value(node)
        except ValueTypeError as error:
            raise self._source.error(str(error), node) from None

    def _value(self, node: ast.expr) -> Vector:
        match node:
            case ast.Constant(value=value):
                return constant(value)
            case ast.BoolOp(op=op, values=parts):
                join = both if isinstance(op, ast.And) else either
                found = self.truth(parts[0])
                for part in parts[1:]:
                    found = join(found, self.truth(part))
                return found
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return opposite(self.truth(operand))
            case ast.UnaryOp(op=op, operand=operand):
                found = self.value(operand)
                return negated(found) if isinstance(op, ast.USub) else found
            case ast.BinOp(left=left, op=op, right=right):
                return arithmetic(op, self._quotient(left, node), self.value(right))
            case ast.Compare():
                return self._comparison(node)
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return functions.call(name, [self.value(one) for one in arguments], self._table, self._deadline)
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return Vector("items", np.array(None), np.array(True), items=tuple(self.value(part) for part in parts))
            case _:
                return self._column(node)

    def _comparison(self, node: ast.Compare) -> Vector:
        """`a < b < c` is `a < b and b < c`."""
        left = self.value(node.left)
        found: Vector | None = None
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.value(right_node)
            try:
                one = compared(op, left, right)
            except ValueTypeError as error:
                if error.item is None or not isinstance(right_node, ast.List | ast.Tuple):
                    raise
                raise self._source.error(str(error), right_node.elts[error.item]) from None
            found = one if found is None else both(found, one)
            left = right
        assert found is not None
        return found

    def _quotient(self, left: ast.expr, node: ast.BinOp) -> Vector:
        """Python reads `val/loss` as a division; most users mean the metric."""
        try:
            return self.value(left)
        except ValueError:
            tag = ast.unparse(node).replace(" ", "")
            stat = tag.rpartition(".")[2]
            bare = tag.rpartition(".")[0] if stat in STATS else tag
            if bare in self._table.known_names().metrics:
                ending = f".{stat}" if bare is not tag else ""
                raise self._source.error(f'write metric["{bare}"]{ending} for the metric', node) from None
            raise

    def _column(self, node: ast.expr) -> Vector:
        try:
            return vector_of(self._table.column(self.column_id(node), tail=self._tail))
        except UnknownColumnError as error:
            raise self._source.error(str(error), node) from None

    def column_id(self, node: ast.expr) -> str:
        """The id of the column that a name or a lookup stands for."""
        names = self._table.known_names()
        match node:
            case ast.Subscript(value=ast.Name(id=source), slice=ast.Constant(value=str(name))):
                return self._looked_up(source, name, "last", node)
            case ast.Attribute(
                value=ast.Subscript(value=ast.Name(id="metric"), slice=ast.Constant(value=str(name))), attr=stat
            ):
                if stat not in STATS:
                    raise self._source.error(f"a metric has no '{stat}'; it has {', '.join(STATS)}", node)
                return self._looked_up("metric", name, stat, node)
        dotted = dotted_name(node)
        if dotted is None:
            raise self._source.error("write a name, a number or text here", node)
        if dotted in WORDS:
            raise self._source.error(f"write {WORDS[dotted]} instead of {dotted}", node)
        if dotted in LOOKUPS and dotted not in names.params:
            raise self._source.error(f'write {dotted}["…"] with a name in it', node)
        head, _, rest = dotted.partition(".")
        if head in ("run", "param") and rest and dotted not in names.params:
            column_id = f"{head}:{rest}"
            return column_id if names.has(column_id) else names.resolve(rest)
        try:
            return names.resolve(dotted)
        except UnknownColumnError as error:
            text = "" if names.hint(dotted) or dotted in RUN_FIELDS else f'; write "{dotted}" in name to look for text'
            raise self._source.error(f"{error}{text}", node) from None

    def _looked_up(self, source: str, name: str, stat: str, node: ast.expr) -> str:
        column_id = f"{source}:{name}:{stat}" if source == "metric" else f"{source}:{name}"
        if self._table.known_names().has(column_id):
            return column_id
        if source == "param":
            try:
                found = self._table.resolve(name)
            except UnknownColumnError:
                found = ""
            if found.startswith("param:"):
                return found
        known = self._table.known_names()
        noun = {"param": "hyperparameter", "metric": "metric", "summary": "summary value"}[source]
        raise self._source.error(f"there is no {noun} '{name}'{known.hint(f'{source}:{name}')}", node)


def dotted_name(node: ast.expr) -> str | None:
    """The text of `a` and `a.b.c`."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        head = dotted_name(node.value)
        return None if head is None else f"{head}.{node.attr}"
    return None
