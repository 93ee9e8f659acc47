"""The predictions of a model for changed rows."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from seamark.dashboards.whatif.models import ModelLibrary
from seamark.dashboards.whatif.wire import points as wire
from seamark.examples.form import ExampleSet, Overrides, PredictError
from seamark.examples.points.prediction import prediction_list
from seamark.examples.results.points import PredictionsResult
from seamark.plugin import not_found


def predict(examples: ExampleSet, models: ModelLibrary, body: wire.PredictBody) -> PredictionsResult:
    model = models.model(examples, body.model)
    rows = np.array([point.row for point in body.points], np.int64)
    if rows.max() >= examples.rows:
        raise not_found(f"the set has {examples.rows:,} rows, got the row {int(rows.max())}")
    started = time.perf_counter()
    predictions = model.predict(rows, overrides_of(examples, body.points))
    took_ms = 1000 * (time.perf_counter() - started)
    results = tuple(prediction_list(predictions, body.threshold))
    if any(result.score is None for result in results):
        first = next(point.row for point, result in zip(body.points, results, strict=True) if result.score is None)
        raise PredictError(f"the model '{model.name}' returned NaN or infinity for the row {first}")
    return PredictionsResult(model.name, predictions.classes, results, took_ms)


def overrides_of(examples: ExampleSet, points: Sequence[wire.EditedRow]) -> Overrides:
    """For each feature that some point changes: its new value, or that of its row."""
    changed = dict.fromkeys(name for point in points for name in point.edits)
    features = {column.name: column for column in examples.features}
    for name in changed:
        if name not in features:
            raise PredictError(f"only features can be changed, want one of {', '.join(features)}; got '{name}'")
    return {
        name: [point.edits[name] if name in point.edits else features[name].value(point.row) for point in points]
        for name in changed
    }
