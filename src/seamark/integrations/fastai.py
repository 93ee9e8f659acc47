"""fastai: `Learner(…, cbs=SeamarkCallback("runs/first"))`, under the tags of fastai's TensorBoardCallback."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastai.callback.core import Callback
from fastai.learner import Recorder, defaults
from fastai.torch_core import rank_distrib

from seamark.integrations.target import Destination, Target, fresh_run


class SeamarkCallback(Callback):
    """Logs the smoothed training loss and every optimizer parameter per batch, losses and metrics per epoch.

    `trace_model` adds the model's graph. Pictures of predictions and the projector, which fastai's callback also
    makes, are left to it: it needs torchvision for them.
    """

    order = Recorder.order + 1

    def __init__(self, log_dir: Target = None, trace_model: bool = False, **options: Any) -> None:
        super().__init__()
        self.trace_model = trace_model
        self._destination = Destination(log_dir, **options)

    def before_fit(self) -> None:
        # Not during a learning rate search or predictions.
        self.run = not hasattr(self.learn, "lr_finder") and not hasattr(self, "gather_preds") and rank_distrib() == 0
        if self.run and self.trace_model:
            self.learn._split(self.dls.one_batch())
            self._destination.writer.add_graph(self.model, self.xb)

    def after_batch(self) -> None:
        if not self.training:
            return
        writer, step = self._destination.writer, self.train_iter
        writer.add_scalar("train_loss", self.smooth_loss, step)
        for number, group in enumerate(self.opt.hypers):
            for name, value in group.items():
                writer.add_scalar(f"{name}_{number}", value, step)

    def after_epoch(self) -> None:
        # Without the epoch, the raw training loss and the time.
        for name, value in list(zip(self.recorder.metric_names, self.recorder.log, strict=False))[2:-1]:
            if value is not None:
                self._destination.writer.add_scalar(name, value, self.train_iter)

    def after_fit(self) -> None:
        if self.run:
            self._destination.close()


class AutologCallback(SeamarkCallback):
    """The callback that autolog adds. Does nothing in a Learner that has a SeamarkCallback."""

    folder = "runs"

    def __init__(self) -> None:
        super().__init__(fresh_run(Path(self.folder), "fastai"))

    def before_fit(self) -> None:
        super().before_fit()
        by_hand = [callback for callback in self.learn.cbs if type(callback) is SeamarkCallback]
        self.run = self.run and not by_hand


def autolog(log_dir: str) -> Callable[[], None]:
    """Adds the callback to every new Learner."""
    AutologCallback.folder = log_dir
    defaults.callbacks.append(AutologCallback)
    return lambda: defaults.callbacks.remove(AutologCallback)
