"""Queries over the rows of any table, in the language of the run filter: `split == "test" and conf > 0.2`."""

from __future__ import annotations

import keyword
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns.column import Column, Names, UnknownColumnError
from seamark.compare.query.completion import OPERATOR_WORDS
from seamark.compare.query.evaluation import evaluate
from seamark.compare.query.expression import QueryError, compile_expression, without_text

# A single `=`, a column in backticks because its name is no identifier, and words, which may be keywords of Python.
TO_TRANSLATE = re.compile(r"(?<![<>=!])=(?!=)|`[^`]+`|\b[^\W\d]\w*\b")
MAX_HINT_NAMES = 10


class RowQueryError(ValueError):
    """A query that cannot be read; `at` and `length` count its characters."""

    def __init__(self, message: str, at: int, length: int) -> None:
        super().__init__(message)
        self.at, self.length = at, length


class ValueColumn(Protocol):
    """Numbers, NaN where they are missing; or codes of names, -1 where they are missing."""

    @property
    def type(self) -> str: ...
    @property
    def numbers(self) -> NDArray[np.float64] | None: ...
    @property
    def codes(self) -> NDArray[np.int32] | None: ...
    @property
    def names(self) -> Sequence[str]: ...


def matching_rows(
    columns: Mapping[str, ValueColumn], rows: int, query: str, *, what: str = "the table"
) -> NDArray[np.int64]:
    """The rows that match. `what` begins the sentence about an unknown column. Raises RowQueryError."""
    table = RowTable(columns, rows, what)
    expression = as_expression(query, table.known_names())
    try:
        return np.flatnonzero(evaluate(compile_expression(expression.text), table, tail=1))
    except QueryError as error:
        start, end = expression.original(error.at), expression.original(error.at + error.length)
        raise RowQueryError(error.message, start, max(1, end - start)) from error


@dataclass(frozen=True)
class Expression:
    """A query in Python's syntax, and which parts of it replace which parts of the query."""

    text: str
    replaced: tuple[tuple[range, range], ...]  # in the expression and in the query

    def original(self, at: int) -> int:
        """The position in the query of one in the expression."""
        shift = 0
        for new, old in self.replaced:
            if at < new.start:
                break
            if at < new.stop:
                return old.start
            shift = old.stop - new.stop
        return at + shift


def as_expression(query: str, names: Names) -> Expression:
    """With `==` for a single `=`, and names that Python does not allow looked up."""
    text, end, replaced = "", 0, []
    for match in TO_TRANSLATE.finditer(without_text(query)):
        word = query[match.start() : match.end()]
        new = _translated(word, match.start(), names)
        if new != word:
            text += query[end : match.start()]
            replaced.append((range(len(text), len(text) + len(new)), range(match.start(), match.end())))
            text, end = text + new, match.end()
    return Expression(text + query[end:], tuple(replaced))


def _translated(word: str, at: int, names: Names) -> str:
    if word == "=":
        return "=="
    is_quoted = word.startswith("`")
    if not is_quoted and (not keyword.iskeyword(word) or word in OPERATOR_WORDS or word not in names.params):
        return word
    try:
        column_id = names.resolve(word.strip("`"))
    except UnknownColumnError as error:
        raise RowQueryError(str(error), at, len(word)) from error
    return f"param[{column_id.partition(':')[2]!r}]"


class ColumnNames(Names):
    """Only the columns of the table have names here: not the fields of a run."""

    def __init__(self, columns: Mapping[str, ValueColumn], what: str) -> None:
        super().__init__(columns, {}, {})
        self._what = what

    def resolve(self, text: str) -> str:
        if text not in self.params:
            raise UnknownColumnError(f"{self._what} has no column '{text}'{self.hint(text)}")
        return f"param:{text}"

    def has(self, column_id: str) -> bool:
        source, _, name = column_id.partition(":")
        return source == "param" and name in self.params

    def hint(self, text: str) -> str:
        return f"; it has {', '.join(list(self.params)[:MAX_HINT_NAMES]) or 'none'}"


class RowTable:
    """A QueryTable over columns of values."""

    def __init__(self, columns: Mapping[str, ValueColumn], rows: int, what: str) -> None:
        self._columns, self._rows = columns, rows
        self._names = ColumnNames(columns, what)

    def __len__(self) -> int:
        return self._rows

    def column(self, column_id: str, *, tail: int = 1) -> Column:
        return as_column(column_id, self._columns[column_id.partition(":")[2]])

    def known_names(self) -> Names:
        return self._names

    def resolve(self, text: str) -> str:
        return self._names.resolve(text)

    def now(self) -> float:
        return time.time()

    def hold(self) -> AbstractContextManager[object]:
        return nullcontext()


def as_column(column_id: str, column: ValueColumn) -> Column:
    if column.numbers is not None:
        present = ~np.isnan(column.numbers)
        if column.type == "boolean":
            return Column(column_id, "bool", present & (column.numbers == 1), present)
        return Column(column_id, "number", np.where(present, column.numbers, 0.0), present)
    assert column.codes is not None
    names = np.array([*column.names, ""], object)  # the last is that of a missing value
    return Column(column_id, "text", names[column.codes], column.codes >= 0)
