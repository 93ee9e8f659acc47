"""The run filter: part of a name, a pattern, or an expression."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.compare.query.evaluation import evaluate
from seamark.compare.query.expression import (
    FUNCTIONS,
    LOOKUPS,
    MAX_LENGTH,
    Query,
    QueryError,
    compile_expression,
    without_text,
)
from seamark.compare.query.query_table import QueryTable
from seamark.compare.query.suppress_warnings import compile_regex, suppress_warnings
from seamark.format.patterns import MAX_PATTERN_CHARS, BadPatternError, compile_pattern, which_match

PATTERN_CHARACTERS = frozenset("\\^$*+?[]{}|()")


@dataclass(frozen=True)
class NameFilter:
    """Text or a pattern that is searched in names and labels, ignoring case."""

    pattern: str

    def matches(self, table: QueryTable) -> NDArray[np.bool_]:
        names = table.column("run:name").values.tolist()
        labels = table.column("run:label").values.tolist()
        try:
            found = which_match(self.pattern, [*names, *labels], anywhere=True, ignore_case=True)
        except BadPatternError as error:
            raise QueryError(str(error), 0, len(self.pattern)) from None
        in_names, in_labels = found[: len(names)], found[len(names) :]
        # The label of a run without one is empty, and is not searched.
        either = [one or (other and bool(label)) for one, other, label in zip(in_names, in_labels, labels, strict=True)]
        return np.array(either, bool)


def compile_query(text: str) -> Query | NameFilter | None:
    """Compiles the text of the filter. None for an empty text, which matches every run."""
    match query_form(text):
        case "empty":
            return None
        case "name":
            return NameFilter(re.escape(text.strip()))
        case "regex":
            return NameFilter(checked_pattern(text))
        case _:
            return compile_expression(text)


def select_rows(query: Query | NameFilter, table: QueryTable, *, tail: int) -> NDArray[np.bool_]:
    """Which rows match. QueryError if the query names a column that the table does not have."""
    return query.matches(table) if isinstance(query, NameFilter) else evaluate(query, table, tail=tail)


def checked_pattern(text: str) -> str:
    """QueryError for an invalid pattern."""
    stripped = text.strip()
    at = text.index(stripped)
    pattern = stripped[1:-1] if is_marked_pattern(stripped) else stripped
    try:
        compile_pattern(pattern, anywhere=True, ignore_case=True)
    except BadPatternError as error:
        raise QueryError(str(error), at + (pattern is not stripped), len(pattern)) from None
    return pattern


def is_marked_pattern(text: str) -> bool:
    return len(text) > 2 and text.startswith("/") and text.endswith("/")


def query_form(text: str) -> str:
    """What the text is: "empty", "name", "regex" or "expression"."""
    text = text.strip()
    if not text:
        return "empty"
    if is_marked_pattern(text):
        return "regex"
    if looks_like_expression(text):
        return "expression"
    if len(text) <= MAX_PATTERN_CHARS and (PATTERN_CHARACTERS & set(text) or ".*" in text):
        try:
            compile_regex(text)
        except (re.error, OverflowError, RecursionError):
            return "name"
        return "regex"
    return "name"


def looks_like_expression(text: str) -> bool:
    """Whether it has a comparison, a function of the language, or `and`, `or`, `not`, `in` used as an operator."""
    if len(text) > MAX_LENGTH:
        return False
    try:
        with suppress_warnings():
            tree = ast.parse(re.sub(r"\s", " ", text), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        bare = without_text(text)
        if re.fullmatch(r"\s*\w+\s*", bare):
            return False
        # "=" without spaces is common in names of runs; "(?<=" and "(?P<" belong to patterns.
        return bool(
            re.search(r"[<>]|[!=]=|\s=\s|&&|\|\|", re.sub(r"\(\?P?<?[=!]?", "", bare))
            or re.search(r"(^|[\s)\]\"'])(and|or|not|in|is)\s*($|[\s(\[\"'])", bare.replace("''", '"'))
            or re.search(r"\b(metric|param|summary)\[", bare)
            or re.match(rf"\s*(not\s+)?({'|'.join(FUNCTIONS)})\(", bare)
        )
    return any(is_expression_node(node) for node in ast.walk(tree))


def is_expression_node(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare | ast.BoolOp | ast.Not):
        return True
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in LOOKUPS
