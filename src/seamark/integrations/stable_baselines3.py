"""Stable-Baselines3: `model.set_logger(logger("runs/PPO_1"))`, or SeamarkOutputFormat in a logger of your own."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from stable_baselines3.common import utils
from stable_baselines3.common.logger import Figure, HParam, Image, KVWriter, Logger, Video, configure

from seamark.integrations.patch import wrapped
from seamark.integrations.target import Destination, Target, fresh_run
from seamark.write.run.config.session import Session


class SeamarkOutputFormat(KVWriter):
    """Writes the same data as SB3's TensorBoardOutputFormat. Keys that exclude 'tensorboard' are excluded here, too."""

    def __init__(self, folder: Target = None, **options: Any) -> None:
        self._destination = Destination(folder, **options)
        self._session = Session()

    def write(self, key_values: Mapping[str, Any], key_excluded: Mapping[str, tuple[str, ...]], step: int = 0) -> None:
        for tag, value in sorted(key_values.items()):
            excluded = key_excluded.get(tag) or ()
            if "tensorboard" not in excluded and "seamark" not in excluded:
                self._write(tag, value, step)
        self._destination.writer.flush()

    def _write(self, tag: str, value: Any, step: int) -> None:
        writer = self._destination.writer
        if isinstance(value, str):
            writer.add_text(tag, value, step)
        elif isinstance(value, np.ScalarType):
            writer.add_scalar(tag, value, step)
        elif isinstance(value, Video):
            writer.add_video(tag, value.frames, step, value.fps)
        elif isinstance(value, Figure):
            writer.add_figure(tag, value.figure, step, close=value.close)
        elif isinstance(value, Image):
            writer.add_image(tag, value.image, step, dataformats=value.dataformats)
        elif isinstance(value, HParam):
            # Without metric values, as in SB3: they are recorded under the same tags.
            self._session.start(writer, value.hparam_dict, value.metric_dict)
        elif hasattr(value, "shape"):
            writer.add_histogram(tag, value, step)

    def close(self) -> None:
        if self._session.is_started:
            self._session.end(self._destination.writer)
        self._destination.close()


def logger(folder: str | os.PathLike[str], format_strings: list[str] | None = None) -> Logger:
    """Creates a logger for `model.set_logger` that writes to `folder`; `format_strings` add SB3's formats."""
    made = configure(os.fspath(folder), format_strings or [""])
    made.output_formats.append(SeamarkOutputFormat(folder))
    return made


def autolog(log_dir: str) -> Callable[[], None]:
    """Logs every learn() of a model without a logger, in addition to tensorboard_log."""
    return wrapped(utils, "configure_logger", functools.partial(with_format, log_dir))


def with_format(log_dir: str, configure_logger: Callable[..., Logger], *args: Any, **options: Any) -> Logger:
    made = configure_logger(*args, **options)
    name = args[2] if len(args) > 2 else options.get("tb_log_name") or "sb3"
    made.output_formats.append(SeamarkOutputFormat(fresh_run(Path(log_dir), name)))
    return made
