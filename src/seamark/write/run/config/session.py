"""Logs hyperparameters, metric names and the end of a trial to a run's event file."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from seamark.format.messages import Summary
from seamark.format.plain import mapping_of
from seamark.format.run_record import Objective, RunRecord
from seamark.kinds import hparams as hparams_kind
from seamark.kinds.hparams import SessionEnd, Status
from seamark.write.encode import trials
from seamark.write.run.record.run_file import write_ended
from seamark.write.writer.summary_writer import SummaryWriter

TrialStatus = Literal["finished", "pruned", "failed"]
Goal = Literal["minimize", "maximize"]


class Session:
    """Writes hyperparameters once, even if a library reports them repeatedly, and the end if there are any."""

    def __init__(self) -> None:
        self._written: dict[str, bool | float | str] | None = None

    @property
    def is_started(self) -> bool:
        return self._written is not None

    def start(self, writer: SummaryWriter, hparams: Mapping[str, Any], metrics: Iterable[str] = ()) -> bool:
        """Writes the hyperparameters. Returns False if they were written before."""
        values = flatten_hparams(hparams)
        if values == self._written:
            return False
        self._written = values
        # Without an end: a training that has just started has not succeeded.
        experiment, start, _ = trials.encode(values, dict.fromkeys(metrics, 0.0), {})
        _write(writer, experiment, start)
        return True

    def end(self, writer: SummaryWriter, *, failed: bool = False) -> None:
        """Writes how the run ended, if it has hyperparameters. Readers use the first such event."""
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
    """Logs a finished trial: its hyperparameters, its metrics as scalars and how it ended."""
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
    """Writes run.json of a finished trial, unless the writer writes nothing.

    `objectives` has the metrics that the study optimizes, by tag.
    """
    if not writer.sink.writes:
        return
    record = RunRecord(status=status, started_at=started_at, ended_at=ended_at)
    record.objectives = tuple(Objective(metric, goal) for metric, goal in objectives.items())
    try:
        write_ended(Path(writer.log_dir), record)
    except OSError as error:
        writer.sink.warn_once("run.json", f"run.json cannot be written ({error})")


def _write(writer: SummaryWriter, *values: Summary.Value) -> None:
    for value in values:
        writer.sink.add(value, 0)


def flatten_hparams(hparams: Mapping[str, Any]) -> dict[str, bool | float | str]:
    """Joins the names of groups with '/'; values other than numbers, booleans and text become text."""
    flat: dict[str, bool | float | str] = {}
    for name, value in hparams.items():
        group = _group(value)
        if group is not None:
            flat.update({f"{name}/{inner}": deep for inner, deep in flatten_hparams(group).items()})
        else:
            flat[str(name)] = value if isinstance(value, bool | int | float | str) else _number_or_text(value)
    return flat


def _group(value: Any) -> Mapping[str, Any] | None:
    """The hyperparameters in a value, if it is a group of them."""
    if isinstance(value, Mapping | argparse.Namespace) or dataclasses.is_dataclass(value):
        return mapping_of(value)
    if isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        return {str(number): item for number, item in enumerate(value)}
    return None


def _number_or_text(value: Any) -> float | str:
    """A number for NumPy's numbers and one-element tensors, text for everything else."""
    try:
        return value.item() if hasattr(value, "item") else str(value)
    except (TypeError, ValueError, RuntimeError):
        return str(value)
