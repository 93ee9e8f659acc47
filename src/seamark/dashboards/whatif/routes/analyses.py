"""Routes of analyses of many rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from seamark.dashboards.whatif.wire import analyses as wire
from seamark.examples.results.features import FeaturesResult
from seamark.examples.results.performance import TaskPerformance
from seamark.examples.results.slices import WorstSlicesResult
from seamark.examples.results.training import TrainingResult
from seamark.plugin import Endpoint, ErrorCase
from seamark.plugin.service_endpoints import ServiceEndpoints

if TYPE_CHECKING:
    from seamark.dashboards.whatif.service import WhatIfService

ERRORS = {
    404: ErrorCase("There is no such set or model."),
    422: ErrorCase("The set cannot be analysed, or the model failed."),
}


def endpoints(service: Callable[[], WhatIfService]) -> list[Endpoint]:
    routes = ServiceEndpoints(service, ERRORS)
    return [
        routes.post(
            "/performance",
            "The performance of a model by slice: thresholds, curves and strategies, or errors.",
            lambda service, body: service.analyses.performance(body),
            wire.PerformanceBody,
            response=TaskPerformance,
        ),
        routes.post(
            "/worst_slices",
            "The slices with more errors than the rest, found by search.",
            lambda service, body: service.analyses.worst_slices(body),
            wire.WorstSlicesBody,
            pool="heavy",
            response=WorstSlicesResult,
        ),
        routes.post(
            "/features",
            "Statistics of the features, alone or compared with other rows.",
            lambda service, body: service.analyses.features(body),
            wire.FeaturesBody,
            response=FeaturesResult,
        ),
        routes.post(
            "/training",
            "How the predictions of a logged set change from step to step.",
            lambda service, body: service.analyses.training(body),
            wire.TrainingBody,
            response=TrainingResult,
        ),
    ]
