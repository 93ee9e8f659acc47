"""Keras 3 on any backend: `model.fit(…, callbacks=[SeamarkCallback("runs/first")])`, as its TensorBoard callback.

TensorFlow is not needed, and not loaded unless it is the backend.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import keras
import numpy as np

from seamark import summary
from seamark.integrations import keras_weights
from seamark.integrations.keras_profile import ProfiledBatches
from seamark.integrations.patch import call_with_callback, wrapped
from seamark.integrations.target import fresh_run

logger = logging.getLogger(__name__)

Logs = Mapping[str, Any] | None


class SeamarkCallback(keras.callbacks.Callback):
    """Arguments, runs (train/, validation/) and tags are those of keras.callbacks.TensorBoard; with three extensions.

    profile_batch works on all of torch, JAX and TensorFlow; embeddings are written such that the projector shows
    them; calls of `seamark.summary` inside a training step land in the right run, as those of tf.summary do there.
    """

    def __init__(
        self,
        log_dir: str | os.PathLike[str] = "logs",
        histogram_freq: int = 0,
        write_graph: bool = True,
        write_images: bool = False,
        write_steps_per_second: bool = False,
        update_freq: int | str = "epoch",
        profile_batch: int | str | tuple[int, int] = 0,
        embeddings_freq: int = 0,
        embeddings_metadata: str | Mapping[str, str] | None = None,
    ) -> None:
        super().__init__()
        self.log_dir = os.fspath(log_dir)
        self.histogram_freq = histogram_freq
        self.write_graph = write_graph
        self.write_images = write_images
        self.write_steps_per_second = write_steps_per_second
        self.update_freq = 1 if update_freq == "batch" else update_freq
        self.embeddings_freq = embeddings_freq
        self.embeddings_metadata = embeddings_metadata
        self._profile = ProfiledBatches(profile_batch, self._folder("train"))
        self._writers: dict[str, Any] = {}
        # The runs that are default writers now: validation happens inside training.
        self._defaults: list[contextlib.ExitStack] = []
        self._train_batches = self._test_batches = 0
        self._graph_is_due = False
        self._epoch_began = (0, 0.0)
        self._batch_began = 0.0

    def set_model(self, model: Any) -> None:
        super().set_model(model)
        if self.write_graph:
            keras_weights.write_model(model, self._folder("train"))
        self._graph_is_due = self.write_graph
        if self.embeddings_freq:
            # Raises for unknown layer names before the training starts.
            keras_weights.embeddings(model, self.embeddings_metadata, Path(self.log_dir))

    # Training

    def on_train_begin(self, logs: Logs = None) -> None:
        self._train_batches = 0
        self._enter("train", 0)

    def on_train_end(self, logs: Logs = None) -> None:
        self._leave()
        self._profile.stop()
        for writer in self._writers.values():
            writer.close()
        self._writers.clear()

    def on_epoch_begin(self, epoch: int, logs: Logs = None) -> None:
        self._epoch_began = (iterations(self.model), time.perf_counter())

    def on_train_batch_begin(self, batch: int, logs: Logs = None) -> None:
        self._train_batches += 1
        self._at(self._train_batches)
        self._batch_began = time.perf_counter()
        self._profile.batch_begins(self._train_batches)

    def on_train_batch_end(self, batch: int, logs: Logs = None) -> None:
        self._profile.batch_ends(self._train_batches)
        if self._graph_is_due:
            self._graph_is_due = False
            keras_weights.write_train_graph(self.model, self._folder("train"))
        if not self._is_recording(self._train_batches):
            return
        found = {f"batch_{name}": value for name, value in (logs or {}).items()}
        if self.write_steps_per_second:
            found["batch_steps_per_second"] = 1 / max(time.perf_counter() - self._batch_began, 1e-9)
        for tag, value in found.items():
            summary.scalar(tag, number(value), step=self._train_batches)

    def on_epoch_end(self, epoch: int, logs: Logs = None) -> None:
        self._log_epoch(epoch, logs)
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            with self._writer("train").as_default():
                keras_weights.write_weights(self.model, epoch, as_images=self.write_images)
        if self.embeddings_freq and epoch % self.embeddings_freq == 0:
            found = keras_weights.embeddings(self.model, self.embeddings_metadata, Path(self.log_dir))
            keras_weights.write_embeddings(found, self._folder("train"), epoch)

    def _log_epoch(self, epoch: int, logs: Logs) -> None:
        if not logs:
            return
        train = {f"epoch_{name}": value for name, value in logs.items() if not name.startswith("val_")}
        train |= {f"epoch_{name}": value for name, value in learning_rates(self.model.optimizer).items()}
        if self.write_steps_per_second:
            begun, at = self._epoch_began
            train["epoch_steps_per_second"] = (iterations(self.model) - begun) / max(time.perf_counter() - at, 1e-9)
        validation = {f"epoch_{name[4:]}": value for name, value in logs.items() if name.startswith("val_")}
        self._scalars("train", train, epoch)
        self._scalars("validation", validation, epoch)

    # Evaluation, inside a training or alone

    def on_test_begin(self, logs: Logs = None) -> None:
        self._enter("validation", self._test_batches)

    def on_test_batch_begin(self, batch: int, logs: Logs = None) -> None:
        self._test_batches += 1
        self._at(self._test_batches)

    def on_test_end(self, logs: Logs = None) -> None:
        if getattr(self.model, "optimizer", None) is not None:
            found = {f"evaluation_{name}_vs_iterations": value for name, value in (logs or {}).items()}
            self._scalars("validation", found, iterations(self.model))
        self._leave()
        if not self._defaults and "validation" in self._writers:
            self._writers["validation"].flush()  # evaluate() alone never calls on_train_end

    # Writers

    def _folder(self, run: str) -> Path:
        return Path(self.log_dir, run)

    def _writer(self, run: str) -> Any:
        if run not in self._writers:
            self._writers[run] = summary.create_file_writer(str(self._folder(run)))
        return self._writers[run]

    def _scalars(self, run: str, values: Mapping[str, Any], step: int) -> None:
        if values:
            with self._writer(run).as_default(), summary.record_if(True):
                for tag, value in values.items():
                    summary.scalar(tag, number(value), step=step)

    def _is_recording(self, batch: int) -> bool:
        return isinstance(self.update_freq, int) and batch % self.update_freq == 0

    def _enter(self, run: str, step: int) -> None:
        """Makes a run the default writer of `seamark.summary` calls in the model, if batches are logged."""
        stack = contextlib.ExitStack()
        self._defaults.append(stack)
        if self.update_freq != "epoch":
            stack.enter_context(self._writer(run).as_default(step))
            # Evaluated at every summary: batches advance while the writer stays entered.
            stack.enter_context(summary.record_if(lambda: self._is_recording(summary.experimental.get_step())))

    def _at(self, step: int) -> None:
        if self.update_freq != "epoch":
            summary.experimental.set_step(step)

    def _leave(self) -> None:
        if self._defaults:
            self._defaults.pop().close()


def iterations(model: Any) -> int:
    """The number of optimizer steps."""
    taken = getattr(getattr(model, "optimizer", None), "iterations", 0)
    return int(keras.ops.convert_to_numpy(taken))


def learning_rates(optimizer: Any) -> dict[str, float]:
    """The learning rate of the optimizer, or of each optimizer in a group."""
    optimizer = getattr(optimizer, "inner_optimizer", optimizer)  # of a LossScaleOptimizer
    if hasattr(optimizer, "optimizers"):
        return {f"learning_rate_{one.name}": number(one.learning_rate) for one in optimizer.optimizers}
    return (
        {"learning_rate": number(optimizer.learning_rate)} if isinstance(optimizer, keras.optimizers.Optimizer) else {}
    )


def number(value: Any) -> float:
    return float(np.asarray(keras.ops.convert_to_numpy(value)))


def autolog(log_dir: str) -> Callable[[], None]:
    """Adds the callback to every fit() that has none."""
    return wrapped(keras.Model, "fit", functools.partial(with_callback, log_dir))


def with_callback(log_dir: str, fit: Callable[..., Any], model: Any, *args: Any, **options: Any) -> Any:
    if isinstance(options.get("callbacks"), keras.callbacks.CallbackList):
        logger.warning("seamark: this fit() is not logged: it got a CallbackList; add a SeamarkCallback to it")
        return fit(model, *args, **options)
    make = functools.partial(SeamarkCallback, fresh_run(Path(log_dir), model.name))
    return call_with_callback(fit, (model, *args), options, SeamarkCallback, make)
