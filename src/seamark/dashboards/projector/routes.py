"""Routes of the Projector: embeddings, their rows, projections, neighbours, clusters and movements."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from seamark.dashboards.projector import wire
from seamark.plugin import Context, Endpoint, ErrorCase
from seamark.plugin.columns import MEDIA_TYPE
from seamark.plugin.service_endpoints import ServiceEndpoints, typed_bytes

if TYPE_CHECKING:
    from seamark.dashboards.projector.service import ProjectorService

MAX_UPLOAD_BYTES = 2 << 30
MAX_ROWS_BODY_BYTES = 128 << 20
ERRORS = {
    404: ErrorCase("There is no such embedding, column or row."),
    422: ErrorCase("The embedding cannot be read or projected."),
}


def endpoints(context: Context) -> list[Endpoint]:
    @cache
    def service() -> ProjectorService:
        from seamark.dashboards.projector.service import ProjectorService  # not before it is needed: it loads much

        return ProjectorService(context)

    routes = ServiceEndpoints(service, ERRORS)
    return [
        routes.listing(
            "/embeddings",
            "The embeddings of all runs.",
            lambda service: service.embeddings(),
            response=wire.EmbeddingsResponse,
        ),
        routes.get(
            "/info",
            "The size, the metadata's columns and the problems of an embedding.",
            lambda service, parameters: service.info(parameters),
            wire.EmbeddingParameters,
            response=wire.InfoResponse,
        ),
        routes.get(
            "/column",
            "One column of the metadata, for every row.",
            lambda service, parameters: service.column(parameters),
            wire.ColumnParameters,
            media_type=MEDIA_TYPE,
        ),
        routes.post(
            "/rows",
            "The metadata of some rows, as texts.",
            lambda service, body: service.rows(body),
            wire.RowsBody,
            response=wire.RowsResponse,
        ),
        routes.get(
            "/search",
            "The rows whose metadata contain a text.",
            lambda service, parameters: service.search(parameters),
            wire.SearchParameters,
            media_type=MEDIA_TYPE,
        ),
        routes.get(
            "/filter",
            "The rows that match a query.",
            lambda service, parameters: service.filter(parameters),
            wire.FilterParameters,
            media_type=MEDIA_TYPE,
        ),
        routes.get(
            "/left_out",
            "The rows with numbers that are not finite.",
            lambda service, parameters: service.left_out(parameters),
            wire.EmbeddingParameters,
            media_type=MEDIA_TYPE,
        ),
        routes.post(
            "/projection",
            "The positions of the points; starts a method that runs.",
            lambda service, body: service.projection(body),
            wire.ProjectionBody,
            media_type=MEDIA_TYPE,
        ),
        routes.post(
            "/job",
            "Pauses or resumes a method.",
            lambda service, body: service.job(body),
            wire.JobBody,
            response=wire.JobResponse,
            changes=True,  # others watch the same method
        ),
        routes.post(
            "/neighbours",
            "The nearest rows of a row, over all rows, and their ranks in the picture.",
            lambda service, body: service.neighbours(body),
            wire.NeighboursBody,
            response=wire.NeighboursResponse,
        ),
        routes.post(
            "/distances",
            "The distance of a row from every row.",
            lambda service, body: service.distances(body),
            wire.DistancesBody,
            media_type=MEDIA_TYPE,
        ),
        routes.post(
            "/quality",
            "How many neighbours of each point the picture keeps; trustworthiness and continuity.",
            lambda service, body: service.quality(body),
            wire.QualityBody,
            media_type=MEDIA_TYPE,
        ),
        routes.post(
            "/clusters",
            "The cluster of each point, with the clusters' names.",
            lambda service, body: service.clusters(body),
            wire.ClustersBody,
            media_type=MEDIA_TYPE,
        ),
        routes.post(
            "/outliers",
            "The rows that are farthest from all others.",
            lambda service, body: service.outliers(body),
            wire.FindingsBody,
            response=wire.OutliersResponse,
        ),
        routes.post(
            "/duplicates",
            "Rows with equal vectors.",
            lambda service, body: service.duplicates(body),
            wire.FindingsBody,
            response=wire.DuplicatesResponse,
        ),
        routes.post(
            "/shared",
            "The share of neighbours that each row has in both of two embeddings.",
            lambda service, body: service.shared(body),
            wire.SharedBody,
            media_type=MEDIA_TYPE,
        ),
        routes.post(
            "/movement",
            "How far points move from step to step.",
            lambda service, body: service.movement(body),
            wire.MovementBody,
            media_type=MEDIA_TYPE,
        ),
        routes.post(
            "/export",
            "Rows as CSV, Parquet or .npy.",
            lambda service, body: typed_bytes(service.export(body)),
            wire.ExportBody,
            max_body_bytes=MAX_ROWS_BODY_BYTES,
            media_type="application/octet-stream",
        ),
        routes.get(
            "/thumbnails",
            "The picture with all thumbnails.",
            lambda service, parameters: typed_bytes(service.thumbnails(parameters)),
            wire.EmbeddingParameters,
            media_type="image/png",
        ),
        routes.get(
            "/bookmarks",
            "The bookmarks of an embedding, as TensorBoard saves them.",
            lambda service, parameters: service.bookmarks(parameters),
            wire.EmbeddingParameters,
            media_type="application/json",
        ),
        routes.upload(
            "Reads an embedding, or the metadata of one, that is sent; it stays on this machine.",
            lambda service, parameters, file: service.upload(parameters, file),
            wire.UploadParameters,
            max_body_bytes=MAX_UPLOAD_BYTES,
            response=wire.UploadResponse,
        ),
    ]
