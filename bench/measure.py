"""The order of the measurements, and their targets."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.layouts import Layout, event_file
from bench.report import Figure
from bench.scenarios import Bench, Start
from bench.viewers import Seamark, TensorBoard, script

# How many times as fast as TensorBoard a cold start must be.
COLD_START_TIMES = {"L1": 7.0, "L2": 7.0, "L3": 1.0, "L4": 1.0}
SECOND_START_SECS = 0.5
APPENDED_SECS = 0.2
WINDOW_SECS = 0.005
ONE_TAG_SECS = 0.030
SCAN_BYTES_PER_SEC = 1e9


@dataclass
class Measurement:
    """Measures prepared log directories, and passes each figure to the callback of `run`."""

    bench: Bench
    logdirs: dict[str, tuple[Layout, Path]]
    repeat: int
    appends: int

    def __post_init__(self) -> None:
        self.ours, self.peer = Seamark(), TensorBoard()
        self.warm_index: dict[str, Path] = {}

    def run(self, add: Callable[[Figure], None]) -> None:
        self.add = add
        peer_secs = {name: self.cold_start(name) for name in COLD_START_TIMES}
        self.second_starts(peer_secs)
        self.appended_point("L2")
        self.query("one series of one run, HTTP (L1)", "L1", "series")
        self.query(f"one tag of {self.logdirs['L2'][0].runs:,} runs, HTTP (L2)", "L2", "tag")
        self.inside()

    def cold_start(self, name: str) -> float:
        layout, logdir = self.logdirs[name]
        peer, ours = [], []
        for _ in range(self.repeat):
            peer.append(self.bench.start(self.peer, layout, logdir, self.bench.scratch))
            # Deleted at the end of the bench: for a minute ext4 does not use the inodes of deleted files again, and the
            # next start would search for others.
            ours.append(self.bench.start(self.ours, layout, logdir, self.bench.fresh_dir("index-")))
        peer_secs, our_secs = _least_secs(peer), _least_secs(ours)
        times = COLD_START_TIMES[name]
        target = f"≥ {times:g}x faster" if times > 1 else "not slower"
        self.add(Figure(f"cold start, {name}", "s", our_secs, peer_secs, target, our_secs * times <= peer_secs))
        peer_bytes, our_bytes = _least_bytes(peer), _least_bytes(ours)
        wanted = ("less than the peer", our_bytes < peer_bytes) if name == "L2" else ("", None)
        self.add(Figure(f"peak memory, {name}", "bytes", our_bytes, peer_bytes, *wanted))
        return peer_secs

    def second_starts(self, peer_secs: dict[str, float]) -> None:
        empty_peer = _least_secs([self.bench.start_empty(self.peer) for _ in range(self.repeat)])
        empty = _least_secs([self.bench.start_empty(self.ours) for _ in range(self.repeat)])
        self.add(Figure("start on an empty log directory", "s", empty, empty_peer))
        for name in peer_secs:
            layout, logdir = self.logdirs[name]
            index_dir = self.index_ahead(name)
            starts = [self.bench.start(self.ours, layout, logdir, index_dir) for _ in range(self.repeat)]
            secs = _least_secs(starts)
            target = f"≤ empty + {SECOND_START_SECS} s"
            self.add(
                Figure(f"second start, {name}", "s", secs, peer_secs[name], target, secs <= empty + SECOND_START_SECS)
            )

    def index_ahead(self, name: str) -> Path:
        """A complete index of the log directory, built with the command for users."""
        if name not in self.warm_index:
            index_dir = self.warm_index[name] = self.bench.fresh_dir("index-")
            logdir = self.logdirs[name][1]
            command = [script("seamark"), "index", f"--logdir={logdir}", f"--index_dir={index_dir}"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return self.warm_index[name]

    def appended_point(self, name: str) -> None:
        """The median rather than the minimum, which would depend on TensorBoard's reload timer."""
        layout, logdir = self.logdirs[name]
        peer = statistics.median(self.bench.append_delays(self.peer, layout, logdir, count=self.appends))
        ours = statistics.median(self.bench.append_delays(self.ours, layout, logdir, count=self.appends))
        what = f"appended point answerable, {name} (median of {self.appends})"
        self.add(Figure(what, "s", ours, peer, f"≤ {APPENDED_SECS} s", ours <= APPENDED_SECS))

    def query(self, what: str, name: str, kind: str) -> None:
        layout, logdir = self.logdirs[name]
        peer = self.bench.query_secs(self.peer, layout, logdir, self.bench.scratch, kind)
        ours = self.bench.query_secs(self.ours, layout, logdir, self.index_ahead(name), kind)
        self.add(Figure(what, "s", ours, peer))

    def inside(self) -> None:
        self.inside_figure("window", "L1", "one series at 2,000 px, in process (L1)", WINDOW_SECS)
        runs = self.logdirs["L2"][0].runs
        what = f"one tag of {runs:,} runs, in process, the three columns the page asks for (L2)"
        self.inside_figure("one_tag", "L2", what, ONE_TAG_SECS)
        layout, logdir = self.logdirs["L1"]
        speed = _inside("scan", event_file(logdir / layout.run_names[0]), "")
        target = f"≥ {SCAN_BYTES_PER_SEC / 1e9:g} GB/s"
        what = "scan through the binding, one thread, checksums on (L1)"
        self.add(Figure(what, "bytes/s", speed, None, target, speed >= SCAN_BYTES_PER_SEC))

    def inside_figure(self, what: str, name: str, title: str, target_secs: float) -> None:
        layout, logdir = self.logdirs[name]
        secs = _inside(what, logdir, layout.tag_names[0])
        self.add(Figure(title, "s", secs, None, f"≤ {target_secs * 1e3:g} ms", secs <= target_secs))


def _inside(what: str, path: Path, tag: str) -> float:
    command = [sys.executable, "-m", "bench.inside", what, str(path), f"--tag={tag}"]
    figure: float = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return figure


def _least_secs(starts: list[Start]) -> float:
    return min(start.secs for start in starts)


def _least_bytes(starts: list[Start]) -> float:
    return float(min(start.peak_bytes for start in starts))
