"""Parses the query language: Python's syntax, never run as code.

docs/query.md describes it. This module checks the syntax; evaluation.py evaluates it.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Any

from seamark.compare.query.suppress_warnings import suppress_warnings

MAX_LENGTH = 4000
MAX_DEPTH = 60
MAX_NODES = 1000
# Name → minimum and maximum number of arguments.
FUNCTIONS: dict[str, tuple[int, int]] = {
    "tag": (1, 1), "abs": (1, 1), "min": (2, 20), "max": (2, 20), "len": (1, 1), "lower": (1, 1), "upper": (1, 1),
    "startswith": (2, 2), "endswith": (2, 2), "matches": (2, 2), "log": (1, 1), "log10": (1, 1), "isnan": (1, 1),
    "days": (1, 1), "hours": (1, 1), "minutes": (1, 1), "now": (0, 0),
}  # fmt: skip
LOOKUPS = ("param", "metric", "summary")
ALLOWED: tuple[type[ast.AST], ...] = (
    ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Compare, ast.Call, ast.Name, ast.Attribute, ast.Subscript, ast.Constant,
    ast.List, ast.Tuple, ast.And, ast.Or, ast.Not, ast.USub, ast.UAdd, ast.Add, ast.Sub, ast.Mult, ast.Div,
    ast.FloorDiv, ast.Mod, ast.Pow, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Is,
    ast.IsNot, ast.Load,
)  # fmt: skip
HINTS: dict[type[ast.AST], str] = {
    ast.BitAnd: "write 'and' instead of '&'",
    ast.BitOr: "write 'or' instead of '|'",
    ast.BitXor: "write '**' for a power; '^' is not part of queries",
    ast.Invert: "write 'not' instead of '~'",
    ast.IfExp: "'if' and 'else' are not part of queries; write 'and' and 'or'",
    ast.JoinedStr: "write a plain string without the f",
    ast.Set: "write a list in square brackets",
    ast.Slice: "slices are not part of queries",
}


class QueryError(ValueError):
    """An error in a query; `at` and `length` count its characters."""

    def __init__(self, message: str, at: int = 0, length: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.at = at
        self.length = length


@dataclass(frozen=True, eq=False)
class Query:
    """A parsed expression. Made by `compile`; `select_rows` evaluates it."""

    text: str
    tree: ast.expr
    source: Source


@dataclass(frozen=True)
class Source:
    """The parsed text, and its offset in the text that was typed."""

    text: str
    indent: int

    def at(self, node: ast.AST) -> int:
        return self.indent + self._characters(getattr(node, "col_offset", 0))

    def error(self, message: str, node: ast.AST) -> QueryError:
        end = self.indent + self._characters(getattr(node, "end_col_offset", 0) or 0)
        return QueryError(message, self.at(node), max(end - self.at(node), 1))

    def _characters(self, utf8_bytes: int) -> int:
        """Python's parser counts bytes."""
        return len(self.text.encode()[:utf8_bytes].decode(errors="ignore"))


def compile_expression(text: str) -> Query:
    """QueryError for anything outside the language."""
    if len(text) > MAX_LENGTH:
        raise QueryError(f"the query has {len(text):,} characters, the limit is {MAX_LENGTH:,}", 0, len(text))
    # On a single line one number gives the position; strings cannot contain line breaks anyway.
    plain = re.sub(r"[\n\r\t\f\v]", " ", text)
    stripped = plain.strip()
    source = Source(stripped, plain.index(stripped) if stripped else 0)
    if not stripped:
        raise QueryError("the query is empty")
    try:
        with suppress_warnings():
            tree = ast.parse(stripped, mode="eval").body
    except SyntaxError as error:
        raise syntax_error(source, error) from None
    except (ValueError, MemoryError, RecursionError):
        raise QueryError("not an expression: it is nested too deeply or contains a zero byte", 0, len(text)) from None
    check(tree, source)
    return Query(text, tree, source)


def without_text(text: str) -> str:
    """With strings blanked out, in the same length."""
    return re.sub(r"\"[^\"]*\"?|'[^']*'?", lambda found: "'" * len(found.group()), text)


