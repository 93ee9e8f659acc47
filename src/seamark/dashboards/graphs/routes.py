"""Routes of Graphs: which there are, what is visible of one, its details, searches, traces and overlays."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from starlette.responses import Response

from seamark.dashboards.graphs import wire
from seamark.plugin import Context, Endpoint, ErrorCase, NoParameters, ParsedRequest

if TYPE_CHECKING:
    from seamark.dashboards.graphs.service import GraphService

JSON = "application/json"
MAX_UPLOAD_BYTES = 512 << 20
ERRORS = {404: ErrorCase("There is no such graph, or no such box."), 422: ErrorCase("The graph cannot be read.")}


def endpoints(context: Context) -> list[Endpoint]:
    @cache
    def service() -> GraphService:
        from seamark.dashboards.graphs.service import GraphService  # not before it is needed: it loads much

        return GraphService(context.store)

    def graphs(_: ParsedRequest[NoParameters, None]) -> wire.GraphsResponse:
        return service().graphs()

    def view(request: ParsedRequest[NoParameters, wire.ViewBody]) -> wire.ViewResponse:
        return service().view(request.body)

    def overlay(request: ParsedRequest[NoParameters, wire.OverlayBody]) -> wire.OverlayResponse:
        return service().overlay(request.body)

    def trace(request: ParsedRequest[NoParameters, wire.TraceBody]) -> wire.TraceResponse:
        return service().trace(request.body)

    def path(request: ParsedRequest[NoParameters, wire.PathBody]) -> wire.PathResponse:
        return service().path(request.body)

    def search(request: ParsedRequest[wire.SearchParameters, None]) -> wire.SearchResponse:
        return service().search(request.parameters)

    def details(request: ParsedRequest[wire.DetailsParameters, None]) -> wire.DetailsResponse:
        return service().details(request.parameters)

    def layers(request: ParsedRequest[wire.LayersParameters, None]) -> wire.LayersResponse:
        return service().layers(request.parameters)

    def compare(request: ParsedRequest[wire.CompareParameters, None]) -> wire.CompareResponse:
        return service().compare(request.parameters)

    def attribute(request: ParsedRequest[wire.AttributeParameters, None]) -> Response:
        return Response(service().attribute(request.parameters), media_type="text/plain; charset=utf-8")

    def export(request: ParsedRequest[wire.GraphParameters, None]) -> Response:
        return Response(service().export(request.parameters), media_type=JSON)

    def upload(request: ParsedRequest[wire.UploadParameters, bytes]) -> wire.UploadResponse:
        return service().upload(request.parameters.name, request.body)

    return [
        Endpoint(path="/graphs", summary="The graphs of all runs.", handler=graphs, response=wire.GraphsResponse),
        Endpoint(
            path="/view",
            method="POST",
            summary="The boxes and edges that are visible while some groups are open.",
            handler=view,
            body=wire.ViewBody,
            response=wire.ViewResponse,
            errors=ERRORS,
        ),
        Endpoint(
            path="/overlay",
            method="POST",
            summary="A number or a name for every visible box, to colour it by.",
            handler=overlay,
            body=wire.OverlayBody,
            response=wire.OverlayResponse,
            errors=ERRORS,
        ),
        Endpoint(
            path="/trace",
            method="POST",
            summary="The visible boxes that a box depends on, or that depend on it, with their distance.",
            handler=trace,
            body=wire.TraceBody,
            response=wire.TraceResponse,
            errors=ERRORS,
        ),
        Endpoint(
            path="/path",
            method="POST",
            summary="A shortest path from one box to another.",
            handler=path,
            body=wire.PathBody,
            response=wire.PathResponse,
            errors=ERRORS,
        ),
        Endpoint(
            path="/search",
            summary="Nodes and groups by name, op, shape, dtype, attribute and source line.",
            handler=search,
            parameters=wire.SearchParameters,
            response=wire.SearchResponse,
            errors=ERRORS,
        ),
        Endpoint(
            path="/details",
            summary="The inputs, outputs, weights, attributes and costs of one box.",
            handler=details,
            parameters=wire.DetailsParameters,
            response=wire.DetailsResponse,
            errors=ERRORS,
        ),
        Endpoint(
            path="/layers",
            summary="The layers of the model with their parameters, multiply-adds, bytes and times.",
            handler=layers,
            parameters=wire.LayersParameters,
            response=wire.LayersResponse,
            errors=ERRORS,
        ),
        Endpoint(
            path="/compare",
            summary="The nodes that were added, removed and changed since a baseline.",
            handler=compare,
            parameters=wire.CompareParameters,
            response=wire.CompareResponse,
            errors=ERRORS,
        ),
        Endpoint(
            path="/attribute",
            summary="One attribute of a node in full.",
            handler=attribute,
            parameters=wire.AttributeParameters,
            media_type="text/plain",
            errors=ERRORS,
        ),
        Endpoint(
            path="/export",
            summary="The whole graph as JSON of Model Explorer.",
            handler=export,
            parameters=wire.GraphParameters,
            media_type=JSON,
            errors=ERRORS,
        ),
        Endpoint(
            path="/upload",
            method="POST",
            summary="Reads a graph file that is sent; it stays in the server's memory.",
            handler=upload,
            parameters=wire.UploadParameters,
            body=bytes,
            max_body_bytes=MAX_UPLOAD_BYTES,
            response=wire.UploadResponse,
            errors={422: ErrorCase("The file cannot be read.")},
        ),
    ]
