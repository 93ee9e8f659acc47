"""Compares `seamark.open().scalars()` with TensorBoard's EventAccumulator and tbparse on the sweep."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.layouts import Layout
from bench.report import Figure

WANTED_TIMES = 30.0
# These take minutes on the sweep, so they run once.
PEER_REPEAT = 1


@dataclass
class Readback:
    layout: Layout
    logdir: Path
    index_dir: Path
    repeat: int
    add: Callable[[Figure], None]

    def run(self) -> None:
        cold = least_secs(self.repeat, "seamark", self.logdir)
        warm = least_secs(self.repeat, "seamark", self.logdir, self.index_dir)
        tag = least_secs(self.repeat, "seamark_tag", self.logdir, self.index_dir)
        points = f"{self.layout.runs * self.layout.tags * self.layout.steps:,} points of {self.layout.runs:,} runs"
        peer = least_secs(PEER_REPEAT, "event_accumulator", self.logdir)
        wanted = f"≥ {WANTED_TIMES:g}x faster"
        self.add(Figure(f"{points}, beside EventAccumulator", "s", cold, peer, wanted, cold * WANTED_TIMES <= peer))
        self.add(Figure("the same with an index", "s", warm, peer, wanted, warm * WANTED_TIMES <= peer))
        self.add(Figure("one tag of all runs, with an index", "s", tag, peer))
        if importlib.util.find_spec("tbparse") is not None:
            parsed = least_secs(PEER_REPEAT, "tbparse", self.logdir)
            title = f"{points}, beside tbparse (its time in place of TensorBoard's)"
            self.add(Figure(title, "s", cold, parsed, wanted, cold * WANTED_TIMES <= parsed))


def least_secs(repeat: int, reader: str, logdir: Path, index_dir: Path | None = None) -> float:
    command = [sys.executable, "-m", "bench.reading", reader, str(logdir)]
    command += [f"--index_dir={index_dir}"] if index_dir is not None else []
    results = [json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout) for _ in range(repeat)]
    if not results[0]["rows"]:
        raise RuntimeError(f"{reader} found no points in '{logdir}'")
    return min(float(answer["secs"]) for answer in results)
