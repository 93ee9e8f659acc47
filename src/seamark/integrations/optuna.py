"""Optuna: `study.optimize(objective, callbacks=[SeamarkCallback("runs")])`; a run per trial, with its parameters."""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

from seamark.integrations.patch import call_with_callback, wrapped
from seamark.integrations.sessions import add_hparams
from seamark.write.summary_writer import SummaryWriter

INTERMEDIATE = "intermediate_value"


class SeamarkCallback:
    """Writes folder/trial-N for each finished trial: its parameters, its value and what it reported on the way.

    Runs and tags are those of Optuna's TensorBoardCallback. `metric_name` names the value (several for several
    objectives); without, the study's metric names are taken, or 'value'. Pruned and failed trials are written too,
    without a value.
    """

    def __init__(
        self, log_dir: str | os.PathLike[str] = "runs", metric_name: str | Sequence[str] | None = None, **options: Any
    ) -> None:
        self._folder = Path(log_dir)
        self._metric_names = [metric_name] if isinstance(metric_name, str) else metric_name
        self._options = options

    def __call__(self, study: Study, trial: FrozenTrial) -> None:
        with SummaryWriter(str(self._folder / f"trial-{trial.number}"), **self._options) as writer:
            for step, value in sorted(trial.intermediate_values.items()):
                writer.add_scalar(INTERMEDIATE, value, step)
            writer.add_text("state", trial.state.name.lower(), trial.number)
            for name, value in trial.user_attrs.items():
                writer.add_text(f"user_attrs/{name}", str(value), trial.number)
            add_hparams(writer, trial.params, self._metrics(study, trial), trial.number)

    def _metrics(self, study: Study, trial: FrozenTrial) -> dict[str, float]:
        if trial.state != TrialState.COMPLETE:
            return {}
        values = [math.nan if value is None else value for value in trial.values]
        names = self._metric_names or study.metric_names or default_names(len(values))
        if len(names) != len(values):
            raise ValueError(f"one metric name per objective, please: got {list(names)}, want {len(values)} names")
        return dict(zip(names, values, strict=True))


def default_names(count: int) -> list[str]:
    return ["value"] if count == 1 else [f"value_{number}" for number in range(count)]


def autolog(log_dir: str) -> Callable[[], None]:
    """Every study writes its trials into log_dir/<study name>, unless it is given a SeamarkCallback."""
    return wrapped(Study, "optimize", functools.partial(with_callback, log_dir))


def with_callback(log_dir: str, optimize: Callable[..., Any], study: Study, *args: Any, **options: Any) -> Any:
    # A study's name may hold anything; it must stay one folder.
    folder = Path(log_dir, study.study_name.replace(os.sep, "_"))
    return call_with_callback(
        optimize, (study, *args), options, SeamarkCallback, functools.partial(SeamarkCallback, folder)
    )
