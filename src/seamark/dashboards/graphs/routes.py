"""Routes of Graphs: which there are, what is visible of one, its details, searches, traces and overlays."""

from __future__ import annotations

from starlette.responses import Response

from seamark.dashboards.graphs import answers, wire
from seamark.dashboards.graphs.library import GraphLibrary, GraphRef
from seamark.dashboards.graphs.overlay_routes import OverlaySource
from seamark.plugin import Context, Endpoint, ErrorCase, NoParameters, ParsedRequest

JSON = "application/json"
MAX_UPLOAD_BYTES = 512 << 20
ERRORS = {404: ErrorCase("There is no such graph, or no such box."), 422: ErrorCase("The graph cannot be read.")}


def endpoints(context: Context) -> list[Endpoint]:
    library = GraphLibrary(context.store)
    overlays = OverlaySource(context.store, library)

    def graphs(_: ParsedRequest[NoParameters, None]) -> wire.GraphsResponse:
        return answers.graphs(library)

    def view(request: ParsedRequest[NoParameters, wire.ViewBody]) -> wire.ViewResponse:
        return answers.view(library.open_pair(request.body.ref, request.body.baseline_ref), request.body.options)

    def overlay(request: ParsedRequest[NoParameters, wire.OverlayBody]) -> wire.OverlayResponse:
        return overlays.overlay(request.body)

    def trace(request: ParsedRequest[NoParameters, wire.TraceBody]) -> wire.TraceResponse:
        body = request.body
        return answers.trace(library.open_pair(body.ref, body.baseline_ref), body)

    def path(request: ParsedRequest[NoParameters, wire.PathBody]) -> wire.PathResponse:
        body = request.body
        return answers.path(library.open_pair(body.ref, body.baseline_ref), body)

    def search(request: ParsedRequest[wire.SearchParameters, None]) -> wire.SearchResponse:
        parameters = request.parameters
        return answers.search_results(library.open(parameters.ref), parameters.text, parameters.limit)

    def details(request: ParsedRequest[wire.DetailsParameters, None]) -> wire.DetailsResponse:
        parameters = request.parameters
        return answers.details(library.open(parameters.ref), parameters.id, context.store, parameters.run)

    def compare(request: ParsedRequest[wire.CompareParameters, None]) -> wire.CompareResponse:
        parameters = request.parameters
        baseline = GraphRef(parameters.baseline_run, parameters.baseline_graph)
        return answers.comparison(library.open_pair(parameters.ref, baseline))

    def attribute(request: ParsedRequest[wire.AttributeParameters, None]) -> Response:
        parameters = request.parameters
        text = answers.attribute_text(library.open(parameters.ref), parameters.id, parameters.name)
        return Response(text, media_type="text/plain; charset=utf-8")

    def export(request: ParsedRequest[wire.GraphParameters, None]) -> Response:
        from seamark.graphs.readers.model_explorer import to_model_explorer

        session = library.open(request.parameters.ref)
        return Response(to_model_explorer(session.graph), media_type=JSON)

    def upload(request: ParsedRequest[wire.UploadParameters, bytes]) -> wire.UploadResponse:
        ref = library.add_upload(request.parameters.name, request.body)
        return wire.UploadResponse(ref.run, ref.graph)

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
