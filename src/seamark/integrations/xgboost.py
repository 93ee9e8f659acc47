"""XGBoost: `xgboost.train(…, callbacks=[SeamarkCallback("runs/first")])`; a curve per metric and data set."""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import xgboost
import xgboost.sklearn
import xgboost.training

from seamark.integrations.patch import all_of, call_with_callback, wrapped
from seamark.integrations.tables import importance_table
from seamark.integrations.target import Destination, Target, fresh_run
from seamark.write.run.config.session import Session

# Data set → metric → values so far; in cross-validation each is (mean, standard deviation).
EvalsLog = Mapping[str, Mapping[str, Sequence[Any]]]


# XGBoost's configuration lists some parameters under two names; the others are those of the scikit-learn classes.
SECOND_NAMES = frozenset({"eta", "lambda", "alpha", "min_split_loss"})
INTERNALS = frozenset({"updater_seq", "disable_default_eval_metric", "max_row_perbatch"})


class SeamarkCallback(xgboost.callback.TrainingCallback):
    """Logs `<data set>/<metric>` per boosting round, and at the end the best round and the feature importance.

    In cross-validation the curves are means, with `<metric>-std` beside them. `importance_type` is one of XGBoost's:
    weight, gain, cover, total_gain, total_cover. Hyperparameters are those that XGBoost trains with, defaults included,
    and those in `hparams`.
    """

    def __init__(
        self,
        log_dir: Target = None,
        *,
        importance_type: str = "gain",
        hparams: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self._destination = Destination(log_dir, **options)
        self._importance_type = importance_type
        self._hparams = dict(hparams or {})
        self._session = Session()

    def before_training(self, model: Any) -> Any:
        # Cross-validation trains one booster per fold, all with the same parameters.
        booster = model if isinstance(model, xgboost.Booster) else model.cvfolds[0].bst
        self._session.start(self._destination.writer, {**configured(booster), **self._hparams})
        return model

    def after_iteration(self, model: Any, epoch: int, evals_log: EvalsLog) -> bool:
        writer = self._destination.writer
        for data, metrics in evals_log.items():
            for metric, values in metrics.items():
                mean, *spread = values[-1] if isinstance(values[-1], tuple) else (values[-1],)
                writer.add_scalar(f"{data}/{metric}", mean, epoch)
                if spread:
                    writer.add_scalar(f"{data}/{metric}-std", spread[0], epoch)
        return False  # continue training

    def after_training(self, model: Any) -> Any:
        writer = self._destination.writer
        if isinstance(model, xgboost.Booster):
            last = model.num_boosted_rounds() - 1
            kind, scores = importances(model, self._importance_type)
            writer.add_text(f"importance/{kind}", importance_table(scores), last)
            if model.attr("best_score") is not None:
                writer.add_scalar("best_score", model.best_score, model.best_iteration)
        self._session.end(writer)
        self._destination.close()
        return model


def importances(booster: xgboost.Booster, importance_type: str) -> tuple[str, dict[str, float]]:
    """The feature importance; linear boosters have only weights, with several classes one each."""
    try:
        scores = booster.get_score(importance_type=importance_type)
    except xgboost.core.XGBoostError:
        importance_type, scores = "weight", booster.get_score(importance_type="weight")
    return importance_type, {name: float(np.mean(score)) for name, score in scores.items()}


def configured(booster: xgboost.Booster) -> dict[str, float | str]:
    """The parameters of a booster, by their names in the scikit-learn classes."""
    learner = json.loads(booster.save_config())["learner"]
    trees = learner.get("gradient_booster", {}).get("gbtree_model_param", {})
    found = {
        "seed": learner.get("generic_param", {}).get("seed", ""),
        "num_parallel_tree": trees.get("num_parallel_tree", ""),
        **train_params(learner),
    }
    return {name: number_or_name(text) for name, text in found.items() if text not in ("", "()")}


def train_params(section: Mapping[str, Any], name: str = "learner") -> dict[str, str]:
    """The parameters in the sections for training and objective; others describe the model or the machine."""
    found: dict[str, str] = {}
    for key, value in section.items():
        if not isinstance(value, dict):
            continue
        if key.endswith("_train_param") or (name == "objective" and key.endswith("_param")):
            found |= {param: text for param, text in value.items() if param not in SECOND_NAMES | INTERNALS}
        else:
            found |= train_params(value, key)
    return found


def number_or_name(text: str) -> float | str:
    """XGBoost computes in float32: a rate of 0.1 is configured as 0.100000001."""
    try:
        return int(text) if text.lstrip("-").isdecimal() else float(str(np.float32(text)))
    except ValueError:
        return text


def autolog(log_dir: str) -> Callable[[], None]:
    """Adds the callback to every training that has none, also by the scikit-learn classes."""
    around = functools.partial(with_callback, log_dir)
    # Callers look the function up under several names.
    return all_of(*(wrapped(place, "train", around) for place in (xgboost, xgboost.training, xgboost.sklearn)))


def with_callback(log_dir: str, train: Callable[..., Any], *args: Any, **options: Any) -> Any:
    call = inspect.signature(train).bind_partial(*args, **options)
    call.apply_defaults()
    rounds = {name: call.arguments.get(name) for name in ("num_boost_round", "early_stopping_rounds")}
    hparams = {name: count for name, count in rounds.items() if count is not None}
    make = functools.partial(fresh_callback, log_dir, hparams)
    return call_with_callback(train, args, options, SeamarkCallback, make)


def fresh_callback(log_dir: str, hparams: Mapping[str, Any]) -> SeamarkCallback:
    return SeamarkCallback(fresh_run(Path(log_dir), "xgboost"), hparams=hparams)
