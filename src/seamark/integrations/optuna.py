"""Optuna: `study.optimize(objective, callbacks=[SeamarkCallback("runs")])`; a run per trial, with its parameters."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from seamark.integrations.patch import call_with_callback, wrapped
from seamark.write.run.config.session import Goal, TrialStatus, add_hparams, write_record
from seamark.write.writer.summary_writer import SummaryWriter

INTERMEDIATE = "intermediate_value"
STATUSES: dict[TrialState, TrialStatus] = {TrialState.PRUNED: "pruned", TrialState.FAIL: "failed"}
GOALS: dict[StudyDirection, Goal] = {StudyDirection.MINIMIZE: "minimize", StudyDirection.MAXIMIZE: "maximize"}


class SeamarkCallback:
    """Writes folder/trial-N for each finished trial: its parameters, its value and its intermediate values.

    Runs and tags are those of Optuna's TensorBoardCallback. `metric_name` names the value (several for several
    objectives); without, the study's metric names are taken, or 'value'. Pruned and failed trials are written too,
    without a value. The trial's state and times and the study's objectives go into the run's run.json.
    """

    def __init__(
        self, log_dir: str | os.PathLike[str] = "runs", metric_name: str | Sequence[str] | None = None, **options: Any
    ) -> None:
        self._folder = Path(log_dir)
        self._metric_names = [metric_name] if isinstance(metric_name, str) else metric_name
        self._options = options

    def __call__(self, study: Study, trial: FrozenTrial) -> None:
        folder, names = self._folder / f"trial-{trial.number}", self._names(study)
        values = trial.values if trial.state == TrialState.COMPLETE else None
        metrics = dict(zip(names, values, strict=True)) if values is not None else {}
        with SummaryWriter(str(folder), **self._options) as writer:
            for step, value in sorted(trial.intermediate_values.items()):
                writer.add_scalar(INTERMEDIATE, value, step)
            writer.add_text("state", trial.state.name.lower(), trial.number)
            for name, attribute in trial.user_attrs.items():
                writer.add_text(f"user_attrs/{name}", str(attribute), trial.number)
            add_hparams(writer, trial.params, metrics, trial.number, failed=trial.state == TrialState.FAIL)
        started, ended = trial.datetime_start, trial.datetime_complete
        goals = [GOALS.get(direction, "minimize") for direction in study.directions]
        # Optuna's times: the trial is logged only after it has ended.
        write_record(
            writer,
            status=STATUSES.get(trial.state, "finished"),
            started_at=started.timestamp() if started is not None else 0.0,
            ended_at=ended.timestamp() if ended is not None else time.time(),
            objectives=dict(zip(names, goals, strict=True)),
        )

    def _names(self, study: Study) -> Sequence[str]:
        count = len(study.directions)
        names = self._metric_names or study.metric_names or default_names(count)
        if len(names) != count:
            raise ValueError(f"one metric name per objective: got {list(names)}, want {count} names")
        return names


def default_names(count: int) -> list[str]:
    return ["value"] if count == 1 else [f"value_{number}" for number in range(count)]


def autolog(log_dir: str) -> Callable[[], None]:
    """Logs the trials of every study to log_dir/<study name>, unless it has a SeamarkCallback."""
    return wrapped(Study, "optimize", functools.partial(with_callback, log_dir))


def with_callback(log_dir: str, optimize: Callable[..., Any], study: Study, *args: Any, **options: Any) -> Any:
    # A study's name may contain any character; it must be one folder.
    folder = Path(log_dir, study.study_name.replace(os.sep, "_"))
    return call_with_callback(
        optimize, (study, *args), options, SeamarkCallback, functools.partial(SeamarkCallback, folder)
    )
