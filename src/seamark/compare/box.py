"""What a person typed into the filter box: a name, a pattern or an expression."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from seamark.compare.expression import (
    FUNCTIONS,
    LOOKUPS,
    MAX_LENGTH,
    Query,
    QueryError,
    compile_expression,
    without_text,
)
from seamark.compare.quiet import compiled, quietly
from seamark.kinds.patterns import MAX_PATTERN_CHARS, BadPatternError, compile_pattern, which_match

if TYPE_CHECKING:
    from seamark.compare.table import RunTable

SIGNS_OF_A_PATTERN = frozenset("\\^$*+?[]{}|()")


@dataclass(frozen=True)
class NameFilter:
    """Plain text or a pattern, looked for in names and labels; case does not matter."""

    pattern: str

    def matches(self, table: RunTable, *, tail: int) -> NDArray[np.bool_]:
        names = table.column("run:name").values.tolist()
        labels = table.column("run:label").values.tolist()
        try:
            found = which_match(self.pattern, [*names, *labels], anywhere=True, ignore_case=True)
        except BadPatternError as error:
            raise QueryError(str(error), 0, len(self.pattern)) from None
        in_names, in_labels = found[: len(names)], found[len(names) :]
        # A run that nobody gave a name has an empty label, which is not looked into.
        either = [one or (other and bool(label)) for one, other, label in zip(in_names, in_labels, labels, strict=True)]
        return np.array(either, bool)


def compile_query(text: str) -> Query | NameFilter | None:
    """Whatever a person typed into the box; None for nothing at all, which matches every run."""
    match kind_of(text):
        case "empty":
            return None
        case "name":
            return NameFilter(re.escape(text.strip()))
        case "regex":
            return NameFilter(checked_pattern(text))
        case _:
            return compile_expression(text)


def checked_pattern(text: str) -> str:
    """QueryError for a pattern that nothing can be found with."""
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


def kind_of(text: str) -> str:
    """What a person means by the text: "empty", "name", "regex" or "expression"."""
    text = text.strip()
    if not text:
        return "empty"
    if is_marked_pattern(text):
        return "regex"
    if looks_like_expression(text):
        return "expression"
    if len(text) <= MAX_PATTERN_CHARS and (SIGNS_OF_A_PATTERN & set(text) or ".*" in text):
        try:
            compiled(text)
        except (re.error, OverflowError, RecursionError):
            return "name"
        return "regex"
    return "name"


def looks_like_expression(text: str) -> bool:
    """Holds a comparison, a function of ours, or `and`, `or`, `not`, `in` where an operator stands."""
    if len(text) > MAX_LENGTH:
        return False
    try:
        with quietly():
            tree = ast.parse(re.sub(r"\s", " ", text), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        bare = without_text(text)
        if re.fullmatch(r"\s*\w+\s*", bare):
            return False
        # A lone "=" with no space about it is common in names of runs; "(?<=" and "(?P<" are those of patterns.
        return bool(
            re.search(r"[<>]|[!=]=|\s=\s|&&|\|\|", re.sub(r"\(\?P?<?[=!]?", "", bare))
            or re.search(r"(^|[\s)\]\"'])(and|or|not|in|is)\s*($|[\s(\[\"'])", bare.replace("''", '"'))
            or re.search(r"\b(metric|param|summary)\[", bare)
            or re.match(rf"\s*(not\s+)?({'|'.join(FUNCTIONS)})\(", bare)
        )
    return any(is_telling(node) for node in ast.walk(tree))


def is_telling(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare | ast.BoolOp | ast.Not):
        return True
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in LOOKUPS
