"""WhatIfService: what the routes return. Loaded by the first request, because it loads much."""

from __future__ import annotations

from pathlib import Path

from seamark.dashboards.whatif.answers import predict, rows
from seamark.dashboards.whatif.answers.analyses import Analyses
from seamark.dashboards.whatif.answers.errors import example_errors
from seamark.dashboards.whatif.answers.points import PointAnswers
from seamark.dashboards.whatif.library import ExampleLibrary
from seamark.dashboards.whatif.models import ModelLibrary
from seamark.dashboards.whatif.wire import points as points_wire
from seamark.dashboards.whatif.wire import sets as wire
from seamark.examples.results.points import (
    Attributions,
    Counterfactual,
    Neighbours,
    PartialDependence,
    PredictionsResult,
)
from seamark.plugin import Context


class WhatIfService:
    def __init__(self, context: Context) -> None:
        self._library = ExampleLibrary(context.store, context.roots, context.model_options)
        self._models = ModelLibrary(context.model_options)
        self._points = PointAnswers(self._models)
        self.analyses = Analyses(self._library, self._models)

    # Sets and their rows

    def sets(self) -> wire.SetsResponse:
        return rows.sets(self._library, self._models)

    def info(self, parameters: wire.SetParameters) -> wire.InfoResponse:
        with example_errors():
            return rows.info(self._library, self._models, parameters)

    def correct_schema(self, body: wire.SchemaBody) -> wire.InfoResponse:
        with example_errors():
            return rows.correct_schema(self._library, self._models, body)

    def column(self, parameters: wire.ColumnParameters) -> bytes:
        with example_errors():
            return rows.column(self._library.open(parameters), self._models, parameters)

    def rows(self, body: wire.RowsBody) -> wire.RowsResponse:
        return rows.values(self._library.open(body), self._models, body)

    def filter(self, body: wire.FilterBody) -> bytes:
        return rows.matching(self._library.open(body), self._models, body)

    def picture(self, parameters: wire.PictureParameters) -> tuple[bytes, str]:
        return rows.picture(self._library.open(parameters), parameters)

    def export(self, body: wire.ExportBody) -> tuple[bytes, str]:
        return rows.export(self._library.open(body), self._models, body)

    def upload(self, parameters: wire.UploadParameters, file: Path) -> wire.UploadResponse:
        return rows.upload(self._library, parameters, file)

    # Points

    def predict(self, body: points_wire.PredictBody) -> PredictionsResult:
        with example_errors():
            return predict.predict(self._library.open(body), self._models, body)

    def counterfactual(self, body: points_wire.CounterfactualBody) -> Counterfactual:
        with example_errors():
            return self._points.counterfactual(self._library.open(body), body)

    def neighbours(self, body: points_wire.NeighboursBody) -> Neighbours:
        with example_errors():
            return self._points.neighbours(self._library.open(body), body)

    def partial_dependence(self, body: points_wire.DependenceBody) -> PartialDependence:
        with example_errors():
            return self._points.partial_dependence(self._library.open(body), body)

    def attributions(self, body: points_wire.AttributionsBody) -> Attributions:
        with example_errors():
            return self._points.attributions(self._library.open(body), body)

    def stop(self, body: points_wire.StopBody) -> points_wire.StopResponse:
        return self._points.stop(body)
