"""Generates events of every kind except scalars from a seed, as a vision or speech training writes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO

import numpy as np

from bench import scalars
from seamark.format.messages import Summary
from seamark.kinds import audio, histogram, hparams, image, pr_curve, text
from seamark.kinds.summary import event_record

HISTOGRAM_TAGS = 40
HISTOGRAM_VALUES = 500
IMAGE_TAGS = 3
IMAGE_PIXELS = 144
AUDIO_TAGS = 1
AUDIO_HZ = 16_000
PR_CURVE_TAGS = 4
TEXT_TAGS = 4


def write(file: BinaryIO, seed: Sequence[int], run_number: int, *, steps: int) -> None:
    """About 250 kB per step, mostly images and audio of noise, which does not compress."""
    rng = np.random.default_rng([*seed, 1])
    start_secs = scalars.start_secs(run_number)
    session = hparams.SessionStart(hparams={"learning_rate": 0.1 / (run_number + 1), "optimizer": "adam"})
    file.write(event_record(hparams.encode(session), step=0, wall_time=start_secs))
    for step in range(steps):
        values = list(_values(rng, step))
        file.write(event_record(values, step=step, wall_time=start_secs + scalars.STEP_SECS * step))
    end = hparams.SessionEnd(hparams.Status.SUCCESS, end_time_secs=start_secs + steps)
    file.write(event_record(hparams.encode(end), step=steps, wall_time=start_secs + steps))


def _values(rng: np.random.Generator, step: int) -> Iterator[Summary.Value]:
    for number in range(HISTOGRAM_TAGS):
        yield histogram.encode(f"weights/layer_{number}", rng.standard_normal(HISTOGRAM_VALUES))
    for number in range(IMAGE_TAGS):
        pixels = rng.integers(0, 256, (IMAGE_PIXELS, IMAGE_PIXELS, 3), dtype=np.uint8)
        yield image.encode(f"samples/image_{number}", pixels)
    for number in range(AUDIO_TAGS):
        yield audio.encode(f"samples/audio_{number}", rng.uniform(-1, 1, AUDIO_HZ), sample_rate_hz=AUDIO_HZ)
    for number in range(PR_CURVE_TAGS):
        labels = rng.random(200) < 0.5
        yield pr_curve.encode(f"pr/class_{number}", labels, rng.random(200))
    for number in range(TEXT_TAGS):
        words = " ".join(f"word{word}" for word in rng.integers(0, 1000, 60))
        yield text.encode(f"notes/text_{number}", f"**step {step}**: {words}")
