"""Histograms as buckets, and distributions: the percentiles of each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from starlette.responses import Response
from starlette.routing import Route

from seamark.kinds.percentiles import percentiles
from seamark.serve.tensorboard.catalogue import Catalogue
from seamark.serve.tensorboard.question import Question, as_json, route
from seamark.serve.tensorboard.scalars import described_tags


def histogram_routes(catalogue: Catalogue) -> list[Route]:
    def tags(_: Question) -> Response:
        return as_json(described_tags(catalogue, "histograms"))

    def histograms(question: Question) -> Response:
        points = bucket_points(catalogue, question.text("run"), question.text("tag"))
        return as_json([(wall, step, buckets.tolist()) for wall, step, buckets in points])

    def distributions(question: Question) -> Response:
        points = bucket_points(catalogue, question.text("run"), question.text("tag"), plugin="distributions")
        return as_json([(wall, step, percentiles(buckets)) for wall, step, buckets in points])

    return [
        route("/plugin/histograms/tags", tags),
        route("/plugin/histograms/histograms", histograms),
        route("/plugin/distributions/tags", tags),
        route("/plugin/distributions/distributions", distributions),
    ]


def bucket_points(
    catalogue: Catalogue, run: str, tag: str, *, plugin: str = ""
) -> list[tuple[float, int, NDArray[np.float64]]]:
    info = catalogue.find("histograms", run, tag)
    return [(point.wall, point.step, point.content.buckets) for point in catalogue.points(info, plugin=plugin)]
