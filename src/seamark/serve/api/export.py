"""/api/export: every point of many tags and runs as one file, made while it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta
from starlette.responses import Response, StreamingResponse

from seamark.format.types import RunName, Tag
from seamark.plugin import Endpoint, ErrorCase, NoParameters, ParsedRequest, RequestError, RequestStruct
from seamark.plugin.parameters import AttemptsParameter
from seamark.store import NoPyarrowError, RunStore, csv_chunks, parquet_chunks

MEDIA_TYPES = {"csv": "text/csv", "parquet": "application/vnd.apache.parquet"}
ERRORS = {501: ErrorCase("Parquet needs a library that is not installed; the sentence names it.")}


class ExportRequest(RequestStruct):
    """The query parameters of GET, and the body of POST."""

    format: Annotated[
        Literal["csv", "parquet"], Meta(description="A line for each point, or Parquet with the same columns.")
    ] = "csv"
    tag: Annotated[tuple[Tag, ...] | None, Meta(description="Only these tags; repeat it for several.")] = None
    run: Annotated[tuple[RunName, ...] | None, Meta(description="Only these runs; repeat it for several.")] = None
    attempts: AttemptsParameter = "latest"


def export_endpoints(store: RunStore) -> list[Endpoint]:
    def get(request: ParsedRequest[ExportRequest, None]) -> Response:
        return export(store, request.parameters, has_body=request.http.method != "HEAD")

    def post(request: ParsedRequest[NoParameters, ExportRequest]) -> Response:
        return export(store, request.body)

    return [
        Endpoint(
            path="/export",
            summary="Every point of many tags and runs, as one file.",
            handler=get,
            media_type=MEDIA_TYPES["csv"],
            errors=ERRORS,
        ),
        Endpoint(
            path="/export",
            method="POST",
            summary="The same, with the parameters in a JSON object.",
            handler=post,
            media_type=MEDIA_TYPES["csv"],
            errors=ERRORS,
        ),
    ]


def export(store: RunStore, request: ExportRequest, *, has_body: bool = True) -> Response:
    batches = store.scalar_batches(
        runs=None if request.run is None else list(dict.fromkeys(request.run)),
        tags=None if request.tag is None else list(dict.fromkeys(request.tag)),
        attempts=request.attempts,
    )
    with_attempt = request.attempts == "all"
    try:
        chunks: Iterator[bytes] = (
            csv_chunks(batches, with_attempt=with_attempt)
            if request.format == "csv"
            else parquet_chunks(batches, with_attempt=with_attempt)
        )
    except NoPyarrowError as error:
        raise RequestError(str(error), code="not_supported") from None
    media_type = MEDIA_TYPES[request.format]
    headers = {"cache-control": "no-store", "content-disposition": f'attachment; filename="scalars.{request.format}"'}
    if not has_body:
        return Response(media_type=media_type, headers=headers)
    return StreamingResponse(chunks, media_type=media_type, headers=headers)
