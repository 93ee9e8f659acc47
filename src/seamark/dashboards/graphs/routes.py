"""Routes of Graphs: which there are, what is visible of one, its details, searches, traces and overlays."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from seamark.dashboards.graphs import wire
from seamark.plugin import Context, Endpoint, ErrorCase
from seamark.plugin.service_endpoints import ServiceEndpoints

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

    routes = ServiceEndpoints(service, ERRORS)
    return [
        routes.listing(
            "/graphs", "The graphs of all runs.", lambda service: service.graphs(), response=wire.GraphsResponse
        ),
        routes.post(
            "/view",
            "The boxes and edges that are visible while some groups are open.",
            lambda service, body: service.view(body),
            wire.ViewBody,
            response=wire.ViewResponse,
        ),
        routes.post(
            "/overlay",
            "A number or a name for every visible box, to colour it by.",
            lambda service, body: service.overlay(body),
            wire.OverlayBody,
            response=wire.OverlayResponse,
        ),
        routes.get(
            "/colours",
            "What boxes cannot be coloured by, and why.",
            lambda service, parameters: service.colours(parameters),
            wire.ColoursParameters,
            response=wire.ColoursResponse,
        ),
        routes.post(
            "/trace",
            "The visible boxes that a box depends on, or that depend on it, with their distance.",
            lambda service, body: service.trace(body),
            wire.TraceBody,
            response=wire.TraceResponse,
        ),
        routes.post(
            "/path",
            "A shortest path from one box to another.",
            lambda service, body: service.path(body),
            wire.PathBody,
            response=wire.PathResponse,
        ),
        routes.get(
            "/search",
            "Nodes and groups by name, op, shape, dtype, attribute and source line.",
            lambda service, parameters: service.search(parameters),
            wire.SearchParameters,
            response=wire.SearchResponse,
        ),
        routes.get(
            "/details",
            "The inputs, outputs, weights, attributes and costs of one box.",
            lambda service, parameters: service.details(parameters),
            wire.DetailsParameters,
            response=wire.DetailsResponse,
        ),
        routes.get(
            "/layers",
            "The layers of the model with their parameters, multiply-adds, bytes and times.",
            lambda service, parameters: service.layers(parameters),
            wire.LayersParameters,
            response=wire.LayersResponse,
        ),
        routes.get(
            "/compare",
            "The nodes that were added, removed and changed since a baseline.",
            lambda service, parameters: service.compare(parameters),
            wire.CompareParameters,
            response=wire.CompareResponse,
        ),
        routes.get(
            "/attribute",
            "One attribute of a node in full.",
            lambda service, parameters: service.attribute(parameters),
            wire.AttributeParameters,
            media_type="text/plain",
        ),
        routes.get(
            "/export",
            "The whole graph as JSON of Model Explorer.",
            lambda service, parameters: service.export(parameters),
            wire.GraphParameters,
            media_type=JSON,
        ),
        routes.upload(
            "Reads a graph file that is sent; it stays in the server's memory.",
            lambda service, parameters, file: service.upload(parameters.name, file),
            wire.UploadParameters,
            max_body_bytes=MAX_UPLOAD_BYTES,
            response=wire.UploadResponse,
        ),
    ]
