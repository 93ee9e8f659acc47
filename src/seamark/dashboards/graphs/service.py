"""GraphService: what the routes return. Loaded by the first request, because it loads much."""

from __future__ import annotations

from pathlib import Path

from seamark.dashboards.graphs import answers, details_answer, wire
from seamark.dashboards.graphs.boxes import items_of
from seamark.dashboards.graphs.library import GraphLibrary
from seamark.dashboards.graphs.overlay_source import OverlaySource
from seamark.graphs.session import GraphSession
from seamark.store import RunStore


class GraphService:
    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._library = GraphLibrary(store)
        self._overlays = OverlaySource(store, self._library)

    def graphs(self) -> wire.GraphsResponse:
        return answers.graphs(self._library)

    def view(self, body: wire.ViewBody) -> wire.ViewResponse:
        return answers.view(self._open(body), body.options)

    def overlay(self, body: wire.OverlayBody) -> wire.OverlayResponse:
        return self._overlays.overlay(body)

    def colours(self, parameters: wire.ColoursParameters) -> wire.ColoursResponse:
        return wire.ColoursResponse(self._overlays.reasons(parameters))

    def trace(self, body: wire.TraceBody) -> wire.TraceResponse:
        return answers.trace(self._open(body), body)

    def path(self, body: wire.PathBody) -> wire.PathResponse:
        return answers.path(self._open(body), body)

    def search(self, parameters: wire.SearchParameters) -> wire.SearchResponse:
        return answers.search_results(self._library.open(parameters.ref), parameters.text, parameters.limit)

    def details(self, parameters: wire.DetailsParameters) -> wire.DetailsResponse:
        session = self._library.open_pair(parameters.ref, parameters.baseline_ref)
        finding = self._overlays.finding(session, parameters.run, items_of(session, parameters.id))
        return details_answer.details(session, parameters.id, self._store, parameters.run, finding)

    def attribute(self, parameters: wire.AttributeParameters) -> str:
        return details_answer.attribute_text(self._library.open(parameters.ref), parameters.id, parameters.name)

    def layers(self, parameters: wire.LayersParameters) -> wire.LayersResponse:
        session = self._library.open(parameters.ref)
        profile = None
        if parameters.profile:
            profile = self._library.profile_of(session, parameters.run, parameters.profile)
        return answers.layers(session.layers(profile))

    def compare(self, parameters: wire.CompareParameters) -> wire.CompareResponse:
        return answers.comparison(self._library.open_pair(parameters.ref, parameters.baseline_ref))

    def export(self, parameters: wire.GraphParameters) -> bytes:
        from seamark.graphs.readers.model_explorer import to_model_explorer

        return to_model_explorer(self._library.open(parameters.ref).graph)

    def upload(self, name: str, file: Path) -> wire.UploadResponse:
        ref = self._library.add_upload(name, file)
        return wire.UploadResponse(ref.run, ref.graph)

    def _open(self, body: wire.ViewBody) -> GraphSession:
        return self._library.open_pair(body.ref, body.baseline_ref)
