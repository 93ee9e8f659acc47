"""make_layout: the layout of a method."""

from __future__ import annotations

from seamark.embeddings.form import EmbeddingError, FloatMatrix
from seamark.embeddings.methods.layouts.layout import LabelCodes, Layout, LayoutSettings
from seamark.embeddings.methods.layouts.tsne import Tsne
from seamark.embeddings.methods.layouts.umap import Umap


def make_layout(
    matrix: FloatMatrix,
    settings: LayoutSettings,
    labels: LabelCodes | None = None,
    start: FloatMatrix | None = None,
) -> Layout:
    """A layout of prepared rows, which begins at the positions `start`, or at the principal components."""
    if len(matrix) == 0:
        raise EmbeddingError("There are no rows to place.")
    if start is not None and start.shape != (len(matrix), settings.dims):
        raise ValueError(f"start has shape {start.shape}, expected {(len(matrix), settings.dims)}")
    if labels is not None and len(labels) != len(matrix):
        raise ValueError(f"got {len(labels)} labels for {len(matrix)} rows")
    return (Tsne if settings.method == "tsne" else Umap)(matrix, settings, labels, start)
