"""XGBoost: `xgboost.train(…, callbacks=[SeamarkCallback("runs/first")])`; a curve per metric and data set."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import xgboost
import xgboost.sklearn
import xgboost.training

from seamark.integrations.patch import all_of, call_with_callback, wrapped
from seamark.integrations.tables import importance_table
from seamark.integrations.target import Destination, Target, fresh_run

# Data set → metric → its values so far; in cross-validation each is (mean, standard deviation).
EvalsLog = Mapping[str, Mapping[str, Sequence[Any]]]


class SeamarkCallback(xgboost.callback.TrainingCallback):
    """Logs `<data set>/<metric>` per boosting round, at the end the best round and how much each feature mattered.

    In cross-validation the curves are means, with `<metric>-std` beside them. `importance_type` is one of XGBoost's:
    weight, gain, cover, total_gain, total_cover.
    """

    def __init__(self, log_dir: Target = None, *, importance_type: str = "gain", **options: Any) -> None:
        super().__init__()
        self._destination = Destination(log_dir, **options)
        self._importance_type = importance_type

    def after_iteration(self, model: Any, epoch: int, evals_log: EvalsLog) -> bool:
        writer = self._destination.writer
        for data, metrics in evals_log.items():
            for metric, values in metrics.items():
                mean, *spread = values[-1] if isinstance(values[-1], tuple) else (values[-1],)
                writer.add_scalar(f"{data}/{metric}", mean, epoch)
                if spread:
                    writer.add_scalar(f"{data}/{metric}-std", spread[0], epoch)
        return False  # do not stop

    def after_training(self, model: Any) -> Any:
        writer = self._destination.writer
        if isinstance(model, xgboost.Booster):
            last = model.num_boosted_rounds() - 1
            scores = model.get_score(importance_type=self._importance_type)
            writer.add_text(f"importance/{self._importance_type}", importance_table(scores), last)
            if model.attr("best_score") is not None:
                writer.add_scalar("best_score", model.best_score, model.best_iteration)
        self._destination.close()
        return model


def autolog(log_dir: str) -> Callable[[], None]:
    """Every training, also by the scikit-learn classes, gets the callback, unless it has one."""
    around = functools.partial(with_callback, log_dir)
    # The same function under each name that callers look it up by.
    return all_of(*(wrapped(place, "train", around) for place in (xgboost, xgboost.training, xgboost.sklearn)))


def with_callback(log_dir: str, train: Callable[..., Any], *args: Any, **options: Any) -> Any:
    make = functools.partial(fresh_callback, log_dir)
    return call_with_callback(train, args, options, SeamarkCallback, make)


def fresh_callback(log_dir: str) -> SeamarkCallback:
    return SeamarkCallback(fresh_run(Path(log_dir), "xgboost"))
