"""Routes of points."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from seamark.dashboards.whatif.wire import points as wire
from seamark.examples.results.points import (
    Attributions,
    Counterfactual,
    Neighbours,
    PartialDependence,
    PredictionsResult,
)
from seamark.plugin import Endpoint, ErrorCase
from seamark.plugin.service_endpoints import ServiceEndpoints

ERRORS = {
    404: ErrorCase("There is no such set, row or model."),
    422: ErrorCase("The set cannot be read, or the model failed; `traceback` is its own."),
}
MODEL_ERRORS = {**ERRORS, 403: ErrorCase("The command line does not allow to run models.")}

if TYPE_CHECKING:
    from seamark.dashboards.whatif.service import WhatIfService


def endpoints(service: Callable[[], WhatIfService]) -> list[Endpoint]:
    routes = ServiceEndpoints(service, ERRORS)
    return [
        routes.post(
            "/predict",
            "The predictions of a live model for rows with changed values.",
            lambda service, body: service.predict(body),
            wire.PredictBody,
            response=PredictionsResult,
            errors=MODEL_ERRORS,
        ),
        routes.post(
            "/counterfactual",
            "The nearest row that the model predicts differently, and what differs.",
            lambda service, body: service.counterfactual(body),
            wire.CounterfactualBody,
            response=Counterfactual,
        ),
        routes.post(
            "/neighbours",
            "The rows nearest to a point.",
            lambda service, body: service.neighbours(body),
            wire.NeighboursBody,
            response=Neighbours,
        ),
        routes.post(
            "/partial_dependence",
            "The prediction along the values of one or two features. Asked again, how far it has come.",
            lambda service, body: service.partial_dependence(body),
            wire.DependenceBody,
            response=PartialDependence,
            errors=MODEL_ERRORS,
        ),
        routes.post(
            "/attributions",
            "Shapley values or permutation importance. Asked again, how far it has come.",
            lambda service, body: service.attributions(body),
            wire.AttributionsBody,
            response=Attributions,
            errors=MODEL_ERRORS,
        ),
        routes.post(
            "/stop",
            "Stops a computation by the key of its progress.",
            lambda service, body: service.stop(body),
            wire.StopBody,
            response=wire.StopResponse,
            errors={},
            changes=True,  # others may wait for the same result
        ),
    ]
