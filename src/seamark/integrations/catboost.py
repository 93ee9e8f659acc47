"""CatBoost: `model.fit(…, callbacks=[SeamarkCallback("runs/first")])`; runs and tags are CatBoost's own."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import catboost

from seamark.integrations.patch import all_of, call_with_callback, wrapped
from seamark.integrations.target import Destination, fresh_run
from seamark.write.writer.summary_writer import SummaryWriter

VALIDATION = re.compile(r"validation(?:_(\d+))?")
MODELS = ("CatBoost", "CatBoostClassifier", "CatBoostRegressor", "CatBoostRanker")


class SeamarkCallback:
    """Logs each metric per iteration into the runs learn/, test/, test1/ … below `log_dir`.

    CatBoost itself writes the same into its train_dir, unless allow_writing_files=False; this is for one place for
    all, for models that may write no files, and for values that keep coming while the training runs.
    """

    def __init__(self, log_dir: str | os.PathLike[str] | None = None, **options: Any) -> None:
        # Only used for the default folder's name: data is written to the runs below it.
        self._folder = Path(fresh_run(Path("runs"), "catboost") if log_dir is None else log_dir)
        self._options = options
        self._destinations: dict[str, Destination] = {}
        self._logged: dict[tuple[str, str], int] = {}

    def after_iteration(self, info: Any) -> bool:
        for data, metrics in info.metrics.items():
            run, suffix = run_of(data)
            for metric, values in metrics.items():
                # With metric_period, an iteration may bring nothing new.
                if len(values) > self._logged.get((data, metric), 0):
                    self._logged[data, metric] = len(values)
                    self._writer(run).add_scalar(f"{metric}{suffix}", values[-1], info.iteration - 1)
        return True  # continue training

    def close(self) -> None:
        """Call it after training: CatBoost does not notify callbacks. Otherwise the files are closed at exit."""
        for destination in self._destinations.values():
            destination.close()

    def _writer(self, run: str) -> SummaryWriter:
        if run not in self._destinations:
            self._destinations[run] = Destination(self._folder / run, **self._options)
        return self._destinations[run].writer


def run_of(data: str) -> tuple[str, str]:
    """CatBoost's run for a data set, and its suffix of the tags: only the first of several sets has ':0'."""
    match = VALIDATION.fullmatch(data)
    if match is None:
        return data, ""
    number = match[1]
    return ("test", ":0" if number == "0" else "") if number in (None, "0") else (f"test{number}", "")


def autolog(log_dir: str) -> Callable[[], None]:
    """Adds the callback to every fit() that has none."""
    around = functools.partial(with_callback, log_dir)
    return all_of(*(wrapped(getattr(catboost, model), "fit", around) for model in MODELS))


def with_callback(log_dir: str, fit: Callable[..., Any], *args: Any, **options: Any) -> Any:
    make = functools.partial(fresh_callback, log_dir)
    return call_with_callback(fit, args, options, SeamarkCallback, make)


def fresh_callback(log_dir: str) -> SeamarkCallback:
    return SeamarkCallback(fresh_run(Path(log_dir), "catboost"))
