"""JAX and Flax through CLU: SeamarkWriter is a MetricWriter, for loops that take one and for MultiWriter."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from clu.metric_writers.interface import MetricWriter

from seamark import summary
from seamark.integrations.sessions import add_hparams
from seamark.write.summary_writer import SummaryWriter


class SeamarkWriter(MetricWriter):
    """Writes what CLU's own SummaryWriter writes, without TensorFlow, and videos too."""

    def __init__(self, logdir: str | os.PathLike[str]) -> None:
        super().__init__()
        self._writer = summary.create_file_writer(os.fspath(logdir))
        self._logdir = os.fspath(logdir)

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
        """[N, T, H, W, C] or [T, H, W, C]; CLU's own writer leaves them out."""
        with SummaryWriter(self._logdir) as writer:
            for tag, value in videos.items():
                batch = np.asarray(value[None] if value.ndim == 4 else value)
                writer.add_video(tag, np.moveaxis(batch, -1, 2), step)

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
        with SummaryWriter(self._logdir) as writer:
            add_hparams(writer, dotted(hparams), {})

    def flush(self) -> None:
        self._writer.flush()

    def close(self) -> None:
        self._writer.close()


def dotted(hparams: Any, prefix: str = "") -> dict[str, Any]:
    """Groups and lists flattened by '.', None as empty text, as CLU's own writer has it. A ConfigDict is no Mapping."""
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
