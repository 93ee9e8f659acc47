"""Queries over metadata, in the language of the run filter: `split == "test" and conf > 0.2`."""

from __future__ import annotations

import keyword
import re
import time
from contextlib import AbstractContextManager, nullcontext

import numpy as np

from seamark.compare.columns.column import Column, Names, UnknownColumnError
from seamark.compare.query.completion import OPERATOR_WORDS
from seamark.compare.query.evaluation import evaluate
from seamark.compare.query.expression import QueryError, compile_expression, without_text
from seamark.embeddings.form import EmbeddingError, Metadata, MetadataColumn, RowColumn

# A single `=`, a column in backticks because its name is no identifier, and words, which may be keywords of Python.
TO_TRANSLATE = re.compile(r"(?P<equals>(?<![<>=!])=(?!=))|`[^`]+`|(?P<word>\b[^\W\d]\w*\b)")
MAX_HINT_NAMES = 10


def matching_rows(metadata: Metadata, query: str) -> RowColumn:
    """The rows that match. Raises EmbeddingError with a sentence about the query."""
    table = MetadataTable(metadata)
    try:
        compiled = compile_expression(as_expression(query, table.known_names()))
        return np.flatnonzero(evaluate(compiled, table, tail=1))
    except (QueryError, UnknownColumnError) as error:
        raise EmbeddingError(str(error)) from error


def as_expression(query: str, names: Names) -> str:
    """In Python's syntax: `==` for a single `=`, and names that Python does not allow looked up."""
    for match in reversed(list(TO_TRANSLATE.finditer(without_text(query)))):
        query = query[: match.start()] + _translated(query, match, names) + query[match.end() :]
    return query


def _translated(query: str, match: re.Match[str], names: Names) -> str:
    if match["equals"]:
        return "=="
    word = query[match.start() : match.end()]
    if match["word"] and (not keyword.iskeyword(word) or word in OPERATOR_WORDS or word not in names.params):
        return word
    column_id = names.resolve(word.strip("`"))
    return f"param[{column_id.partition(':')[2]!r}]"


class ColumnNames(Names):
    """Only the columns of the metadata have names here: not the fields of a run."""

    def resolve(self, text: str) -> str:
        if text not in self.params:
            raise UnknownColumnError(f"the metadata has no column '{text}'{self.hint(text)}")
        return f"param:{text}"

    def has(self, column_id: str) -> bool:
        source, _, name = column_id.partition(":")
        return source == "param" and name in self.params

    def hint(self, text: str) -> str:
        return f"; it has {', '.join(list(self.params)[:MAX_HINT_NAMES]) or 'none'}"


class MetadataTable:
    """A QueryTable of the metadata of an embedding."""

    def __init__(self, metadata: Metadata) -> None:
        self._metadata = metadata
        self._names = ColumnNames(metadata.by_name, {}, {})

    def __len__(self) -> int:
        return self._metadata.rows

    def column(self, column_id: str, *, tail: int = 1) -> Column:
        return as_column(column_id, self._metadata.by_name[column_id.partition(":")[2]])

    def known_names(self) -> Names:
        return self._names

    def resolve(self, text: str) -> str:
        return self._names.resolve(text)

    def now(self) -> float:
        return time.time()

    def hold(self) -> AbstractContextManager[object]:
        return nullcontext()


def as_column(column_id: str, column: MetadataColumn) -> Column:
    if column.numbers is not None:
        present = ~np.isnan(column.numbers)
        return Column(column_id, "number", np.where(present, column.numbers, 0.0), present)
    assert column.codes is not None
    names = np.array([*column.names, ""], object)  # the last is that of a missing value
    return Column(column_id, "text", names[column.codes], column.codes >= 0)
