"""Routes of What-If: sets and their rows, and points."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import Response

from seamark.dashboards.whatif.answers import predict, rows
from seamark.dashboards.whatif.answers.analyses import Analyses
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
from seamark.plugin import Context, ErrorCase
from seamark.plugin.columns import MEDIA_TYPE
from seamark.plugin.service_routes import UPLOAD_ERRORS, get, post

MAX_UPLOAD_BYTES = 2 << 30
MAX_ROWS_BODY_BYTES = 128 << 20
ERRORS = {
    404: ErrorCase("There is no such set, column, row or model."),
    422: ErrorCase("The set cannot be read, or the model failed; `traceback` is its own."),
}
MODEL_ERRORS = {**ERRORS, 403: ErrorCase("The command line does not allow to run models.")}


class WhatIfService:
    def __init__(self, context: Context) -> None:
        self._library = ExampleLibrary(context.store, context.roots, context.model_options)
        self._models = ModelLibrary(context.model_options)
        self._points = PointAnswers(self._models)
        self.analyses = Analyses(self._library, self._models)

    # Sets and their rows

    @get(errors={})
    def sets(self) -> wire.SetsResponse:
        """The sets of examples of all runs."""
        return rows.sets(self._library, self._models)

    @get()
    def info(self, parameters: wire.SetParameters) -> wire.InfoResponse:
        """The columns, the models and the problems of a set."""
        return rows.info(self._library, self._models, parameters)

    @post(changes=True, errors={**ERRORS, 403: ErrorCase("The folder of the data cannot be written.")})
    def schema(self, body: wire.SchemaBody) -> wire.InfoResponse:
        """Corrects the types and roles of a set's columns; saved beside the data."""
        return rows.correct_schema(self._library, self._models, body)

    @get(media_type=MEDIA_TYPE)
    def column(self, parameters: wire.ColumnParameters) -> bytes:
        """One column, for every row: of the file, or computed from the predictions of a model."""
        return rows.column(self._library.open(parameters), self._models, parameters)

    @post()
    def rows(self, body: wire.RowsBody) -> wire.RowsResponse:
        """The values of some rows."""
        return rows.values(self._library.open(body), self._models, body)

    @post(media_type=MEDIA_TYPE)
    def filter(self, body: wire.FilterBody) -> bytes:
        """The rows that match a query and conditions."""
        return rows.matching(self._library.open(body), self._models, body)

    @get(media_type="image/png")
    def picture(self, parameters: wire.PictureParameters) -> Response:
        """The picture of one row."""
        data, media_type = rows.picture(self._library.open(parameters), parameters)
        return Response(data, media_type=media_type)

    @post(max_body_bytes=MAX_ROWS_BODY_BYTES, media_type="application/octet-stream")
    def export(self, body: wire.ExportBody) -> Response:
        """Rows with the predictions of a model, as CSV, Parquet or JSON lines."""
        data, media_type = rows.export(self._library.open(body), self._models, body)
        return Response(data, media_type=media_type)

    @post(max_body_bytes=MAX_UPLOAD_BYTES, changes=True, errors=UPLOAD_ERRORS)
    def upload(self, parameters: wire.UploadParameters, body: Path) -> wire.UploadResponse:
        """Reads a file of examples that is sent; it stays on this machine."""
        return rows.upload(self._library, parameters, body)

    # Points

    @post(errors=MODEL_ERRORS)
    def predict(self, body: points_wire.PredictBody) -> PredictionsResult:
        """The predictions of a live model for rows with changed values."""
        return predict.predict(self._library.open(body), self._models, body)

    @post()
    def counterfactual(self, body: points_wire.CounterfactualBody) -> Counterfactual:
        """The nearest row that the model predicts differently, and what differs."""
        return self._points.counterfactual(self._library.open(body), body)

    @post()
    def neighbours(self, body: points_wire.NeighboursBody) -> Neighbours:
        """The rows nearest to a point."""
        return self._points.neighbours(self._library.open(body), body)

    @post(errors=MODEL_ERRORS)
    def partial_dependence(self, body: points_wire.DependenceBody) -> PartialDependence:
        """The prediction along the values of one or two features. Asked again, how far it has come."""
        return self._points.partial_dependence(self._library.open(body), body)

    @post(errors=MODEL_ERRORS)
    def attributions(self, body: points_wire.AttributionsBody) -> Attributions:
        """Shapley values or permutation importance. Asked again, how far it has come."""
        return self._points.attributions(self._library.open(body), body)

    @post(errors={}, changes=True)
    def stop(self, body: points_wire.StopBody) -> points_wire.StopResponse:
        """Stops a computation by the key of its progress."""
        return self._points.stop(body)
