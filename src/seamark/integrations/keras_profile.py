"""Profiles some batches of a Keras training with the backend's profiler."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import keras

logger = logging.getLogger(__name__)


class ProfiledBatches:
    """Profiles a range of batches, counted from 1; 0 means none. A failing profiler is reported as a warning."""

    def __init__(self, batches: int | str | tuple[int, int], folder: Path) -> None:
        self.first, self.last = batch_range(batches)
        self._folder = folder
        self._stop: Callable[[], None] | None = None

    def batch_begins(self, batch: int) -> None:
        if batch == self.first and self._stop is None:
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                self._stop = STARTS[keras.backend.backend()](self._folder)
            except Exception as error:
                self.first = self.last = 0
                logger.warning("seamark: batch %s is not profiled: %s", batch, error)

    def batch_ends(self, batch: int) -> None:
        if batch >= self.last:
            self.stop()

    def stop(self) -> None:
        stop, self._stop = self._stop, None
        if stop is not None:
            try:
                stop()
            except Exception as error:
                logger.warning("seamark: the profile is not written: %s", error)


def batch_range(batches: int | str | tuple[int, int]) -> tuple[int, int]:
    try:
        bounds = [int(part) for part in batches.split(",")] if isinstance(batches, str) else batches
        first, last = (bounds, bounds) if isinstance(bounds, int) else bounds if len(bounds) == 2 else bounds * 2
    except (TypeError, ValueError):
        first, last = -1, -1
    if not 0 <= first <= last:
        raise ValueError(f"profile_batch must be a batch or a pair of first and last, from 0: got {batches!r}")
    return first, last


def start_torch(folder: Path) -> Callable[[], None]:
    from torch import profiler

    running = profiler.profile(record_shapes=True, on_trace_ready=profiler.tensorboard_trace_handler(str(folder)))
    running.start()
    return running.stop


def start_jax(folder: Path) -> Callable[[], None]:
    import jax

    jax.profiler.start_trace(str(folder))
    return jax.profiler.stop_trace  # type: ignore[no-any-return]


def start_tensorflow(folder: Path) -> Callable[[], None]:
    import tensorflow as tf

    tf.profiler.experimental.start(str(folder))
    return tf.profiler.experimental.stop  # type: ignore[no-any-return]


STARTS: dict[str, Any] = {"torch": start_torch, "jax": start_jax, "tensorflow": start_tensorflow}
