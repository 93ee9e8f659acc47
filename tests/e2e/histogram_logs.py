"""Histograms as real writers leave them: torch, tensorboardX, our encoder, and TF1's own proto."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.format.messages import HistogramProto, Summary
from seamark.kinds import histogram
from seamark.kinds.summary import event_record
from seamark.write.append.event_file import EventFile

BEGAN = 1_700_000_000.0
Numbers = NDArray[np.float64]


def normal(step: int, *, centre: float = 0.0, scale: float = 1.0, size: int = 500) -> Numbers:
    return np.random.default_rng(step).normal(centre, scale, size)


def write_ours(folder: Path, tag: str, series: list[Numbers], *, first_step: int = 0) -> None:
    with EventFile(folder, wall_time=BEGAN) as file:
        for step, values in enumerate(series, first_step):
            file.append(event_record(histogram.encode(tag, values), step=step, wall_time=BEGAN + 60 * step))


def write_like_torch(folder: Path, tag: str, series: list[Numbers], *, library: str) -> None:
    """By torch's writer or tensorboardX's: both count in buckets that grow by a tenth."""
    writer: Any
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if library == "torch":
            from torch.utils.tensorboard import SummaryWriter

            writer = SummaryWriter(str(folder))
        else:
            import tensorboardX

            writer = tensorboardX.SummaryWriter(str(folder))
        for step, values in enumerate(series):
            writer.add_histogram(tag, values, step, walltime=BEGAN + 60 * step)
        writer.close()


def write_legacy(folder: Path, tag: str, protos: list[HistogramProto]) -> None:
    """As TensorFlow 1 wrote them: a proto in the event itself, and no metadata."""
    with EventFile(folder, wall_time=BEGAN) as file:
        for step, proto in enumerate(protos):
            file.append(event_record(Summary.Value(tag=tag, histo=proto), step=step, wall_time=BEGAN + 60 * step))
