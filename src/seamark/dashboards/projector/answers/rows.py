"""Embeddings and their rows: lists, columns, texts, searches, exports and files."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from seamark.dashboards.projector import wire
from seamark.dashboards.projector.embedding_ref import EmbeddingRef
from seamark.dashboards.projector.export import MEDIA_TYPES, export_csv, export_npy, export_parquet
from seamark.dashboards.projector.library import EmbeddingLibrary
from seamark.dashboards.projector.metadata_query import MetadataQueryError, matching_rows
from seamark.dashboards.projector.projector import Projector
from seamark.embeddings.category_order import style_positions
from seamark.embeddings.form import Embedding, EmbeddingError, FloatMatrix, MetadataColumn, RowColumn, Thumbnails
from seamark.embeddings.search import find_rows
from seamark.format.types import RunName
from seamark.kinds.image import sniff
from seamark.plugin import RequestError, not_found
from seamark.plugin.columns import encode_columns


def embeddings(library: EmbeddingLibrary) -> wire.EmbeddingsResponse:
    listings, has_more, problems = library.listings()
    entries = [
        wire.EmbeddingEntry(
            listing.ref.run, listing.ref.name, listing.title, [wire.StepEntry(*step) for step in listing.steps]
        )
        for listing in listings
    ]
    return wire.EmbeddingsResponse(entries, has_more, [wire.ListingProblem(*problem) for problem in problems])


def info(embedding: Embedding) -> wire.InfoResponse:
    vectors, pictures = embedding.vectors, embedding.thumbnails
    return wire.InfoResponse(
        rows=vectors.rows,
        dimensions=vectors.dimensions,
        dtype=vectors.dtype,
        content_id=vectors.content_id,
        left_out=0 if vectors.finite is None else vectors.rows - len(vectors.finite),
        columns=[
            wire.ColumnEntry(c.name, c.type, len(c.names), c.numbers is not None) for c in embedding.metadata.columns
        ],
        thumbnails=None if pictures is None else thumbnails_entry(pictures),
        has_bookmarks=bool(embedding.bookmarks),
        problems=list(embedding.problems),
    )


def thumbnails_entry(pictures: Thumbnails) -> wire.ThumbnailsEntry:
    return wire.ThumbnailsEntry(pictures.width, pictures.height, pictures.columns)


def upload(library: EmbeddingLibrary, parameters: wire.UploadParameters, file: Path) -> wire.UploadResponse:
    """Keeps a file that was dropped on the page, or the metadata of one."""
    if parameters.metadata_of:
        ref = EmbeddingRef(RunName(""), parameters.metadata_of)
        return wire.UploadResponse(*library.add_metadata(ref, parameters.name, file))
    return wire.UploadResponse(*library.add_upload(parameters.name, file))


def column(library: EmbeddingLibrary, ref: EmbeddingRef, name: str) -> bytes:
    embedding = library.open(ref)
    found = column_of(embedding, name)
    if found.type == "number" and found.numbers is not None:
        return encode_columns({"type": "number", "names": []}, {"values": found.numbers.astype(np.float32)})
    if found.codes is None:
        raise not_found(f"the column '{name}' is empty")
    header: dict[str, object] = {"type": found.type, "names": []}
    if found.type == "category":
        header |= {
            "names": list(found.names),
            "styles": style_positions(library.columns_of_steps(ref, embedding), found),
        }
    return encode_columns(header, {"values": found.codes})


def column_of(embedding: Embedding, name: str) -> MetadataColumn:
    found = embedding.metadata.by_name.get(name)
    if found is None:
        raise not_found(f"the metadata has no column '{name}'")
    return found


def texts(embedding: Embedding, body: wire.RowsBody) -> wire.RowsResponse:
    names = [column.name for column in embedding.metadata.columns] if body.columns is None else body.columns
    columns = [column_of(embedding, name) for name in names]
    check_rows(embedding, body.rows)
    return wire.RowsResponse(names, [[column.text(row) for column in columns] for row in body.rows])


def search(embedding: Embedding, parameters: wire.SearchParameters) -> bytes:
    """The rows that contain a text, as the column `rows`."""
    try:
        rows = find_rows(embedding.metadata, parameters.text, column=parameters.column, is_regex=parameters.is_regex)
    except EmbeddingError as error:
        raise RequestError(str(error), code="invalid_parameter") from error
    return encode_rows(rows)


def matching(embedding: Embedding, query: str) -> bytes:
    """The rows that match a query, as the column `rows`."""
    try:
        return encode_rows(matching_rows(embedding.metadata, query))
    except MetadataQueryError as error:
        details = {"at": error.at, "length": error.length}
        raise RequestError(str(error), code="invalid_parameter", details=details) from error


def left_out(embedding: Embedding) -> bytes:
    """The rows with numbers that are not finite, as the column `rows`."""
    vectors = embedding.vectors
    rows = np.setdiff1d(np.arange(vectors.rows), vectors.finite_rows, assume_unique=True)
    return encode_rows(rows)


def encode_rows(rows: RowColumn) -> bytes:
    return encode_columns({}, {"rows": rows.astype(np.uint32)})


def export(projector: Projector, body: wire.ExportBody) -> tuple[bytes, str]:
    """A file and its media type."""
    embedding = projector.open(body)
    rows = np.arange(embedding.vectors.rows) if body.rows is None else check_rows(embedding, body.rows)
    if body.format == "npy":
        data = export_npy(embedding, rows)
    else:
        data = {"csv": export_csv, "parquet": export_parquet}[body.format](embedding, rows, positions(projector, body))
    return data, MEDIA_TYPES[body.format]


def positions(projector: Projector, body: wire.ExportBody) -> FloatMatrix | None:
    """Of all rows in the picture; NaN for those that are not in it. None without a picture."""
    if body.picture is None:
        return None
    if (body.picture.run, body.picture.name) != (body.run, body.name):
        raise RequestError(f"the picture is of another embedding: got '{body.picture.name}', want '{body.name}'")
    return projector.projected(body.picture).by_row(projector.open(body).vectors.rows)


def check_rows(embedding: Embedding, rows: list[int]) -> RowColumn:
    found = np.array(rows, np.int64)
    if len(found) and int(found.max()) >= embedding.vectors.rows:
        raise not_found(f"there is no row {int(found.max()):,}: the embedding has {embedding.vectors.rows:,} rows")
    return found


def thumbnails(embedding: Embedding) -> tuple[bytes, str]:
    """The picture with all thumbnails, and its media type."""
    pictures = embedding.thumbnails
    if pictures is None:
        raise not_found("this embedding has no thumbnails")
    try:
        data = pictures.data if pictures.path is None else pictures.path.read_bytes()
    except OSError as error:
        raise not_found(f"the picture cannot be read any more: {error.strerror}") from error
    return data, sniff(data)


def bookmarks(embedding: Embedding) -> bytes:
    if not embedding.bookmarks:
        raise not_found("this embedding has no bookmarks")
    return embedding.bookmarks
