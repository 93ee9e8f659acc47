"""Routes of analyses of many rows: performance, worst slices, features, and examples along training."""

from __future__ import annotations

import numpy as np

from seamark.dashboards.whatif.answers.filters import filtered_rows
from seamark.dashboards.whatif.library import ExampleLibrary
from seamark.dashboards.whatif.models import ModelLibrary
from seamark.dashboards.whatif.wire import analyses as wire
from seamark.dashboards.whatif.wire.sets import SetParameters
from seamark.examples.features.describe import describe_features
from seamark.examples.form import ExampleSet, ScoredSet
from seamark.examples.performance.measure import PerformanceOptions, measure, rank_class
from seamark.examples.performance.ranked import RankedScores
from seamark.examples.results.features import FeaturesResult
from seamark.examples.results.performance import TaskPerformance
from seamark.examples.results.slices import WorstSlicesResult
from seamark.examples.results.training import TrainingResult
from seamark.examples.slices.find import find_worst_slices
from seamark.examples.slices.report import SearchOptions
from seamark.examples.slicing.cut import cut
from seamark.examples.training.follow import TrainingOptions, follow_training
from seamark.plugin.recently_used import RecentlyUsed
from seamark.plugin.service_routes import post
from seamark.tables.column import Numbers, Rows

MAX_RANKED = 8
# Further steps add nothing to a curve; the first and the last one are always among those that are read.
MAX_STEPS = 100


class Analyses:
    def __init__(self, library: ExampleLibrary, models: ModelLibrary) -> None:
        self._library, self._models = library, models
        # With what they were made from: as long as that exists, its id is that of nothing else.
        self._ranked: RecentlyUsed[tuple[RankedScores, object]] = RecentlyUsed(MAX_RANKED)

    @post()
    def performance(self, body: wire.PerformanceBody) -> TaskPerformance:
        """The performance of a model by slice: thresholds, curves and strategies, or errors."""
        examples = self._library.open(body)
        scored = self._models.scored(examples, body.model)
        rows = self._rows(examples, body)
        options = PerformanceOptions(
            slice_by=body.slice_by, bins=body.bins, positive=body.positive, cost_ratio=body.cost_ratio
        )
        return measure(scored, rows, options, lambda: self._rank(scored, body.positive))

    @post(pool="heavy")
    def worst_slices(self, body: wire.WorstSlicesBody) -> WorstSlicesResult:
        """The slices with more errors than the rest, found by search."""
        examples = self._library.open(body)
        scored = self._models.scored(examples, body.model)
        rows = self._rows(examples, body)
        options = SearchOptions(
            columns=body.columns,
            max_conditions=body.max_conditions,
            min_rows=body.min_rows,
            max_p=body.max_p,
            count=body.count,
        )
        return find_worst_slices(scored, rows, options, threshold=_thresholds(scored, rows, body))

    @post()
    def features(self, body: wire.FeaturesBody) -> FeaturesResult:
        """Statistics of the features, alone or compared with other rows."""
        examples = self._library.open(body)
        rows = filtered_rows(examples, self._models, body.filter)
        if body.other is None and body.other_filter is None:
            return describe_features(examples, rows)
        other = body.other
        compared = examples if other is None else self._library.open(SetParameters(other.run, other.name, other.step))
        # Without a filter of its own, the other set has the same one.
        matching = filtered_rows(compared, self._models, body.other_filter or body.filter)
        return describe_features(examples, rows, (compared, matching))

    @post()
    def training(self, body: wire.TrainingBody) -> TrainingResult:
        """How the predictions of a logged set change from step to step."""
        examples = self._library.open(body)
        steps = self._library.steps(body)
        shown = _thinned(steps)
        opened = [self._library.open(SetParameters(body.run, body.name, step)) for step in shown]
        scored = [self._models.stored(one, body.model) for one in opened]
        rows = self._rows(opened[-1] if opened else examples, body)
        options = TrainingOptions(slice_by=body.slice_by, bins=body.bins, threshold=body.threshold, count=body.count)
        predictions = [(step, one.predictions) for step, one in zip(shown, scored, strict=True)]
        found = follow_training(examples, predictions, rows, options)
        if len(shown) < len(steps):
            found.notes += (f"{len(shown)} of {len(steps):,} steps are used.",)
        return found

    def _rows(
        self, examples: ExampleSet, body: wire.PerformanceBody | wire.WorstSlicesBody | wire.TrainingBody
    ) -> Rows:
        return filtered_rows(examples, self._models, body.filter, model=body.model, threshold=body.threshold)

    def _rank(self, scored: ScoredSet, positive: str) -> RankedScores:
        """Sorting the scores and matching the truth takes longer than the rest, and does not depend on the slices."""
        sources = (scored.predictions.scores, scored.examples.truth)
        key = (*map(id, sources), scored.predictions.classes, positive)
        return self._ranked.get(key, lambda: (rank_class(scored, positive), sources))[0]


def _thresholds(scored: ScoredSet, rows: Rows, body: wire.WorstSlicesBody) -> float | Numbers:
    """Of each row of the set."""
    by = [body.thresholds_by] if isinstance(body.thresholds_by, str) else body.thresholds_by
    if not any(by) or not body.thresholds or scored.task != "binary":
        return body.threshold
    pieces = cut(scored.examples.table, rows, by, bins=body.bins)
    by_slice = [body.thresholds.get(piece.name, body.threshold) for piece in pieces.slices]
    found = np.full(scored.examples.rows, body.threshold)
    found[rows] = np.array([*by_slice, body.threshold])[pieces.codes]  # NO_SLICE takes the last
    return found


def _thinned(steps: list[int]) -> list[int]:
    if len(steps) <= MAX_STEPS:
        return steps
    return [steps[at] for at in np.unique(np.linspace(0, len(steps) - 1, MAX_STEPS).round().astype(int)).tolist()]
