"""/api/export: all points of many tags and runs as one file, made while it is sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from starlette.responses import Response, StreamingResponse

from seamark.format.types import RunName, Tag
from seamark.serve import schemas
from seamark.serve.answers import BadRequestError
from seamark.serve.endpoint import TEXT, Asked, Endpoint, Parameter, array_of, choice_of, in_thread
from seamark.serve.series_query import ATTEMPTS, choice, json_object, names, read_body
from seamark.store import Store
from seamark.store.csv_text import csv_chunks
from seamark.store.parquet import NoPyarrowError, parquet_chunks

MEDIA_TYPES = {"csv": "text/csv", "parquet": "application/vnd.apache.parquet"}
FORMATS = tuple(MEDIA_TYPES)
PARAMETERS = (
    Parameter("format", "A line for each point, or Parquet with the same columns.", choice_of(*FORMATS)),
    Parameter("tag", "Only these tags; repeat it for several.", array_of(TEXT)),
    Parameter("run", "Only these runs; repeat it for several.", array_of(TEXT)),
    Parameter("attempts", "Of a restarted run: the points that count, or all, numbered.", choice_of(*ATTEMPTS)),
)
NOT_HERE = {501: "Parquet cannot be written here; the sentence says what to install."}


class CannotError(BadRequestError):
    """The server lacks what it takes."""

    status_code = 501


def export_endpoints(store: Store) -> list[Endpoint]:
    def by_address(asked: Asked) -> Response:
        return export(store, asked.values, is_wanted=asked.request.method != "HEAD")

    async def by_body(asked: Asked) -> Response:
        body = await read_body(asked.request)
        return await in_thread(lambda: export(store, checked(json_object(body))))

    return [
        Endpoint(
            path="/export", answer=by_address, parameters=PARAMETERS, media_type=MEDIA_TYPES["csv"],
            schema=schemas.BYTES, statuses=NOT_HERE, summary="Every point of many tags and runs, as one file.",
        ),
        Endpoint(
            path="/export", method="POST", stream=by_body, body=schemas.EXPORT_BODY, media_type=MEDIA_TYPES["csv"],
            schema=schemas.BYTES, statuses=NOT_HERE, summary="The same, with the parameters in a JSON object.",
        ),
    ]  # fmt: skip


def checked(given: Mapping[str, Any]) -> dict[str, Any]:
    known = [parameter.name for parameter in PARAMETERS]
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise BadRequestError(f"unknown parameter '{unknown[0]}', want one of {', '.join(known)}")
    return {
        "format": choice(given, "format", FORMATS),
        "tag": names(given, "tag"),
        "run": names(given, "run"),
        "attempts": choice(given, "attempts", ATTEMPTS),
    }


def export(store: Store, wish: Mapping[str, Any], *, is_wanted: bool = True) -> Response:
    form, attempts = wish.get("format", FORMATS[0]), wish.get("attempts", ATTEMPTS[0])
    tags, runs = wish.get("tag"), wish.get("run")
    batches = store.scalar_batches(
        runs=None if runs is None else [RunName(run) for run in dict.fromkeys(runs)],
        tags=None if tags is None else [Tag(tag) for tag in dict.fromkeys(tags)],
        attempts=attempts,
    )
    headers = {"cache-control": "no-store", "content-disposition": f'attachment; filename="scalars.{form}"'}
    with_attempt = attempts == "all"
    try:
        chunks: Iterator[bytes] = (
            csv_chunks(batches, with_attempt=with_attempt)
            if form == "csv"
            else parquet_chunks(batches, with_attempt=with_attempt)
        )
    except NoPyarrowError as error:
        raise CannotError(str(error)) from None
    if not is_wanted:
        return Response(media_type=MEDIA_TYPES[form], headers=headers)
    return StreamingResponse(chunks, media_type=MEDIA_TYPES[form], headers=headers)
