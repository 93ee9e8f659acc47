"""Counterfactuals, neighbours, partial dependence and attributions of a point."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TypeVar

import msgspec

from seamark.dashboards.whatif.answers.filters import filtered_rows
from seamark.dashboards.whatif.jobs import AnalysisJobs
from seamark.dashboards.whatif.models import ModelLibrary
from seamark.dashboards.whatif.wire import points as wire
from seamark.examples.form import ExampleSet, Model, Predictions, ScoredSet
from seamark.examples.points.analysis import Analysis, predict_point
from seamark.examples.points.dependence import DependenceAnalysis, DependenceOptions
from seamark.examples.points.distance import DistanceOptions
from seamark.examples.points.near import CounterfactualOptions, nearest_counterfactual, nearest_neighbours
from seamark.examples.points.permutation import PermutationAnalysis, PermutationOptions
from seamark.examples.points.point import Point, make_point
from seamark.examples.points.shapley import ShapleyAnalysis, ShapleyOptions
from seamark.examples.results.points import Attributions, Counterfactual, Neighbours, PartialDependence
from seamark.tables.column import Rows

T = TypeVar("T", PartialDependence, Attributions)
FilteredBody = wire.CounterfactualBody | wire.NeighboursBody | wire.DependenceBody | wire.AttributionsBody


class PointAnswers:
    def __init__(self, models: ModelLibrary) -> None:
        self._models = models
        self._jobs = AnalysisJobs()

    def counterfactual(self, examples: ExampleSet, body: wire.CounterfactualBody) -> Counterfactual:
        scored = self._models.scored(examples, body.model)
        point = make_point(examples, body.row, body.edits)
        options = CounterfactualOptions(
            distance=_distance(body.distance),
            fixed=tuple(body.fixed),
            min_difference=body.min_difference,
            threshold=body.threshold,
        )
        own = self._own_prediction(scored, point, body.model)
        return nearest_counterfactual(scored, point, own, options, self._rows(examples, body))

    def neighbours(self, examples: ExampleSet, body: wire.NeighboursBody) -> Neighbours:
        scored = self._models.scored(examples, body.model)
        point = make_point(examples, body.row, body.edits)
        rows = self._rows(examples, body)
        options = _distance(body.distance)
        return nearest_neighbours(scored, point, options, body.count, threshold=body.threshold, rows=rows)

    def partial_dependence(self, examples: ExampleSet, body: wire.DependenceBody) -> PartialDependence:
        def make(model: Model, rows: Rows | None) -> Analysis:
            options = DependenceOptions(
                feature=body.feature,
                feature2=body.feature2,
                class_name=body.class_name,
                rows=body.rows,
                grid=body.grid,
            )
            return DependenceAnalysis(model, make_point(examples, body.row, body.edits), options, rows)

        return self._poll(examples, body, make, PartialDependence)

    def attributions(self, examples: ExampleSet, body: wire.AttributionsBody) -> Attributions:
        def make(model: Model, rows: Rows | None) -> Analysis:
            if body.method == "permutation":
                return PermutationAnalysis(model, examples, PermutationOptions(body.samples, body.background), rows)
            options = ShapleyOptions(body.class_name, body.samples, body.background)
            return ShapleyAnalysis(model, make_point(examples, body.row, body.edits), options, rows)

        return self._poll(examples, body, make, Attributions)

    def stop(self, body: wire.StopBody) -> wire.StopResponse:
        return wire.StopResponse(self._jobs.stop(body.key))

    def _own_prediction(self, scored: ScoredSet, point: Point, model: str) -> Predictions:
        """Only a changed point needs a model."""
        if point.edits:
            return predict_point(self._models.model(point.examples, model), point)
        scores = scored.predictions.scores[point.row : point.row + 1]
        return Predictions(scored.task, scores, scored.predictions.classes)

    def _rows(self, examples: ExampleSet, body: FilteredBody) -> Rows | None:
        if not body.filter.query and not body.filter.conditions:
            return None
        return filtered_rows(examples, self._models, body.filter, model=body.model, threshold=body.threshold)

    def _poll(
        self,
        examples: ExampleSet,
        body: wire.DependenceBody | wire.AttributionsBody,
        make: Callable[[Model, Rows | None], Analysis],
        result_type: type[T],
    ) -> T:
        model = self._models.model(examples, body.model)
        text = examples.content_id.encode() + model.name.encode() + type(body).__name__.encode()
        key = hashlib.blake2b(text + msgspec.json.encode(body), digest_size=16).hexdigest()
        result = self._jobs.poll(key, lambda: make(model, self._rows(examples, body)))
        assert isinstance(result, result_type)
        return result


def _distance(body: wire.DistanceBody) -> DistanceOptions:
    return DistanceOptions(body.norm, body.standardize, tuple(body.features))
