"""Routes of custom scalars: the layout of charts, and the scalars whose tags match a pattern."""

from __future__ import annotations

from starlette.responses import Response

from seamark.format.patterns import BadPatternError, matching_tags
from seamark.kinds import custom_scalars as layouts
from seamark.kinds.custom_scalars import Layout
from seamark.plugin import Endpoint, ParsedRequest, RequestError
from seamark.serve.tensorboard.catalogue import Catalogue
from seamark.serve.tensorboard.points_json import json_object, rows_json
from seamark.serve.tensorboard.request import TensorBoardParameters, json_text
from seamark.serve.tensorboard.scalars.routes import PointsParameters, points_response


class MatchParameters(TensorBoardParameters):
    run: str | None = None
    tag: str = ""  # a regular expression


def custom_scalar_endpoints(catalogue: Catalogue) -> list[Endpoint]:
    def download_data(request: ParsedRequest[PointsParameters, None]) -> Response:
        return points_response(catalogue, request.parameters)

    def scalars(request: ParsedRequest[MatchParameters, None]) -> Response:
        return json_text(matching_scalars_json(catalogue, request.parameters))

    def layout(_: ParsedRequest[TensorBoardParameters, None]) -> dict[str, object]:
        return merged_layout(catalogue)

    return [
        Endpoint(
            path="/plugin/custom_scalars/download_data",
            summary="The points of one series.",
            handler=download_data,
        ),
        Endpoint(
            path="/plugin/custom_scalars/scalars",
            summary="The points of a run's series whose tags match a pattern.",
            handler=scalars,
        ),
        Endpoint(
            path="/plugin/custom_scalars/layout",
            summary="The newest layouts of all runs, merged.",
            handler=layout,
        ),
    ]


def matching_scalars_json(catalogue: Catalogue, parameters: MatchParameters) -> bytes:
    """The scalars of a run whose tags begin with a match of the pattern. A bad pattern is no error."""
    known = catalogue.scalar_tables.of_run(parameters.run or "").metadata
    try:
        tags = matching_tags(parameters.tag, list(known))
    except BadPatternError:
        return json_object([("regex_valid", b"false"), ("tag_to_events", b"{}")])
    if parameters.run is None:
        raise RequestError("missing parameter 'run'", code="missing_parameter")
    events = json_object((tag, rows_json(catalogue.scalars(parameters.run, tag))) for tag in tags)
    return json_object([("regex_valid", b"true"), ("tag_to_events", events)])


def merged_layout(catalogue: Catalogue) -> dict[str, object]:
    """The newest layout of each run, merged in order of run names; {} without any."""
    series = catalogue.series(layouts.PLUGIN_NAME)
    found: list[Layout] = [
        point.content
        for _, by_tag in sorted(series.items())
        if layouts.TAG in by_tag
        for point in catalogue.points(by_tag[layouts.TAG], last_only=True)
    ]
    return layouts.as_json(layouts.merge(found)) if found else {}