def syntax_error(source: Source, error: SyntaxError) -> QueryError:
    """Suggests Python's spelling for common spellings of other languages."""
    bare = without_text(source.text)
    for pattern, advice in (
        (r"&&", "write 'and' instead of '&&'"),
        (r"\|\|", "write 'or' instead of '||'"),
        (r"<>", "write '!=' instead of '<>'"),
        (r"(?<![<>=!])=(?!=)", "write '==' to compare"),
        (r"!(?!=)", "write 'not' instead of '!'"),
        (r"\b(AND|OR|NOT|IN|IS)\b", "write and, or, not, in and is in lower case"),
        (r"[“”„«»‘’]", "write straight quotes: \" or '"),
    ):
        found = re.search(pattern, bare)
        if found:
            return QueryError(advice, source.indent + found.start(), found.end() - found.start())
    if re.search(r"([-+*/%<>=!,]|\b(and|or|not|in|is))$", bare):
        return QueryError("something is missing at the end", source.indent + len(source.text), 1)
    at = min(max((error.offset or 1) - 1, 0), len(source.text))
    return QueryError(f"not an expression: {(error.msg or '').partition('. ')[0]}", source.indent + at, 1)


def check(tree: ast.expr, source: Source) -> None:
    """QueryError for syntax that is not allowed, before any name is looked up."""
    level: list[Any] = [tree]
    depth = count = 0
    while level:
        depth += 1
        count += len(level)
        if depth > MAX_DEPTH or count > MAX_NODES:
            raise QueryError(f"the query is too big: the limits are {MAX_DEPTH} levels and {MAX_NODES} parts")
        below: list[ast.AST] = []
        for node in level:
            check_node(node, source)
            below.extend(ast.iter_child_nodes(node))
        level = below


def check_node(node: ast.AST, source: Source) -> None:
    if not isinstance(node, ALLOWED):
        for child in [node, *ast.iter_child_nodes(node)]:
            if type(child) in HINTS:
                raise source.error(HINTS[type(child)], node)
        raise source.error("this is not part of queries", node)
    if isinstance(node, ast.BinOp | ast.UnaryOp) and type(node.op) in HINTS:
        raise source.error(HINTS[type(node.op)], node)
    if isinstance(node, ast.Constant):
        check_constant(node, source)
    elif isinstance(node, ast.Call):
        check_call(node, source)
    elif isinstance(node, ast.Subscript):
        check_lookup(node, source)


def check_constant(node: ast.Constant, source: Source) -> None:
    if isinstance(node.value, bytes | complex) or node.value is Ellipsis:
        raise source.error("write a number, text in quotes, True, False or None", node)
    if isinstance(node.value, int) and abs(node.value) > 1 << 1000:
        raise source.error("this number is too big", node)


def check_call(node: ast.Call, source: Source) -> None:
    if not isinstance(node.func, ast.Name):
        if isinstance(node.func, ast.Attribute) and node.func.attr in FUNCTIONS:
            raise source.error(f"write {node.func.attr}(…) with the text as first argument", node.func)
        raise source.error("only functions of the language can be called", node.func)
    name = node.func.id
    if name in LOOKUPS:
        raise source.error(f"write {name}[…] with square brackets", node.func)
    if name not in FUNCTIONS:
        raise source.error(f"there is no function '{name}'; there are {', '.join(sorted(FUNCTIONS))}", node.func)
    fewest, limit = FUNCTIONS[name]
    if node.keywords or not fewest <= len(node.args) <= limit:
        wanted = str(fewest) if fewest == limit else f"{fewest} to {limit}"
        raise source.error(f"{name}() takes {wanted} argument{'s' * (wanted != '1')}, got {len(node.args)}", node)


def check_lookup(node: ast.Subscript, source: Source) -> None:
    if not isinstance(node.value, ast.Name) or node.value.id not in LOOKUPS:
        raise source.error('write param["name"], metric["tag"] or summary["name"]', node)
    if not isinstance(node.slice, ast.Constant) or not isinstance(node.slice.value, str):
        raise source.error(f'write the name in quotes: {node.value.id}["…"]', node.slice)
