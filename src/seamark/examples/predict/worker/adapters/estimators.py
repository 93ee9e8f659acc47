"""scikit-learn's estimators and pipelines, and those of other libraries with the same methods (XGBoost, LightGBM …)."""

from __future__ import annotations

from typing import Any

import numpy as np

from seamark.examples.predict.outputs import class_name
from seamark.examples.predict.probabilities import LOGISTIC_NOTE, SOFTMAX_NOTE, logistic, softmax
from seamark.examples.predict.worker.adapters.adapter import Adapter, has_pandas
from seamark.examples.predict.worker.inputs import Batch

OF_CATEGORIES = ("xgboost", "lightgbm")


class EstimatorAdapter(Adapter):
    """Asks for probabilities if the estimator has them, else for decisions, else for predictions."""

    def __init__(self, estimator: Any) -> None:
        self._estimator = estimator
        classes = getattr(estimator, "classes_", None)
        self.classes = None if classes is None else list(classes)
        self.is_classifier = _is_classifier(estimator, self.classes)
        # The features by name, in the order of training.
        self._names = [str(name) for name in getattr(estimator, "feature_names_in_", ())]
        self._takes_categories = type(estimator).__module__.partition(".")[0] in OF_CATEGORIES

    def prepare(self, batch: Batch) -> Any:
        if not (self._names or batch.texts) or not has_pandas():
            return batch.matrix(self._names)
        frame = batch.dataframe(as_categories=self._takes_categories)
        return frame[batch.known(self._names)] if self._names else frame

    def predict(self, given: Any, task: str) -> Any:
        model = self._estimator
        if hasattr(model, "predict_proba"):
            return model.predict_proba(given)
        if self.is_classifier and hasattr(model, "decision_function"):
            decisions = np.asarray(model.decision_function(given), np.float64)
            self.note = LOGISTIC_NOTE if decisions.ndim == 1 else SOFTMAX_NOTE
            return logistic(decisions) if decisions.ndim == 1 else softmax(decisions)
        predicted = model.predict(given)
        return [class_name(value) for value in predicted] if self.is_classifier else predicted


def _is_classifier(estimator: Any, classes: Any) -> bool | None:
    kind = getattr(estimator, "_estimator_type", None)  # before scikit-learn 1.6, and of other libraries
    if kind is None and hasattr(estimator, "__sklearn_tags__"):
        kind = estimator.__sklearn_tags__().estimator_type
    if kind in ("classifier", "regressor"):
        return bool(kind == "classifier")
    return True if classes is not None else None
