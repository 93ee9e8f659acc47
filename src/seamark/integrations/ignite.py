"""Ignite: `SeamarkLogger(log_dir="runs/first")` in place of TensorboardLogger, with all of that one's handlers."""

from __future__ import annotations

from typing import Any

from ignite.handlers import tensorboard_logger
from ignite.handlers.tensorboard_logger import (
    GradsHistHandler,
    GradsScalarHandler,
    OptimizerParamsHandler,
    OutputHandler,
    WeightsHistHandler,
    WeightsScalarHandler,
    global_step_from_engine,
)

from seamark.integrations.target import Destination

__all__ = [
    "GradsHistHandler",
    "GradsScalarHandler",
    "OptimizerParamsHandler",
    "OutputHandler",
    "SeamarkLogger",
    "WeightsHistHandler",
    "WeightsScalarHandler",
    "global_step_from_engine",
]


class SeamarkLogger(tensorboard_logger.TensorboardLogger):
    """Takes the arguments of seamark.SummaryWriter, or an existing writer. Use `writer` for images and other data.

    A TensorboardLogger, because Ignite's handlers ask for one; only its constructor, which wants TensorBoard, is not
    used.
    """

    def __init__(self, log_dir: Any = None, **options: Any) -> None:
        self._destination = Destination(log_dir, **options)
        self.writer = self._destination.writer

    def close(self) -> None:
        self._destination.close()
