"""A run's hyperparameters, its metrics' names and how it ended, in the run's own event file."""

from __future__ import annotations

import argparse
import dataclasses
import warnings
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from seamark.format.messages import Event, Summary
from seamark.format.run_record import Objective, RunRecord
from seamark.kinds import hparams as hparams_kind
from seamark.kinds.hparams import SessionEnd, Status
from seamark.write import trials
from seamark.write.file_writer import NoFileWriter, file_of
from seamark.write.run.record import write_ended
from seamark.write.summary_writer import SummaryWriter

TrialStatus = Literal["finished", "pruned", "failed"]
Goal = Literal["minimize", "maximize"]


class Session:
    """Writes hyperparameters once, however often a library announces them, and the end once they are there."""

    def __init__(self) -> None:
        self._written: dict[str, bool | float | str] | None = None

    @property
    def is_started(self) -> bool:
        return self._written is not None

    def start(self, writer: SummaryWriter, hparams: Mapping[str, Any], metrics: Iterable[str] = ()) -> bool:
        """Writes the hyperparameters; returns False when they are those that were written before."""
        values = plain(hparams)
        if values == self._written:
            return False
        self._written = values
        # Without an end: a training that has only begun has not succeeded.
        experiment, start, _ = trials.encode(values, dict.fromkeys(metrics, 0.0), {})
        _write(writer, experiment, start)
        return True

    def end(self, writer: SummaryWriter, *, failed: bool = False) -> None:
        """Writes how the run ended, if it has hyperparameters; readers take the first such note."""
        if self.is_started:
            _write(writer, hparams_kind.encode(SessionEnd(Status.FAILURE if failed else Status.SUCCESS)))


def add_hparams(
    writer: SummaryWriter,
    hparams: Mapping[str, Any],
    metrics: Mapping[str, float],
    step: int | None = None,
    *,
    failed: bool = False,
) -> None:
    """Logs a trial that is over: its hyperparameters, its metrics as scalars and how it ended."""
    session = Session()
    session.start(writer, hparams, metrics)
    for tag, value in metrics.items():
        writer.add_scalar(tag, float(value), step)
    session.end(writer, failed=failed)


def write_record(
    writer: SummaryWriter,
    *,
    status: TrialStatus,
    started_at: float,
    ended_at: float,
    objectives: Mapping[str, Goal],
) -> None:
    """Writes run.json of a trial that is over beside its events, unless the writer writes nothing.

    `objectives` has the metrics that the study tunes for, by tag.
    """
    if isinstance(file_of(writer), NoFileWriter):
        return
    record = RunRecord(status=status, started_at=started_at, ended_at=ended_at)
    record.objectives = tuple(Objective(metric, goal) for metric, goal in objectives.items())
    try:
        write_ended(Path(writer.log_dir), record)
    except OSError as error:
        with suppress(Warning):  # turned into an error by a filter: logging never ends a study
            warnings.warn(f"run.json cannot be written ({error}): '{writer.log_dir}'", RuntimeWarning, stacklevel=3)


def _write(writer: SummaryWriter, *values: Summary.Value) -> None:
    file = file_of(writer)
    for value in values:
        file.add_event(Event(summary=Summary(value=[value])), 0)


def plain(hparams: Mapping[str, Any]) -> dict[str, bool | float | str]:
    """Groups flattened by '/'; what is neither number, truth value nor text becomes text."""
    flat: dict[str, bool | float | str] = {}
    for name, value in hparams.items():
        below = nested(value)
        if below is not None:
            flat.update({f"{name}/{inner}": deep for inner, deep in plain(below).items()})
        else:
            flat[str(name)] = value if isinstance(value, bool | int | float | str) else number_or_text(value)
    return flat


def nested(value: Any) -> Mapping[str, Any] | None:
    """What a hyperparameter consists of, if it is a group of them."""
    if isinstance(value, Mapping):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if isinstance(value, argparse.Namespace):
        return vars(value)
    if isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        return {str(number): item for number, item in enumerate(value)}
    return None


def number_or_text(value: Any) -> float | str:
    """NumPy's numbers and one-element tensors are numbers, everything else is what it prints."""
    try:
        return value.item() if hasattr(value, "item") else str(value)
    except (TypeError, ValueError, RuntimeError):
        return str(value)
