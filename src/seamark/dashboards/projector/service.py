"""Routes of the Projector: embeddings, their rows, projections, neighbours, clusters and movements."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import Response

from seamark.dashboards.projector import wire
from seamark.dashboards.projector.answers import neighbourhoods, projections, rows, training
from seamark.dashboards.projector.embedding_ref import EmbeddingRef
from seamark.dashboards.projector.library import EmbeddingLibrary
from seamark.dashboards.projector.projector import Projector
from seamark.embeddings.form import Embedding
from seamark.plugin import Context
from seamark.plugin.columns import MEDIA_TYPE
from seamark.plugin.service_routes import UPLOAD_ERRORS, get, post

MAX_UPLOAD_BYTES = 2 << 30
MAX_ROWS_BODY_BYTES = 128 << 20


class ProjectorService:
    def __init__(self, context: Context) -> None:
        self._library = EmbeddingLibrary(context.store, context.roots)
        self._projector = Projector(self._library, context.store.cache_dir)

    # Which there are

    @get(errors={})
    def embeddings(self) -> wire.EmbeddingsResponse:
        """The embeddings of all runs."""
        return rows.embeddings(self._library)

    @get()
    def info(self, parameters: wire.EmbeddingParameters) -> wire.InfoResponse:
        """The size, the metadata's columns and the problems of an embedding."""
        return rows.info(self._open(parameters))

    @post(max_body_bytes=MAX_UPLOAD_BYTES, changes=True, errors=UPLOAD_ERRORS)
    def upload(self, parameters: wire.UploadParameters, body: Path) -> wire.UploadResponse:
        """Reads an embedding, or the metadata of one, that is sent; it stays on this machine."""
        return rows.upload(self._library, parameters, body)

    # Rows

    @get(media_type=MEDIA_TYPE)
    def column(self, parameters: wire.ColumnParameters) -> bytes:
        """One column of the metadata, for every row."""
        return rows.column(self._library, EmbeddingRef(parameters.run, parameters.name), parameters.column)

    @post()
    def rows(self, body: wire.RowsBody) -> wire.RowsResponse:
        """The metadata of some rows, as texts."""
        return rows.texts(self._open(body), body)

    @get(media_type=MEDIA_TYPE)
    def search(self, parameters: wire.SearchParameters) -> bytes:
        """The rows whose metadata contain a text."""
        return rows.search(self._open(parameters), parameters)

    @get(media_type=MEDIA_TYPE)
    def filter(self, parameters: wire.FilterParameters) -> bytes:
        """The rows that match a query."""
        return rows.matching(self._open(parameters), parameters.query)

    @get(media_type=MEDIA_TYPE)
    def left_out(self, parameters: wire.EmbeddingParameters) -> bytes:
        """The rows with numbers that are not finite."""
        return rows.left_out(self._open(parameters))

    @post(max_body_bytes=MAX_ROWS_BODY_BYTES, media_type="application/octet-stream")
    def export(self, body: wire.ExportBody) -> Response:
        """Rows as CSV, Parquet or .npy."""
        data, media_type = rows.export(self._projector, body)
        return Response(data, media_type=media_type)

    @get(media_type="image/png")
    def thumbnails(self, parameters: wire.EmbeddingParameters) -> Response:
        """The picture with all thumbnails."""
        data, media_type = rows.thumbnails(self._open(parameters))
        return Response(data, media_type=media_type)

    @get(media_type="application/json")
    def bookmarks(self, parameters: wire.EmbeddingParameters) -> bytes:
        """The bookmarks of an embedding, as TensorBoard saves them."""
        return rows.bookmarks(self._open(parameters))

    # Projections

    @post(media_type=MEDIA_TYPE)
    def projection(self, body: wire.ProjectionBody) -> bytes:
        """The positions of the points; starts a method that runs."""
        return projections.projection(self._projector, body)

    @post(changes=True)
    def job(self, body: wire.JobBody) -> wire.JobResponse:
        """Pauses or resumes a method."""
        return projections.job(self._projector, body)

    # Neighbourhoods

    @post()
    def neighbours(self, body: wire.NeighboursBody) -> wire.NeighboursResponse:
        """The nearest rows of a row, over all rows, and their ranks in the picture."""
        return neighbourhoods.neighbours(self._projector, body)

    @post(media_type=MEDIA_TYPE)
    def distances(self, body: wire.DistancesBody) -> bytes:
        """The distance of a row from every row."""
        return neighbourhoods.distances(self._projector, body)

    @post(media_type=MEDIA_TYPE)
    def quality(self, body: wire.QualityBody) -> bytes:
        """How many neighbours of each point the picture keeps; trustworthiness and continuity."""
        return neighbourhoods.quality(self._projector, body)

    @post(media_type=MEDIA_TYPE)
    def clusters(self, body: wire.ClustersBody) -> bytes:
        """The cluster of each point, with the clusters' names."""
        return neighbourhoods.clusters(self._projector, body)

    @post()
    def outliers(self, body: wire.FindingsBody) -> wire.OutliersResponse:
        """The rows that are farthest from all others."""
        return neighbourhoods.outliers(self._projector, body)

    @post()
    def duplicates(self, body: wire.FindingsBody) -> wire.DuplicatesResponse:
        """Rows with equal vectors."""
        return neighbourhoods.duplicates(self._projector, body)

    @post(media_type=MEDIA_TYPE)
    def shared(self, body: wire.SharedBody) -> bytes:
        """The share of neighbours that each row has in both of two embeddings."""
        return neighbourhoods.shared(self._projector, body)

    # Along training

    @post(media_type=MEDIA_TYPE)
    def movement(self, body: wire.MovementBody) -> bytes:
        """How far points move from step to step."""
        return training.movement(self._projector, body)

    def _open(self, parameters: wire.EmbeddingParameters) -> Embedding:
        return self._library.open(EmbeddingRef(parameters.run, parameters.name))
