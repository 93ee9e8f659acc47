"""Routes of sets: which there are, what they have, their columns, rows and pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from seamark.dashboards.whatif.wire import sets as wire
from seamark.plugin import Endpoint, ErrorCase
from seamark.plugin.columns import MEDIA_TYPE
from seamark.plugin.service_endpoints import ServiceEndpoints, typed_bytes

if TYPE_CHECKING:
    from seamark.dashboards.whatif.service import WhatIfService

MAX_UPLOAD_BYTES = 2 << 30
MAX_ROWS_BODY_BYTES = 128 << 20
ERRORS = {
    404: ErrorCase("There is no such set, column, row or model."),
    422: ErrorCase("The set cannot be read, or the model failed."),
}


def endpoints(service: Callable[[], WhatIfService]) -> list[Endpoint]:
    routes = ServiceEndpoints(service, ERRORS)
    return [
        routes.listing(
            "/sets", "The sets of examples of all runs.", lambda service: service.sets(), response=wire.SetsResponse
        ),
        routes.get(
            "/info",
            "The columns, the models and the problems of a set.",
            lambda service, parameters: service.info(parameters),
            wire.SetParameters,
            response=wire.InfoResponse,
        ),
        routes.get(
            "/column",
            "One column, for every row: of the file, or computed from the predictions of a model.",
            lambda service, parameters: service.column(parameters),
            wire.ColumnParameters,
            media_type=MEDIA_TYPE,
        ),
        routes.post(
            "/rows",
            "The values of some rows.",
            lambda service, body: service.rows(body),
            wire.RowsBody,
            response=wire.RowsResponse,
        ),
        routes.post(
            "/filter",
            "The rows that match a query and conditions.",
            lambda service, body: service.filter(body),
            wire.FilterBody,
            media_type=MEDIA_TYPE,
        ),
        routes.post(
            "/schema",
            "Corrects the types and roles of a set's columns; saved beside the data.",
            lambda service, body: service.correct_schema(body),
            wire.SchemaBody,
            changes=True,
            response=wire.InfoResponse,
            errors={**ERRORS, 403: ErrorCase("The folder of the data cannot be written.")},
        ),
        routes.get(
            "/picture",
            "The picture of one row.",
            lambda service, parameters: typed_bytes(service.picture(parameters)),
            wire.PictureParameters,
            media_type="image/png",
        ),
        routes.post(
            "/export",
            "Rows with the predictions of a model, as CSV, Parquet or JSON lines.",
            lambda service, body: typed_bytes(service.export(body)),
            wire.ExportBody,
            max_body_bytes=MAX_ROWS_BODY_BYTES,
            media_type="application/octet-stream",
        ),
        routes.upload(
            "Reads a file of examples that is sent; it stays on this machine.",
            lambda service, parameters, file: service.upload(parameters, file),
            wire.UploadParameters,
            max_body_bytes=MAX_UPLOAD_BYTES,
            response=wire.UploadResponse,
        ),
    ]
