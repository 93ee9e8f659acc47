"""Routes of the Projector: embeddings, their rows, projections, neighbours, clusters and movements."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from starlette.responses import Response

from seamark.dashboards.projector import wire
from seamark.plugin import Context, Endpoint, ErrorCase, NoParameters, ParsedRequest
from seamark.plugin.columns import MEDIA_TYPE

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

    def embeddings(_: ParsedRequest[NoParameters, None]) -> wire.EmbeddingsResponse:
        return service().embeddings()

    def info(request: ParsedRequest[wire.EmbeddingParameters, None]) -> wire.InfoResponse:
        return service().info(request.parameters)

    def column(request: ParsedRequest[wire.ColumnParameters, None]) -> Response:
        return Response(service().column(request.parameters), media_type=MEDIA_TYPE)

    def rows(request: ParsedRequest[NoParameters, wire.RowsBody]) -> wire.RowsResponse:
        return service().rows(request.body)

    def search(request: ParsedRequest[wire.SearchParameters, None]) -> Response:
        return Response(service().search(request.parameters), media_type=MEDIA_TYPE)

    def filter(request: ParsedRequest[wire.FilterParameters, None]) -> Response:
        return Response(service().filter(request.parameters), media_type=MEDIA_TYPE)

    def left_out(request: ParsedRequest[wire.EmbeddingParameters, None]) -> Response:
        return Response(service().left_out(request.parameters), media_type=MEDIA_TYPE)

    def projection(request: ParsedRequest[NoParameters, wire.ProjectionBody]) -> Response:
        return Response(service().projection(request.body), media_type=MEDIA_TYPE)

    def job(request: ParsedRequest[NoParameters, wire.JobBody]) -> wire.JobResponse:
        return service().job(request.body)

    def neighbours(request: ParsedRequest[NoParameters, wire.NeighboursBody]) -> wire.NeighboursResponse:
        return service().neighbours(request.body)

    def distances(request: ParsedRequest[NoParameters, wire.DistancesBody]) -> Response:
        return Response(service().distances(request.body), media_type=MEDIA_TYPE)

    def quality(request: ParsedRequest[NoParameters, wire.QualityBody]) -> Response:
        return Response(service().quality(request.body), media_type=MEDIA_TYPE)

    def clusters(request: ParsedRequest[NoParameters, wire.ClustersBody]) -> Response:
        return Response(service().clusters(request.body), media_type=MEDIA_TYPE)

    def outliers(request: ParsedRequest[NoParameters, wire.FindingsBody]) -> wire.OutliersResponse:
        return service().outliers(request.body)

    def duplicates(request: ParsedRequest[NoParameters, wire.FindingsBody]) -> wire.DuplicatesResponse:
        return service().duplicates(request.body)

    def shared(request: ParsedRequest[NoParameters, wire.SharedBody]) -> Response:
        return Response(service().shared(request.body), media_type=MEDIA_TYPE)

    def movement(request: ParsedRequest[NoParameters, wire.MovementBody]) -> Response:
        return Response(service().movement(request.body), media_type=MEDIA_TYPE)

    def export(request: ParsedRequest[NoParameters, wire.ExportBody]) -> Response:
        data, media_type = service().export(request.body)
        return Response(data, media_type=media_type)

    def thumbnails(request: ParsedRequest[wire.EmbeddingParameters, None]) -> Response:
        data, media_type = service().thumbnails(request.parameters)
        return Response(data, media_type=media_type)

    def bookmarks(request: ParsedRequest[wire.EmbeddingParameters, None]) -> Response:
        return Response(service().bookmarks(request.parameters), media_type="application/json")

    def upload(request: ParsedRequest[wire.UploadParameters, bytes]) -> wire.UploadResponse:
        return service().upload(request.parameters, request.body)

    return [
        Endpoint(
            path="/embeddings",
            summary="The embeddings of all runs.",
            handler=embeddings,
            response=wire.EmbeddingsResponse,
        ),
        Endpoint(
            path="/info",
            summary="The size, the metadata's columns and the problems of an embedding.",
            handler=info,
            parameters=wire.EmbeddingParameters,
            response=wire.InfoResponse,
            errors=ERRORS,
        ),
        Endpoint(
            path="/column",
            summary="One column of the metadata, for every row.",
            handler=column,
            parameters=wire.ColumnParameters,
            media_type=MEDIA_TYPE,
            errors=ERRORS,
        ),
        Endpoint(
            path="/rows",
            method="POST",
            summary="The metadata of some rows, as texts.",
            handler=rows,
            body=wire.RowsBody,
            response=wire.RowsResponse,
            errors=ERRORS,
        ),
        Endpoint(
            path="/search",
            summary="The rows whose metadata contain a text.",
            handler=search,
            parameters=wire.SearchParameters,
            media_type=MEDIA_TYPE,
            errors=ERRORS,
        ),
        Endpoint(
            path="/filter",
            summary="The rows that match a query.",
            handler=filter,
            parameters=wire.FilterParameters,
            media_type=MEDIA_TYPE,
            errors=ERRORS,
        ),
        Endpoint(
            path="/left_out",
            summary="The rows with numbers that are not finite.",
            handler=left_out,
            parameters=wire.EmbeddingParameters,
            media_type=MEDIA_TYPE,
            errors=ERRORS,
        ),
        Endpoint(
            path="/projection",
            method="POST",
            summary="The positions of the points; starts a method that runs.",
            handler=projection,
            body=wire.ProjectionBody,
            media_type=MEDIA_TYPE,
            errors=ERRORS,
        ),
        Endpoint(
            path="/job",
            method="POST",
            summary="Pauses or resumes a method.",
            handler=job,
            body=wire.JobBody,
            response=wire.JobResponse,
            errors=ERRORS,
        ),
        Endpoint(
            path="/neighbours",
            method="POST",
            summary="The nearest rows of a row, over all rows, and their ranks in the picture.",
            handler=neighbours,
            body=wire.NeighboursBody,
            response=wire.NeighboursResponse,
            errors=ERRORS,
        ),
        Endpoint(
            path="/distances",
            method="POST",
            summary="The distance of a row from every row.",
            handler=distances,
            body=wire.DistancesBody,
            media_type=MEDIA_TYPE,
            errors=ERRORS,
        ),
        Endpoint(
            path="/quality",
            method="POST",
            summary="How many neighbours of each point the picture keeps; trustworthiness and continuity.",
            handler=quality,
            body=wire.QualityBody,
            media_type=MEDIA_TYPE,
            errors=ERRORS,
        ),
        Endpoint(
            path="/clusters",
            method="POST",
            summary="The cluster of each point, with the clusters' names.",
            handler=clusters,
            body=wire.ClustersBody,
            media_type=MEDIA_TYPE,
            errors=ERRORS,
        ),
        Endpoint(
            path="/outliers",
            method="POST",
            summary="The rows that are farthest from all others.",
            handler=outliers,
            body=wire.FindingsBody,
            response=wire.OutliersResponse,
            errors=ERRORS,
        ),
        Endpoint(
            path="/duplicates",
            method="POST",
            summary="Rows with equal vectors.",
            handler=duplicates,
            body=wire.FindingsBody,
            response=wire.DuplicatesResponse,
            errors=ERRORS,
        ),
        Endpoint(
            path="/shared",
            method="POST",
            summary="The share of neighbours that each row has in both of two embeddings.",
            handler=shared,
            body=wire.SharedBody,
            media_type=MEDIA_TYPE,
            errors=ERRORS,
        ),
        Endpoint(
            path="/movement",
            method="POST",
            summary="How far points move from step to step.",
            handler=movement,
            body=wire.MovementBody,
            media_type=MEDIA_TYPE,
            errors=ERRORS,
        ),
        Endpoint(
            path="/export",
            method="POST",
            summary="Rows as CSV, Parquet or .npy.",
            handler=export,
            body=wire.ExportBody,
            max_body_bytes=MAX_ROWS_BODY_BYTES,
            media_type="application/octet-stream",
            errors=ERRORS,
        ),
        Endpoint(
            path="/thumbnails",
            summary="The picture with all thumbnails.",
            handler=thumbnails,
            parameters=wire.EmbeddingParameters,
            media_type="image/png",
            errors=ERRORS,
        ),
        Endpoint(
            path="/bookmarks",
            summary="The bookmarks of an embedding, as TensorBoard saves them.",
            handler=bookmarks,
            parameters=wire.EmbeddingParameters,
            media_type="application/json",
            errors=ERRORS,
        ),
        Endpoint(
            path="/upload",
            method="POST",
            summary="Reads an embedding, or the metadata of one, that is sent; it stays on this machine.",
            handler=upload,
            parameters=wire.UploadParameters,
            body=bytes,
            max_body_bytes=MAX_UPLOAD_BYTES,
            response=wire.UploadResponse,
            errors={422: ErrorCase("The file cannot be read.")},
        ),
    ]
