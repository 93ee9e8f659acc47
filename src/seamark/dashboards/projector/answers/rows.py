"""Embeddings and their rows: lists, columns, texts, searches, exports and files."""

from __future__ import annotations

import numpy as np

from seamark.dashboards.projector import wire
from seamark.dashboards.projector.library import EmbeddingLibrary
from seamark.embeddings.form import Embedding, MetadataColumn, Thumbnails
from seamark.plugin import not_found
from seamark.plugin.columns import encode_columns


def embeddings(library: EmbeddingLibrary) -> wire.EmbeddingsResponse:
    listings, has_more = library.listings()
    entries = [
        wire.EmbeddingEntry(
            listing.ref.run, listing.ref.name, listing.title, [wire.StepEntry(*step) for step in listing.steps]
        )
        for listing in listings
    ]
    return wire.EmbeddingsResponse(entries, has_more)


def info(embedding: Embedding) -> wire.InfoResponse:
    vectors, pictures = embedding.vectors, embedding.thumbnails
    return wire.InfoResponse(
        rows=vectors.rows,
        dimensions=vectors.dimensions,
        dtype=vectors.dtype,
        content_id=vectors.content_id,
        left_out=0 if vectors.finite is None else vectors.rows - len(vectors.finite),
        columns=[wire.ColumnEntry(c.name, c.type, len(c.names)) for c in embedding.metadata.columns],
        thumbnails=None if pictures is None else thumbnails_entry(pictures),
        has_bookmarks=bool(embedding.bookmarks),
        problems=list(embedding.problems),
    )


def thumbnails_entry(pictures: Thumbnails) -> wire.ThumbnailsEntry:
    return wire.ThumbnailsEntry(pictures.width, pictures.height, pictures.columns)


def upload(library: EmbeddingLibrary, parameters: wire.UploadParameters, data: bytes) -> wire.UploadResponse:
    raise NotImplementedError


def column(embedding: Embedding, name: str) -> bytes:
    found = column_of(embedding, name)
    if found.numbers is not None:
        return encode_columns({"type": "number", "names": []}, {"values": found.numbers.astype(np.float32)})
    if found.codes is None:
        raise not_found(f"the column '{name}' is empty")
    names = found.names if found.type == "category" else []
    return encode_columns({"type": found.type, "names": names}, {"values": found.codes})


def column_of(embedding: Embedding, name: str) -> MetadataColumn:
    found = embedding.metadata.by_name.get(name)
    if found is None:
        raise not_found(f"the metadata has no column '{name}'")
    return found


def texts(embedding: Embedding, body: wire.RowsBody) -> wire.RowsResponse:
    names = [column.name for column in embedding.metadata.columns] if body.columns is None else body.columns
    columns = [column_of(embedding, name) for name in names]
    return wire.RowsResponse(names, [[column.text(row) for column in columns] for row in body.rows])


def search(embedding: Embedding, parameters: wire.SearchParameters) -> bytes:
    """The rows that contain a text, as the column `rows`."""
    raise NotImplementedError


def matching(embedding: Embedding, query: str) -> bytes:
    """The rows that match a query, as the column `rows`."""
    raise NotImplementedError


def left_out(embedding: Embedding) -> bytes:
    """The rows with numbers that are not finite, as the column `rows`."""
    vectors = embedding.vectors
    rows = np.setdiff1d(np.arange(vectors.rows), vectors.finite_rows, assume_unique=True)
    return encode_columns({}, {"rows": rows.astype(np.uint32)})


def export(embedding: Embedding, body: wire.ExportBody) -> tuple[bytes, str]:
    """A file and its media type."""
    raise NotImplementedError


def thumbnails(embedding: Embedding) -> bytes:
    raise NotImplementedError


def bookmarks(embedding: Embedding) -> bytes:
    if not embedding.bookmarks:
        raise not_found("this embedding has no bookmarks")
    return embedding.bookmarks
