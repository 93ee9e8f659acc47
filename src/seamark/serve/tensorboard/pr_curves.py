"""Routes of precision-recall curves of several runs."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from seamark.kinds.pr_curve import PrCurve, defined_end
from seamark.plugin import Endpoint, ParsedRequest, RequestError
from seamark.serve.tensorboard.catalogue import Catalogue, Point
from seamark.serve.tensorboard.request import TensorBoardParameters
from seamark.serve.tensorboard.tags import tags_endpoint


class CurvesParameters(TensorBoardParameters):
    tag: str
    run: Annotated[tuple[str, ...], Meta(min_length=1)]


def pr_curve_endpoints(catalogue: Catalogue) -> list[Endpoint]:
    def pr_curves(request: ParsedRequest[CurvesParameters, None]) -> dict[str, list[object]]:
        runs, tag = request.parameters.run, request.parameters.tag
        known = catalogue.series("pr_curves")
        missing = next((run for run in runs if tag not in known.get(run, {})), None)
        if missing is not None:
            # TensorBoard's status for it is 400.
            raise RequestError(f"the run '{missing}' has no PR curves with the tag '{tag}'", code="invalid_parameter")
        return {run: [curve_json(point) for point in catalogue.points(known[run][tag])] for run in runs}

    return [
        tags_endpoint(catalogue, "/plugin/pr_curves/tags", "pr_curves"),
        Endpoint(
            path="/plugin/pr_curves/pr_curves",
            summary="The curves of one tag in several runs, at each step.",
            handler=pr_curves,
        ),
    ]


def curve_json(point: Point) -> dict[str, object]:
    curve: PrCurve = point.content
    end = defined_end(curve)
    counts = {
        "true_positives": curve.true_positives,
        "false_positives": curve.false_positives,
        "true_negatives": curve.true_negatives,
        "false_negatives": curve.false_negatives,
    }
    return {
        "wall_time": point.wall,
        "step": point.step,
        "precision": curve.precision[:end].tolist(),
        "recall": curve.recall[:end].tolist(),
        **{name: column[:end].astype(int).tolist() for name, column in counts.items()},
        "thresholds": curve.thresholds[:end].tolist(),
    }
