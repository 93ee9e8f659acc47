"""Queries over the metadata of an embedding."""

from __future__ import annotations

from seamark.compare.query import row_query
from seamark.embeddings.form import EmbeddingError, Metadata, RowColumn


class MetadataQueryError(EmbeddingError):
    """A query that cannot be read; `at` and `length` count its characters."""

    def __init__(self, message: str, at: int, length: int) -> None:
        super().__init__(message)
        self.at, self.length = at, length


def matching_rows(metadata: Metadata, query: str) -> RowColumn:
    """The rows that match. Raises MetadataQueryError."""
    try:
        return row_query.matching_rows(metadata.by_name, metadata.rows, query, what="the metadata")
    except row_query.RowQueryError as error:
        raise MetadataQueryError(str(error), error.at, error.length) from error
