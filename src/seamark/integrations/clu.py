"""JAX and Flax through CLU: SeamarkWriter is a MetricWriter, alone or in a MultiWriter."""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from seamark import summary
from seamark.write.run.config.session import Session
from seamark.write.writer.summary_writer import SummaryWriter

INTERFACE = "clu.metric_writers.interface"


def interface() -> Any:
    """Loads CLU's module with the writer's interface without its package, which needs TensorFlow."""
    try:
        return importlib.import_module(INTERFACE)
    except ImportError:
        package = importlib.util.find_spec("clu.metric_writers")
        locations = package.submodule_search_locations if package is not None else None
        spec = importlib.machinery.PathFinder.find_spec(INTERFACE, locations)
        if spec is None or spec.loader is None:
            raise
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module


_MetricWriter: Any = interface().MetricWriter


class SeamarkWriter(_MetricWriter):
    """Writes the same data as CLU's SummaryWriter, without TensorFlow, and also videos."""

    def __init__(self, logdir: str | os.PathLike[str]) -> None:
        super().__init__()
        # Two interfaces to one event file.
        self._summary_writer = SummaryWriter(os.fspath(logdir))
        self._writer = summary.FileWriter(self._summary_writer.sink, os.fspath(logdir))
        self._session = Session()

    def write_summaries(self, step: int, values: Mapping[str, Any], metadata: Mapping[str, Any] | None = None) -> None:
        with self._writer.as_default():
            for tag, value in values.items():
                summary.write(tag, np.asarray(value), step=step, metadata=(metadata or {}).get(tag))

    def write_scalars(self, step: int, scalars: Mapping[str, Any]) -> None:
        with self._writer.as_default():
            for tag, value in scalars.items():
                summary.scalar(tag, value, step=step)

    def write_images(self, step: int, images: Mapping[str, Any]) -> None:
        with self._writer.as_default():
            for tag, value in images.items():
                batch = value[None] if value.ndim == 3 else value
                summary.image(tag, batch, step=step, max_outputs=len(batch))

    def write_videos(self, step: int, videos: Mapping[str, Any]) -> None:
        """Videos are [N, T, H, W, C] or [T, H, W, C]; CLU's own writer ignores them."""
        for tag, value in videos.items():
            batch = np.asarray(value[None] if value.ndim == 4 else value)
            self._summary_writer.add_video(tag, np.moveaxis(batch, -1, 2), step)

    def write_audios(self, step: int, audios: Mapping[str, Any], *, sample_rate: int) -> None:
        with self._writer.as_default():
            for tag, value in audios.items():
                summary.audio(tag, value, sample_rate, step=step, max_outputs=len(value))

    def write_texts(self, step: int, texts: Mapping[str, str]) -> None:
        with self._writer.as_default():
            for tag, value in texts.items():
                summary.text(tag, value, step=step)

    def write_histograms(
        self, step: int, arrays: Mapping[str, Any], num_buckets: Mapping[str, int | None] | None = None
    ) -> None:
        with self._writer.as_default():
            for tag, value in arrays.items():
                summary.histogram(tag, value, step=step, buckets=(num_buckets or {}).get(tag))

    def write_hparams(self, hparams: Mapping[str, Any]) -> None:
        self._session.start(self._summary_writer, dotted(hparams))

    def flush(self) -> None:
        self._writer.flush()

    def close(self) -> None:
        self._session.end(self._summary_writer)
        self._summary_writer.close()


def dotted(hparams: Any, prefix: str = "") -> dict[str, Any]:
    """Joins names with '.' and writes None as empty text, as CLU's writer does. A ConfigDict is not a Mapping."""
    flat: dict[str, Any] = {}
    for name, value in hparams.items():
        below = (
            dict(enumerate(value)) if isinstance(value, list | tuple) else value if hasattr(value, "items") else None
        )
        if below is not None:
            flat.update(dotted(below, f"{prefix}{name}."))
        else:
            flat[f"{prefix}{name}"] = "" if value is None else value
    return flat
