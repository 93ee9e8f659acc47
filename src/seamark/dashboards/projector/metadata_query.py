"""Queries over metadata, in the language of the run filter: `split == "test" and conf > 0.2`."""

from __future__ import annotations

import re
import time
from contextlib import AbstractContextManager, nullcontext

import numpy as np

from seamark.compare.columns.column import Column, Names, UnknownColumnError
from seamark.compare.query.evaluation import evaluate
from seamark.compare.query.expression import QueryError, compile_expression, without_text
from seamark.embeddings.form import EmbeddingError, Metadata, MetadataColumn, RowColumn

# A column whose name is no identifier: `a b`.
QUOTED_NAME = re.compile(r"`([^`]+)`")
SINGLE_EQUALS = re.compile(r"(?<![<>=!])=(?!=)")


def matching_rows(metadata: Metadata, query: str) -> RowColumn:
    """The rows that match. Raises EmbeddingError with a sentence about the query."""
    try:
        compiled = compile_expression(as_expression(query))
        return np.flatnonzero(evaluate(compiled, MetadataTable(metadata), tail=1))
    except QueryError as error:
        raise EmbeddingError(error.message) from error


def as_expression(query: str) -> str:
    """With `==` for a single `=`, and names in backticks as the language writes them."""
    bare = without_text(query)
    for match in reversed(list(SINGLE_EQUALS.finditer(bare))):
        query = f"{query[: match.start()]}=={query[match.end() :]}"
    bare = without_text(query)
    for match in reversed(list(QUOTED_NAME.finditer(bare))):
        name = query[match.start() + 1 : match.end() - 1]
        query = f"{query[: match.start()]}param[{name!r}]{query[match.end() :]}"
    return query


class ColumnNames(Names):
    """Only the columns of the metadata have names here: not the fields of a run."""

    def resolve(self, text: str) -> str:
        if text not in self.params:
            known = ", ".join(list(self.params)[:10]) or "none"
            raise UnknownColumnError(f"the metadata has no column '{text}'; it has {known}")
        return f"param:{text}"

    def has(self, column_id: str) -> bool:
        source, _, name = column_id.partition(":")
        return source == "param" and name in self.params

    def hint(self, text: str) -> str:
        return ""


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
