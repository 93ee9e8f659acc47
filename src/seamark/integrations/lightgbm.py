"""LightGBM: `lightgbm.train(…, callbacks=[SeamarkCallback("runs/first")])`; a curve per metric and data set."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lightgbm
import lightgbm.engine
import lightgbm.sklearn

from seamark.integrations.patch import all_of, call_with_callback, wrapped
from seamark.integrations.tables import importance_table
from seamark.integrations.target import Destination, Target, fresh_run
from seamark.write.run.config.session import Session


class SeamarkCallback:
    """Logs `<data set>/<metric>` per boosting round, the parameters at the start, the features' importance at the end.

    In cross-validation the curves are means, with `<metric>-std` beside them. Early stopping ends a training without
    telling its callbacks: `close()` or the end of the program then closes the file.
    """

    # Runs before early stopping (30), which raises.
    order = 20
    before_iteration = False

    def __init__(self, log_dir: Target = None, *, importance_type: str = "gain", **options: Any) -> None:
        self._destination = Destination(log_dir, **options)
        self._importance_type = importance_type
        self._session = Session()

    def __call__(self, env: Any) -> None:
        writer = self._destination.writer
        if env.iteration == env.begin_iteration and env.params:
            self._session.start(writer, env.params)
        for data, metric, value, _is_better, *spread in env.evaluation_result_list or ():
            writer.add_scalar(f"{data}/{metric}", value, env.iteration)
            if spread and spread[0] is not None:
                writer.add_scalar(f"{data}/{metric}-std", spread[0], env.iteration)
        if env.iteration == env.end_iteration - 1:
            self._log_importance(env)
            self._session.end(writer)
            self.close()

    def _log_importance(self, env: Any) -> None:
        if not isinstance(env.model, lightgbm.Booster):
            return  # cross-validation has one model per fold
        importances = env.model.feature_importance(importance_type=self._importance_type)
        table = importance_table(dict(zip(env.model.feature_name(), importances.tolist(), strict=True)))
        self._destination.writer.add_text(f"importance/{self._importance_type}", table, env.iteration)

    def close(self) -> None:
        self._destination.close()


def autolog(log_dir: str) -> Callable[[], None]:
    """Adds the callback to every training that has none, also by the scikit-learn classes."""
    around = functools.partial(with_callback, log_dir)
    # Callers look the function up under several names.
    return all_of(*(wrapped(place, "train", around) for place in (lightgbm, lightgbm.engine, lightgbm.sklearn)))


def with_callback(log_dir: str, train: Callable[..., Any], *args: Any, **options: Any) -> Any:
    make = functools.partial(fresh_callback, log_dir)
    return call_with_callback(train, args, options, SeamarkCallback, make)


def fresh_callback(log_dir: str) -> SeamarkCallback:
    return SeamarkCallback(fresh_run(Path(log_dir), "lightgbm"))
