"""Routes of scalars: points as JSON or CSV, of one run or of many."""

from __future__ import annotations

import csv
import io
from typing import Annotated

from msgspec import Meta
from starlette.responses import Response

from seamark.plugin import Endpoint, ParsedRequest
from seamark.serve.tensorboard.catalogue import Catalogue
from seamark.serve.tensorboard.points_json import json_object, rows_json
from seamark.serve.tensorboard.request import (
    SeriesParameters,
    TensorBoardParameters,
    json_text,
    parse_form,
    text_response,
)
from seamark.store import ScalarPoints


class PointsParameters(SeriesParameters):
    format: str = "json"


class MultirunForm(TensorBoardParameters):
    tag: Annotated[tuple[str, ...], Meta(min_length=1, max_length=1)]
    runs: tuple[str, ...] = ()


def scalar_endpoints(catalogue: Catalogue) -> list[Endpoint]:
    def tags(_: ParsedRequest[TensorBoardParameters, None]) -> Response:
        return json_text(catalogue.listings.get("scalars/tags", lambda: tags_json(catalogue)))

    def scalars(request: ParsedRequest[PointsParameters, None]) -> Response:
        return points_response(catalogue, request.parameters)

    def scalars_multirun(request: ParsedRequest[TensorBoardParameters, bytes]) -> Response:
        form = parse_form(MultirunForm, request)
        found = catalogue.scalars_of_runs(form.runs, form.tag[0])
        return json_text(json_object((run, rows_json(points)) for run, points in found.items()))

    return [
        Endpoint(
            path="/plugin/scalars/tags",
            summary="The tags of each run, with display names and descriptions.",
            handler=tags,
        ),
        Endpoint(
            path="/plugin/scalars/scalars",
            summary="The points of one series.",
            handler=scalars,
        ),
        Endpoint(
            path="/plugin/scalars/scalars_multirun",
            method="POST",
            summary="The points of one tag in several runs.",
            handler=scalars_multirun,
            pool="heavy",
        ),
    ]


def tags_json(catalogue: Catalogue) -> bytes:
    """Run → tag → display name and description."""
    return json_object((run, table.json) for run, table in catalogue.scalar_tables.all().items())


def points_response(catalogue: Catalogue, parameters: PointsParameters) -> Response:
    points = catalogue.scalars(parameters.run, parameters.tag)
    return text_response(points_csv(points), "text/csv") if parameters.format == "csv" else json_text(rows_json(points))


def points_csv(points: ScalarPoints) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["Wall time", "Step", "Value"])
    writer.writerows(zip(points.walls.tolist(), points.steps.tolist(), points.values.tolist(), strict=True))
    return out.getvalue()
