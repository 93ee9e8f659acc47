"""ProjectorService: what the routes return. Loaded by the first request, because it loads much."""

from __future__ import annotations

from pathlib import Path

from seamark.dashboards.projector import wire
from seamark.dashboards.projector.answers import neighbourhoods, projections, rows, training
from seamark.dashboards.projector.embedding_ref import EmbeddingRef
from seamark.dashboards.projector.library import EmbeddingLibrary
from seamark.dashboards.projector.projector import Projector
from seamark.embeddings.form import Embedding
from seamark.plugin import Context


class ProjectorService:
    def __init__(self, context: Context) -> None:
        self._library = EmbeddingLibrary(context.store, context.roots)
        self._projector = Projector(self._library, context.store.cache_dir)

    # Which there are

    def embeddings(self) -> wire.EmbeddingsResponse:
        return rows.embeddings(self._library)

    def info(self, parameters: wire.EmbeddingParameters) -> wire.InfoResponse:
        return rows.info(self._open(parameters))

    def upload(self, parameters: wire.UploadParameters, file: Path) -> wire.UploadResponse:
        return rows.upload(self._library, parameters, file)

    # Rows

    def column(self, parameters: wire.ColumnParameters) -> bytes:
        return rows.column(self._open(parameters), parameters.column)

    def rows(self, body: wire.RowsBody) -> wire.RowsResponse:
        return rows.texts(self._open(body), body)

    def search(self, parameters: wire.SearchParameters) -> bytes:
        return rows.search(self._open(parameters), parameters)

    def filter(self, parameters: wire.FilterParameters) -> bytes:
        return rows.matching(self._open(parameters), parameters.query)

    def left_out(self, parameters: wire.EmbeddingParameters) -> bytes:
        return rows.left_out(self._open(parameters))

    def export(self, body: wire.ExportBody) -> tuple[bytes, str]:
        return rows.export(self._open(body), body)

    def thumbnails(self, parameters: wire.EmbeddingParameters) -> tuple[bytes, str]:
        return rows.thumbnails(self._open(parameters))

    def bookmarks(self, parameters: wire.EmbeddingParameters) -> bytes:
        return rows.bookmarks(self._open(parameters))

    # Projections

    def projection(self, body: wire.ProjectionBody) -> bytes:
        return projections.projection(self._projector, body)

    def job(self, body: wire.JobBody) -> wire.JobResponse:
        return projections.job(self._projector, body)

    # Neighbourhoods

    def neighbours(self, body: wire.NeighboursBody) -> wire.NeighboursResponse:
        return neighbourhoods.neighbours(self._projector, body)

    def distances(self, body: wire.DistancesBody) -> bytes:
        return neighbourhoods.distances(self._projector, body)

    def quality(self, body: wire.QualityBody) -> bytes:
        return neighbourhoods.quality(self._projector, body)

    def clusters(self, body: wire.ClustersBody) -> bytes:
        return neighbourhoods.clusters(self._projector, body)

    def outliers(self, body: wire.FindingsBody) -> wire.OutliersResponse:
        return neighbourhoods.outliers(self._projector, body)

    def duplicates(self, body: wire.FindingsBody) -> wire.DuplicatesResponse:
        return neighbourhoods.duplicates(self._projector, body)

    def shared(self, body: wire.SharedBody) -> bytes:
        return neighbourhoods.shared(self._projector, body)

    # Along training

    def movement(self, body: wire.MovementBody) -> bytes:
        return training.movement(self._projector, body)

    def _open(self, parameters: wire.EmbeddingParameters) -> Embedding:
        return self._library.open(EmbeddingRef(parameters.run, parameters.name))
