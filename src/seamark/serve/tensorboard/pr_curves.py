"""Precision-recall curves of several runs at once."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from seamark.kinds.pr_curve import PrCurve, defined_end
from seamark.serve.tensorboard.catalogue import Catalogue, Point
from seamark.serve.tensorboard.question import Question, RefusalError, as_json, route
from seamark.serve.tensorboard.scalars import described_tags


def pr_curve_routes(catalogue: Catalogue) -> list[Route]:
    def tags(_: Question) -> Response:
        return as_json(described_tags(catalogue, "pr_curves"))

    def pr_curves(question: Question) -> Response:
        runs, tag = question.texts("run"), question.text("tag")
        if not runs:
            raise RefusalError("the parameter 'run' is required, once for each run")
        known = catalogue.series("pr_curves")
        missing = next((run for run in runs if tag not in known.get(run, {})), None)
        if missing is not None:
            raise RefusalError(f"there are no PR curves of the tag '{tag}' in the run '{missing}'")
        return as_json({run: [curve_json(point) for point in catalogue.points(known[run][tag])] for run in runs})

    return [route("/plugin/pr_curves/tags", tags), route("/plugin/pr_curves/pr_curves", pr_curves)]


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
