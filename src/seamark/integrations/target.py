"""Where an integration writes: a folder that it opens and closes itself, or a writer that somebody else closes."""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import itertools
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from seamark.write.summary_writer import SummaryWriter

# A folder, a writer that is there already, or None for the default folder (runs/DATE_HOST).
Target = str | os.PathLike[str] | SummaryWriter | None
_numbers = itertools.count()


class Destination:
    """Opens the writer on first use: a callback that is made but never trained with leaves nothing on disk."""

    def __init__(self, target: Target = None, **options: Any) -> None:
        self._given = target if isinstance(target, SummaryWriter) else None
        self._folder = None if target is None or isinstance(target, SummaryWriter) else os.fspath(target)
        self._options = options
        self._opened: SummaryWriter | None = None

    @property
    def writer(self) -> SummaryWriter:
        if self._given is not None:
            return self._given
        if self._opened is None:
            self._opened = SummaryWriter(self._folder, **self._options)
            # Opened again after a close, a default folder must not become a second run.
            self._folder = self._opened.log_dir
        return self._opened

    def close(self) -> None:
        """Closes what this opened; a writer that was given is only flushed."""
        if self._given is not None:
            self._given.flush()
        elif self._opened is not None:
            self._opened.close()
            self._opened = None


def add_hparams(
    writer: SummaryWriter, hparams: Mapping[str, Any], metrics: Mapping[str, float], step: int | None = None
) -> None:
    """Hyperparameters of this very run, not of a run below it, and its metrics as scalars."""
    writer.add_hparams(
        plain(hparams), {name: float(value) for name, value in metrics.items()}, run_name=".", global_step=step
    )


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


def fresh_run(folder: Path, name: str) -> str:
    """A folder for one more run, named after what makes it and when."""
    begun = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    # Two trainings may begin in one second, even in two processes.
    return str(folder / f"{name}_{begun}-{os.getpid()}-{next(_numbers)}")
