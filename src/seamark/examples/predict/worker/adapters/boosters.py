"""Boosters of XGBoost and LightGBM, as their model files have them: without the names of classes."""

from __future__ import annotations

import json
from typing import Any

from seamark.examples.predict.probabilities import LOGISTIC_NOTE, logistic
from seamark.examples.predict.worker.adapters.adapter import Adapter, has_pandas
from seamark.examples.predict.worker.inputs import Batch

CLASSIFYING = ("binary", "multi", "cross_entropy")


class XGBoostAdapter(Adapter):
    def __init__(self, booster: Any) -> None:
        self._booster = booster
        self._names = list(booster.feature_names or [])
        objective = json.loads(booster.save_config())["learner"]["objective"]["name"]
        self.is_classifier = objective.startswith(CLASSIFYING)
        self._is_logit = objective == "binary:logitraw"
        self._is_label = objective in ("multi:softmax", "binary:hinge")
        self.note = LOGISTIC_NOTE if self._is_logit else ""

    def prepare(self, batch: Batch) -> Any:
        import xgboost

        if batch.texts and has_pandas():
            frame = batch.dataframe(as_categories=True)
            frame = frame[batch.known(self._names)] if self._names else frame
            return xgboost.DMatrix(frame, enable_categorical=True)
        return xgboost.DMatrix(batch.matrix(self._names), feature_names=self._names or None)

    def predict(self, given: Any, task: str) -> Any:
        scores = self._booster.predict(given)
        if self._is_label:
            return [str(int(value)) for value in scores]
        return logistic(scores) if self._is_logit else scores


class LightGBMAdapter(Adapter):
    def __init__(self, booster: Any) -> None:
        self._booster = booster
        self._names = list(booster.feature_name())
        objective = booster.dump_model(num_iteration=1).get("objective", "")
        self.is_classifier = objective.startswith(CLASSIFYING)

    def prepare(self, batch: Batch) -> Any:
        if batch.texts and has_pandas():
            return batch.dataframe(as_categories=True)[batch.known(self._names)]
        return batch.matrix(self._names)

    def predict(self, given: Any, task: str) -> Any:
        return self._booster.predict(given)
