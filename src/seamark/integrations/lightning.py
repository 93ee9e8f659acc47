"""PyTorch Lightning and Fabric: `Trainer(logger=SeamarkLogger("runs"))`; folders and tags are TensorBoardLogger's."""

from __future__ import annotations

import argparse
import functools
import importlib
import logging
import os
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from seamark.integrations.patch import wrapped
from seamark.integrations.target import close_with
from seamark.write.run.config.session import Session
from seamark.write.run.hooks.profiler_hook import ProfilerHook
from seamark.write.writer.summary_writer import SummaryWriter

logger = logging.getLogger(__name__)

VERSION_FOLDER = re.compile(r"version_(\d+)")
HPARAMS_FILE = "hparams.yaml"


def lightning_module(name: str) -> Any:
    """Imports a module of the Lightning package in use: `lightning` or the older `pytorch_lightning`."""
    packages = ["lightning.pytorch", "pytorch_lightning", "lightning.fabric", "lightning_fabric"]
    # The two packages have unrelated classes, so it must be the one in use.
    for package in sorted(packages, key=lambda package: package not in sys.modules):
        try:
            return importlib.import_module(f"{package}.{name}")
        except ImportError:
            continue
    raise ImportError(f"no Lightning with '{name}' is installed; remedy: pip install lightning")


_TensorBoardLogger: Any = lightning_module("loggers.tensorboard").TensorBoardLogger
_rank_zero: Any = lightning_module("utilities.rank_zero").rank_zero_only
_on_rank_zero: Any = lightning_module("loggers.logger").rank_zero_experiment


class SeamarkLogger(_TensorBoardLogger):
    """Logs into save_dir/name/version_N. Takes TensorBoardLogger's arguments; `options` go to SummaryWriter.

    `log_graph` needs an `example_input_array` in the model. Only local folders are written. It is a TensorBoardLogger
    for those who ask (`trainer.log_dir` does), but nothing of that is used, which would want TensorBoard installed.
    """

    LOGGER_JOIN_CHAR = "-"

    def __init__(
        self,
        save_dir: str | os.PathLike[str] = "",
        name: str | None = "lightning_logs",
        version: int | str | None = None,
        log_graph: bool = False,
        default_hp_metric: bool = True,
        prefix: str = "",
        sub_dir: str | os.PathLike[str] | None = None,
        **options: Any,
    ) -> None:
        # Fabric's logger calls the same folder root_dir.
        self._save_dir: str = os.fspath(options.pop("root_dir", save_dir))
        self._name: str = name or ""
        self._version = version
        self._sub_dir = None if sub_dir is None else os.fspath(sub_dir)
        self._log_graph = log_graph
        self._default_hp_metric = default_hp_metric
        self._prefix = prefix
        self._options = options
        self._writer: SummaryWriter | None = None
        self._session = Session()
        self.hparams: dict[str, Any] = {}

    # Folders

    @property
    def name(self) -> str:
        return self._name

    @property
    def version(self) -> int | str:
        if self._version is None:
            self._version = next_version(Path(self.root_dir))
        return self._version

    @property
    def save_dir(self) -> str:
        return self._save_dir

    @property
    def root_dir(self) -> str:
        return os.path.join(self._save_dir, self._name)  # noqa: PTH118  # Lightning's checkpoints compare these as text

    @property
    def sub_dir(self) -> str | None:
        return self._sub_dir

    @property
    def log_dir(self) -> str:
        version = self.version if isinstance(self.version, str) else f"version_{self.version}"
        place = os.path.join(self.root_dir, version, *([self._sub_dir] if self._sub_dir else []))  # noqa: PTH118
        return os.path.expanduser(os.path.expandvars(place))  # noqa: PTH111

    # Data

    @property
    @_on_rank_zero
    def experiment(self) -> SummaryWriter:
        """The SummaryWriter, for images, histograms and other data."""
        if self._writer is None:
            self._writer = SummaryWriter(self.log_dir, **self._options)
            close_with(self, self._writer)
        return self._writer

    @_rank_zero
    def log_metrics(self, metrics: Mapping[str, Any], step: int | None = None) -> None:
        for name, value in metrics.items():
            tag = f"{self._prefix}{self.LOGGER_JOIN_CHAR}{name}" if self._prefix else name
            if isinstance(value, Mapping):
                self.experiment.add_scalars(tag, dict(value), step)
            else:
                self.experiment.add_scalar(tag, value, step)

    @_rank_zero
    def log_hyperparams(
        self,
        params: Mapping[str, Any] | argparse.Namespace | None = None,
        metrics: Mapping[str, Any] | float | None = None,
        step: int | None = None,
    ) -> None:
        """Without metrics, hp_metric = -1 is logged, or nothing with default_hp_metric=False.

        A Trainer calls this before fitting, and again with the same before testing: only the first is written.
        """
        given = vars(params) if isinstance(params, argparse.Namespace) else dict(params or {})
        self.hparams.update(given)
        is_placeholder = metrics is None
        if metrics is None:
            metrics = {"hp_metric": -1} if self._default_hp_metric else {}
        elif not isinstance(metrics, Mapping):
            metrics = {"hp_metric": metrics}
        if metrics and (self._session.start(self.experiment, given, metrics) or not is_placeholder):
            for tag, value in metrics.items():
                self.experiment.add_scalar(tag, float(value), step)

    @_rank_zero
    def log_graph(self, model: Any, input_array: Any = None) -> None:
        if not self._log_graph:
            return
        example = getattr(model, "example_input_array", None) if input_array is None else input_array
        if example is None or isinstance(example, Mapping):
            logger.warning(
                "seamark: the graph is not logged: got %s as example input, want a tensor or a tuple; "
                "set example_input_array in the model",
                type(example).__name__,
            )
            return
        self.experiment.add_graph(*ready_for_graph(model, example))

    @_rank_zero
    def save(self) -> None:
        if self._writer is not None:
            self._writer.flush()
        target = Path(self.log_dir, HPARAMS_FILE)
        if target.parent.is_dir() and not target.exists():
            save_hparams_file(target, self.hparams)

    @_rank_zero
    def finalize(self, status: str) -> None:
        if self._writer is None:
            return
        self._session.end(self._writer, failed=status not in ("success", "finished"))
        if status == "success":
            self.save()
        # The file stays open: testing after fitting logs to it, too.
        self._writer.flush()

    def __getstate__(self) -> dict[str, Any]:
        # Pickled for other processes and checkpoints, without the open file.
        return {**self.__dict__, "_writer": None}


