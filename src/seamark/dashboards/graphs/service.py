"""Routes of Graphs: which there are, what is visible of one, its details, searches, traces and overlays."""

from __future__ import annotations

from pathlib import Path

from seamark.dashboards.graphs import answers, details_answer, wire
from seamark.dashboards.graphs.boxes import items_of
from seamark.dashboards.graphs.library import GraphLibrary
from seamark.dashboards.graphs.overlay_source import OverlaySource
from seamark.format.patterns import BadPatternError
from seamark.graphs.session import GraphSession
from seamark.plugin import RequestError
from seamark.plugin.response import JSON
from seamark.plugin.service_routes import UPLOAD_ERRORS, get, post
from seamark.store import RunStore

MAX_UPLOAD_BYTES = 512 << 20


class GraphService:
    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._library = GraphLibrary(store)
        self._overlays = OverlaySource(store, self._library)

    @get(errors={})
    def graphs(self) -> wire.GraphsResponse:
        """The graphs of all runs."""
        return answers.graphs(self._library)

    @post()
    def view(self, body: wire.ViewBody) -> wire.ViewResponse:
        """The boxes and edges that are visible while some groups are open."""
        return answers.view(self._open(body), body.options)

    @post()
    def overlay(self, body: wire.OverlayBody) -> wire.OverlayResponse:
        """A number or a name for every visible box, to colour it by."""
        return self._overlays.overlay(body)

    @get()
    def colours(self, parameters: wire.ColoursParameters) -> wire.ColoursResponse:
        """What boxes cannot be coloured by, and why."""
        return wire.ColoursResponse(self._overlays.reasons(parameters))

    @post()
    def trace(self, body: wire.TraceBody) -> wire.TraceResponse:
        """The visible boxes that a box depends on, or that depend on it, with their distance."""
        return answers.trace(self._open(body), body)

    @post()
    def path(self, body: wire.PathBody) -> wire.PathResponse:
        """A shortest path from one box to another."""
        return answers.path(self._open(body), body)

    @get()
    def search(self, parameters: wire.SearchParameters) -> wire.SearchResponse:
        """Nodes and groups by name, op, shape, dtype, attribute and source line."""
        try:
            return answers.search_results(self._library.open(parameters.ref), parameters.text, parameters.limit)
        except BadPatternError as error:
            raise RequestError(str(error), code="invalid_parameter") from error

    @get()
    def details(self, parameters: wire.DetailsParameters) -> wire.DetailsResponse:
        """The inputs, outputs, weights, attributes and costs of one box."""
        session = self._library.open_pair(parameters.ref, parameters.baseline_ref)
        finding = self._overlays.finding(session, parameters.run, items_of(session, parameters.id))
        profile = self._library.profile_of(session, parameters.run, parameters.profile) if parameters.profile else None
        return details_answer.details(session, parameters.id, self._store, parameters.run, finding, profile)

    @get(media_type="text/plain")
    def attribute(self, parameters: wire.AttributeParameters) -> str:
        """One attribute of a node in full."""
        return details_answer.attribute_text(self._library.open(parameters.ref), parameters.id, parameters.name)

    @get()
    def layers(self, parameters: wire.LayersParameters) -> wire.LayersResponse:
        """The layers of the model with their parameters, multiply-adds, bytes and times."""
        session = self._library.open(parameters.ref)
        profile = None
        if parameters.profile:
            profile = self._library.profile_of(session, parameters.run, parameters.profile)
        return answers.layers(session.layers(profile))

    @get()
    def compare(self, parameters: wire.CompareParameters) -> wire.CompareResponse:
        """The nodes that were added, removed and changed since a baseline."""
        return answers.comparison(self._library.open_pair(parameters.ref, parameters.baseline_ref))

    @get(media_type=JSON)
    def export(self, parameters: wire.GraphParameters) -> bytes:
        """The whole graph as JSON of Model Explorer."""
        from seamark.graphs.readers.model_explorer import to_model_explorer

        return to_model_explorer(self._library.open(parameters.ref).graph)

    @post(max_body_bytes=MAX_UPLOAD_BYTES, changes=True, errors=UPLOAD_ERRORS)
    def upload(self, parameters: wire.UploadParameters, body: Path) -> wire.UploadResponse:
        """Reads a graph file that is sent; it stays in the server's memory."""
        ref = self._library.add_upload(parameters.name, body)
        return wire.UploadResponse(ref.run, ref.graph)

    def _open(self, body: wire.ViewBody) -> GraphSession:
        return self._library.open_pair(body.ref, body.baseline_ref)
