"""Advice for an input pipeline: sentences, each with the numbers that it rests on."""

from __future__ import annotations

import math
from typing import NamedTuple

from seamark.profiles.analyses.input_pipeline.waits import Waits
from seamark.profiles.results import InputStage

# As in TensorFlow's input pipeline analyzer.
INPUT_BOUND_SHARE = 0.05
SEQUENTIAL = {
    "Map": "map(…, num_parallel_calls=tf.data.AUTOTUNE)",
    "Batch": "batch(…, num_parallel_calls=tf.data.AUTOTUNE)",
    "BatchV2": "batch(…, num_parallel_calls=tf.data.AUTOTUNE)",
    "Interleave": "interleave(…, num_parallel_calls=tf.data.AUTOTUNE)",
}
READERS = ("TFRecord", "TFRecordV2", "TextLine", "FixedLengthRecord", "FlatMap")


class InputShare(NamedTuple):
    """Of an average step."""

    step_ns: int
    wait_ns: int

    @property
    def share(self) -> float:
        return self.wait_ns / self.step_ns if self.step_ns else 0.0


def advise(waits: Waits, stages: list[InputStage], mean: InputShare) -> list[str]:
    """Empty unless steps wait for their input."""
    if mean.share < INPUT_BOUND_SHARE:
        return []
    if waits.loader == "DataLoader":
        return [f"{_waited(mean)} {_about_data_loader(waits, mean)}"]
    return advise_tf_data(stages, mean) if waits.loader == "tf.data" else [_waited(mean)]


def advise_tf_data(stages: list[InputStage], mean: InputShare) -> list[str]:
    """Empty unless steps wait for their input."""
    if mean.share < INPUT_BOUND_SHARE:
        return []
    return [f"{_waited(mean)} {sentence}" for sentence in stage_advice(stages)] or [_waited(mean)]


def _waited(mean: InputShare) -> str:
    return f"Steps wait {mean.wait_ns / 1e6:.1f} ms of {mean.step_ns / 1e6:.1f} ms ({mean.share:.0%}) for input."


def _about_data_loader(waits: Waits, mean: InputShare) -> str:
    rest = max(mean.step_ns - mean.wait_ns, 1)
    workers = math.ceil(mean.wait_ns / rest) + 1
    if waits.is_single_process:
        return (
            f"The DataLoader loads in the training process (num_workers=0): with num_workers={workers} "
            "batches are loaded while the model computes."
        )
    return (
        f"The workers deliver a batch every {mean.step_ns / 1e6:.1f} ms, the rest of a step takes {rest / 1e6:.1f} ms: "
        f"raise num_workers to at least {mean.step_ns / rest:.1f} times as many, or make a sample cheaper to load."
    )


def stage_advice(stages: list[InputStage]) -> list[str]:
    """What to change in a pipeline of tf.data; empty if no stage is the bottleneck."""
    bottleneck = next((stage for stage in stages if stage.is_bottleneck), None)
    if bottleneck is None:
        return []
    kind = bottleneck.name.partition("[")[0]
    found = []
    if kind in SEQUENTIAL:
        found.append(f"{bottleneck.name} is the bottleneck and runs one element at a time: use {SEQUENTIAL[kind]}.")
    elif kind in READERS:
        found.append(
            f"{bottleneck.name} is the bottleneck: read several files at a time with {SEQUENTIAL['Interleave']}."
        )
    else:
        found.append(f"{bottleneck.name} is the bottleneck, with the largest time of its own.")
    if not any(stage.name.partition("[")[0] in ("Prefetch", "MapAndBatch") for stage in stages):
        found.append("No stage prefetches: end the pipeline with prefetch(tf.data.AUTOTUNE).")
    return found
