"""Custom axes: the rows at both ends of each, found by their metadata."""

from __future__ import annotations

from seamark.dashboards.projector import wire
from seamark.embeddings.form import Embedding, EmbeddingError, RowColumn
from seamark.embeddings.search import find_rows


def axis_rows(
    embedding: Embedding, method: wire.MethodBody
) -> tuple[list[tuple[RowColumn, RowColumn]], tuple[str, ...]]:
    """The rows at the start and the end of each axis, and the axes' titles."""
    if len(method.axes) < method.dims:
        raise EmbeddingError(f"custom axes need two texts each: got {len(method.axes)} axes, want {method.dims}")
    axes = method.axes[: method.dims]
    ends = [(_rows_of(embedding, axis.start), _rows_of(embedding, axis.end)) for axis in axes]
    return ends, tuple(f"{axis.start.text} → {axis.end.text}" for axis in axes)


def _rows_of(embedding: Embedding, end: wire.AxisEnd) -> RowColumn:
    rows = find_rows(embedding.metadata, end.text, column=end.column, is_regex=end.is_regex)
    if not len(rows):
        raise EmbeddingError(f"no row matches '{end.text}'")
    return rows
