"""Routes of histograms, as buckets, and of distributions, as percentiles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seamark.kinds.statistics.percentiles import percentiles
from seamark.plugin import Endpoint, ParsedRequest
from seamark.serve.tensorboard.catalogue import Catalogue
from seamark.serve.tensorboard.request import SeriesParameters
from seamark.serve.tensorboard.tags import tags_endpoint

BucketPoint = tuple[float, int, NDArray[np.float64]]  # wall time, step, buckets


def histogram_endpoints(catalogue: Catalogue) -> list[Endpoint]:
    def histograms(request: ParsedRequest[SeriesParameters, None]) -> list[object]:
        points = bucket_points(catalogue, request.parameters, plugin="histograms")
        return [(wall, step, buckets.tolist()) for wall, step, buckets in points]

    def distributions(request: ParsedRequest[SeriesParameters, None]) -> list[object]:
        points = bucket_points(catalogue, request.parameters, plugin="distributions")
        return [(wall, step, percentiles(buckets)) for wall, step, buckets in points]

    return [
        tags_endpoint(catalogue, "/plugin/histograms/tags", "histograms"),
        tags_endpoint(catalogue, "/plugin/distributions/tags", "histograms"),
        Endpoint(
            path="/plugin/histograms/histograms",
            summary="The buckets of a series at each step.",
            handler=histograms,
        ),
        Endpoint(
            path="/plugin/distributions/distributions",
            summary="The percentiles of a series at each step.",
            handler=distributions,
        ),
    ]


def bucket_points(catalogue: Catalogue, parameters: SeriesParameters, *, plugin: str) -> list[BucketPoint]:
    info = catalogue.find("histograms", parameters.run, parameters.tag)
    return [(point.wall, point.step, point.content.buckets) for point in catalogue.points(info, plugin=plugin)]
