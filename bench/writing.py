"""Logs in a separate process, with the interpreter that has the library, and prints the cost as JSON.

Knows nothing of Seamark's test code, so that it runs in a peer's environment too.

    python bench/writing.py seamark scalars FOLDER --count=100000
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

HISTOGRAM_ELEMENTS = 1_000_000
SCALARS_PER_STEP = 10
BLOCK_STEPS = 20


class SummaryWriterLike:
    """torch's, tensorboardX's and ours."""

    def __init__(self, module: str, folder: str) -> None:
        from importlib import import_module

        self._writer = import_module(module).SummaryWriter(folder)
        self.scalar: Callable[[str, float, int], object] = self._writer.add_scalar
        self.histogram: Callable[[str, Any, int], object] = self._writer.add_histogram
        self.image: Callable[[str, Any, int], object] = self._writer.add_image

    def close(self) -> None:
        self._writer.close()


class Wandb:
    def __init__(self, folder: str) -> None:
        os.environ.update(WANDB_MODE="offline", WANDB_SILENT="true", WANDB_DIR=folder)
        import wandb

        self._wandb = wandb
        self._run = wandb.init(project="bench", dir=folder)

    def scalar(self, tag: str, value: float, step: int) -> None:
        self._run.log({tag: value}, step=step)

    def histogram(self, tag: str, values: Any, step: int) -> None:
        self._run.log({tag: self._wandb.Histogram(values)}, step=step)

    def image(self, tag: str, pixels: Any, step: int) -> None:
        self._run.log({tag: self._wandb.Image(pixels.transpose(1, 2, 0))}, step=step)

    def close(self) -> None:
        self._run.finish()


class Aim:
    def __init__(self, folder: str) -> None:
        import aim

        self._aim = aim
        self._run = aim.Run(repo=folder, system_tracking_interval=None, capture_terminal_logs=False)

    def scalar(self, tag: str, value: float, step: int) -> None:
        self._run.track(value, name=tag, step=step)

    def histogram(self, tag: str, values: Any, step: int) -> None:
        self._run.track(self._aim.Distribution(values), name=tag, step=step)

    def image(self, tag: str, pixels: Any, step: int) -> None:
        from PIL import Image

        picture = Image.fromarray((pixels.transpose(1, 2, 0) * 255).astype("uint8"))
        self._run.track(self._aim.Image(picture), name=tag, step=step)

    def close(self) -> None:
        self._run.close()


class Trackio:
    def __init__(self, folder: str) -> None:
        os.environ.update(TRACKIO_DIR=folder, HF_HUB_OFFLINE="1")
        import trackio

        self._trackio = trackio
        trackio.init(project="bench")

    def scalar(self, tag: str, value: float, step: int) -> None:
        self._trackio.log({tag: value}, step=step)

    def image(self, tag: str, pixels: Any, step: int) -> None:
        picture = self._trackio.Image((pixels.transpose(1, 2, 0) * 255).astype("uint8"))
        self._trackio.log({tag: picture}, step=step)

    def close(self) -> None:
        self._trackio.finish()


OPEN: dict[str, Callable[[str], Any]] = {
    "seamark": lambda folder: SummaryWriterLike("seamark", folder),
    "torch": lambda folder: SummaryWriterLike("torch.utils.tensorboard", folder),
    "tensorboardX": lambda folder: SummaryWriterLike("tensorboardX", folder),
    "wandb": Wandb,
    "aim": Aim,
    "trackio": Trackio,
}


def per_call(log: Callable[[int], object], count: int) -> float:
    log(0)  # imports and new files are not part of the cost of a call
    start = time.perf_counter()
    for step in range(1, count + 1):
        log(step)
    return (time.perf_counter() - start) / count


def scalars(writer: Any, count: int) -> float:
    scalar = writer.scalar
    return per_call(lambda step: scalar("train/loss", 0.5, step), count)


def histograms(writer: Any, count: int) -> float:
    import numpy as np

    values = np.random.default_rng(0).normal(size=HISTOGRAM_ELEMENTS).astype(np.float32)
    return per_call(lambda step: writer.histogram("weights", values, step), count)


def images(writer: Any, count: int) -> float:
    import numpy as np

    pixels = np.random.default_rng(0).random((3, 256, 256)).astype(np.float32)
    return per_call(lambda step: writer.image("picture", pixels, step), count)


def training(writer: Any, count: int) -> float:
    """The time that ten scalars add to a step: the difference between the medians of alternating blocks."""
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = torch.nn.Sequential(torch.nn.Linear(256, 1024), torch.nn.ReLU(), torch.nn.Linear(1024, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    data, labels = torch.randn(256, 256), torch.randint(10, (256,))
    secs: dict[bool, list[float]] = {False: [], True: []}
    tags = [f"metric{number}" for number in range(SCALARS_PER_STEP)]
    for step in range(count):
        is_logging = step // BLOCK_STEPS % 2 == 1
        start = time.perf_counter()
        loss = torch.nn.functional.cross_entropy(model(data), labels)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        value = loss.item()
        if is_logging:
            for tag in tags:
                writer.scalar(tag, value, step)
        secs[is_logging].append(time.perf_counter() - start)
    plain = statistics.median(secs[False])
    print(f"a step takes {plain * 1e3:.1f} ms", file=sys.stderr)
    return statistics.median(secs[True]) / plain - 1


WHAT = {"scalars": scalars, "histograms": histograms, "images": images, "training": training}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", choices=OPEN)
    parser.add_argument("what", choices=WHAT)
    parser.add_argument("folder")
    parser.add_argument("--count", type=int, required=True)
    args = parser.parse_args()
    writer = OPEN[args.library](args.folder)
    figure = WHAT[args.what](writer, args.count)
    writer.close()
    print(json.dumps(figure))
    return 0


if __name__ == "__main__":
    sys.exit(main())
