"""Custom axes: the rows at both ends of each, found by their metadata."""

from __future__ import annotations

from seamark.dashboards.projector import wire
from seamark.embeddings.form import Embedding, EmbeddingError, RowColumn
from seamark.embeddings.methods.linear import REST
from seamark.embeddings.search import find_rows


def axis_rows(
    embedding: Embedding, method: wire.MethodBody
) -> tuple[list[tuple[RowColumn, RowColumn] | None], tuple[str, ...]]:
    """The rows at the start and the end of each axis, and the axes' titles. None is an axis that nobody named."""
    ends: list[tuple[RowColumn, RowColumn] | None] = []
    titles = []
    for axis in method.axes[: method.dims]:
        is_named = axis.start.text != "" or axis.end.text != ""
        ends.append((_rows_of(embedding, axis.start), _rows_of(embedding, axis.end)) if is_named else None)
        titles.append(f"{axis.start.text} → {axis.end.text}" if is_named else REST)
    if all(groups is None for groups in ends):
        raise EmbeddingError("custom axes need a text at both ends of one of them at least")
    missing = method.dims - len(ends)
    return [*ends, *[None] * missing], (*titles, *[REST] * missing)


def _rows_of(embedding: Embedding, end: wire.AxisEnd) -> RowColumn:
    if end.text == "":
        raise EmbeddingError("an axis needs a text at both ends")
    rows = find_rows(embedding.metadata, end.text, column=end.column, is_regex=end.is_regex)
    if not len(rows):
        raise EmbeddingError(f"no row matches '{end.text}'")
    return rows