class ProfileCallback(lightning_module("callbacks").Callback):  # type: ignore[misc]
    """Profiles some batches at an interval: `Trainer(callbacks=[ProfileCallback(every_n_steps=1000)])`.

    Takes the arguments of `seamark.hooks.ProfilerHook`; without a target it writes to the trainer's log directory.
    """

    def __init__(self, every_n_steps: int | None = None, *, target: Any = None, **options: Any) -> None:
        self._make = functools.partial(ProfilerHook, every_n_steps, **options)
        self._target = target
        self._make(target="")  # wrong arguments raise at once
        self._hook: ProfilerHook | None = None

    def on_train_start(self, trainer: Any, pl_module: Any) -> None:
        self._hook = self._make(target=self._target or trainer.log_dir or trainer.default_root_dir)

    def on_train_batch_end(self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int) -> None:
        if self._hook is not None:
            self._hook()

    def on_train_end(self, trainer: Any, pl_module: Any) -> None:
        self._end()

    def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:
        self._end()

    def _end(self) -> None:
        hook, self._hook = self._hook, None
        if hook is not None:
            hook.end()


def next_version(folder: Path) -> int:
    """One more than the highest existing version_N."""
    found = (
        [VERSION_FOLDER.fullmatch(entry.name) for entry in folder.iterdir() if entry.is_dir()]
        if folder.is_dir()
        else []
    )
    return max((int(match[1]) + 1 for match in found if match), default=0)


def ready_for_graph(model: Any, example: Any) -> tuple[Any, Any]:
    """Unwraps the model, and moves the example to its device, with the hooks of a LightningModule if it is one."""
    bare = getattr(model, "_forward_module", model)
    for hook in ("_on_before_batch_transfer", "_apply_batch_transfer_handler"):
        if callable(getattr(bare, hook, None)):
            example = getattr(bare, hook)(example)
    return bare, example


def save_hparams_file(target: Path, hparams: dict[str, Any]) -> None:
    """Writes the file that `LightningModule.load_from_checkpoint(hparams_file=…)` reads. Fabric has none."""
    for package in ("lightning.pytorch", "pytorch_lightning"):
        if package in sys.modules:
            importlib.import_module(f"{package}.core.saving").save_hparams_to_yaml(str(target), hparams)
            return


def autolog(log_dir: str) -> Callable[[], None]:
    """Gives a SeamarkLogger to every new Trainer without a logger. Returns a function that undoes it."""
    trainer = lightning_module("trainer.trainer").Trainer
    return wrapped(trainer, "__init__", functools.partial(with_logger, log_dir))


def with_logger(log_dir: str, make: Callable[..., None], trainer: Any, *args: Any, **options: Any) -> None:
    # None and True mean Lightning's default logger, False means none.
    if options.get("logger") in (None, True):
        options["logger"] = SeamarkLogger(log_dir)
    make(trainer, *args, **options)
