"""Hugging Face Accelerate: `Accelerator(log_with=SeamarkTracker("run", "runs"))`, as its TensorBoardTracker logs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from accelerate import Accelerator
from accelerate.tracking import GeneralTracker, on_main_process

from seamark.integrations.patch import wrapped
from seamark.write.writer.summary_writer import SummaryWriter


class SeamarkTracker(GeneralTracker):
    """Logs into logging_dir/run_name; `options` go to SummaryWriter."""

    name = "seamark"
    requires_logging_directory = True
    main_process_only = True

    def __init__(self, run_name: str, logging_dir: str | os.PathLike[str] = "runs", **options: Any) -> None:
        super().__init__()
        self.run_name = run_name
        self.logging_dir = Path(logging_dir, run_name)
        self._options = options
        self._writer: SummaryWriter | None = None

    # Called once the rank is known. Older releases do not call it, so first use opens the writer, too.
    @on_main_process
    def start(self) -> None:
        _ = self.tracker

    @property
    def tracker(self) -> SummaryWriter:
        if self._writer is None:
            self._writer = SummaryWriter(str(self.logging_dir), **self._options)
        return self._writer

    @on_main_process
    def store_init_configuration(self, values: dict[str, Any]) -> None:
        self.tracker.add_hparams(values, metric_dict={})
        self.tracker.flush()

    @on_main_process
    def log(self, values: Mapping[str, Any], step: int | None = None, **kwargs: Any) -> None:
        for tag, value in values.items():
            if isinstance(value, str):
                self.tracker.add_text(tag, value, global_step=step, **kwargs)
            elif isinstance(value, Mapping):
                self.tracker.add_scalars(tag, dict(value), global_step=step, **kwargs)
            elif is_number(value):
                self.tracker.add_scalar(tag, value, global_step=step, **kwargs)
        self.tracker.flush()

    @on_main_process
    def log_images(self, values: Mapping[str, Any], step: int | None = None, **kwargs: Any) -> None:
        for tag, images in values.items():
            self.tracker.add_images(tag, images, global_step=step, **kwargs)

    @on_main_process
    def finish(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def is_number(value: Any) -> bool:
    """True for Python's numbers and for arrays and tensors of one element, which Accelerate's tracker accepts, too."""
    return isinstance(value, int | float) or getattr(value, "ndim", None) == 0


def autolog(log_dir: str) -> Callable[[], None]:
    """Makes init_trackers(project) add a SeamarkTracker for that project, unless there is one."""

    def with_tracker(
        init: Callable[..., None], accelerator: Any, project_name: str, *args: Any, **options: Any
    ) -> None:
        init(accelerator, project_name, *args, **options)
        if any(isinstance(tracker, SeamarkTracker) for tracker in accelerator.trackers):
            return
        tracker = SeamarkTracker(project_name, log_dir)
        tracker.start()
        config = args[0] if args else options.get("config")
        if config is not None:
            tracker.store_init_configuration(config)
        accelerator.trackers.append(tracker)

    return wrapped(Accelerator, "init_trackers", with_tracker)
