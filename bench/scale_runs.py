"""Generated runs for the scale part: noisy curves of float32 values, and a time for each tag of a step."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from seamark.format.types import RunName, Tag
from seamark.store import RunInfo, SeriesInfo
from seamark.store.ask.stored_run import StoredScalars

TAGS = 50
STEPS = 1000
RUN_POINTS = TAGS * STEPS
START_WALL = 1_760_000_000.0
TAG_NAMES = [Tag(f"group{number // 10}/metric{number}") for number in range(TAGS)]


def run_name(number: int) -> RunName:
    return RunName(f"sweep/run{number:06}")


class GeneratedRun:
    """A run as the embedded store hands it to the ingester; times as torch's writer logs them, microseconds apart."""

    files: tuple[()] = ()
    payload_keys: tuple[()] = ()
    scalar_tags = TAG_NAMES

    def __init__(self, number: int) -> None:
        random = np.random.default_rng(number)
        self._steps = np.arange(STEPS) * 10
        self._walls = START_WALL + number * 60 + np.cumsum(random.uniform(0.4, 0.6, STEPS))
        self._delays = np.cumsum(random.uniform(5e-6, 3e-5, (TAGS, STEPS)), axis=0)
        curve = np.exp(-self._steps / 4000) * random.uniform(0.5, 2, (TAGS, 1))
        self._values = (curve + random.normal(0, 0.02, (TAGS, STEPS))).astype(np.float32).astype(np.float64)
        name = run_name(number)
        points = TAGS * STEPS
        self.info = RunInfo(
            name=name,
            path=Path("/generated") / name,
            shown_path=f"/generated/{name}",
            first_wall=float(self._walls[0]),
            last_wall=float(self._walls[-1]),
            files=0,
            bytes=0,
            series=TAGS,
            points=points,
            payloads=0,
        )

    def tensorboard_ranges(self) -> list[tuple[()]]:
        """TensorBoard's routes are not measured."""
        return []

    def metadata(self, kind: str, tag: Tag) -> bytes:
        return b""

    def infos(self) -> list[SeriesInfo]:
        lows, highs = self._values.min(1).tolist(), self._values.max(1).tolist()
        walls = float(self._walls[0]), float(self._walls[-1])
        return [
            SeriesInfo(
                self.info.name, tag, "scalars", "scalars", "", "", b"", STEPS, 1, 0, int(self._steps[-1]), *walls,
                float(self._values[at, -1]), lows[at], highs[at],
            )
            for at, tag in enumerate(TAG_NAMES)
        ]  # fmt: skip

    def digests(self, *, tail: int) -> dict[str, Any]:
        values = self._values
        return {
            "count": np.full(TAGS, STEPS), "first": values[:, 0], "last": values[:, -1], "min": values.min(1),
            "max": values.max(1), "mean": values.mean(1), "tail": values[:, -tail:].mean(1),
            "min_step": self._steps[values.argmin(1)].astype(float),
            "max_step": self._steps[values.argmax(1)].astype(float), "last_step": np.full(TAGS, float(self._steps[-1])),
        }  # fmt: skip

    def scalars(self, tag: Tag) -> StoredScalars:
        at = TAG_NAMES.index(tag)
        zeros = np.zeros(STEPS, np.uint32), np.zeros(STEPS, np.uint8)
        return StoredScalars(self._steps, self._walls + self._delays[at], self._values[at], *zeros)


class GeneratedRuns:
    """In place of the embedded store. `cpu_secs` is the time that it took to make the numbers."""

    def __init__(self) -> None:
        self.cpu_secs = 0.0

    def stored_run(self, name: RunName) -> GeneratedRun:
        started = time.thread_time()
        made = GeneratedRun(int(name[-6:]))
        self.cpu_secs += time.thread_time() - started
        return made
