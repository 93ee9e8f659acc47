"""Measures log directories in a bucket: a real S3 server on this machine, beside the same runs on the disk."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import obstore

from bench.layouts import Layout
from bench.report import Figure
from bench.scenarios import Bench, Start, wait_answerable
from bench.viewers import Seamark, TensorBoard, Viewer, script
from tools.fault_proxy import fault_proxy
from tools.s3_server import BUCKET, S3Server, missing_s3_server, s3_server

# TensorBoard takes about a second for each run in a bucket, so it gets few of them.
ALL, FEW = "all", "few"
UPLOAD_THREADS = 8
COUNTED_SECS = 30.0
SECOND_START_SECS = 3.0
# What a writer may take longer with a bucket that is away.
WRITER_SHARE = 1.2
WRITER = """
import sys, time
from seamark import SummaryWriter
writer = SummaryWriter(sys.argv[1])
for step in range(1000):
    writer.add_scalar("loss", 0.5, step)
started = time.perf_counter()
for step in range(int(sys.argv[2])):
    writer.add_scalar("loss", 0.5, step)
print(time.perf_counter() - started, flush=True)
import os
os._exit(0)
"""


class BucketTensorBoard(TensorBoard):
    """TensorBoard reads a bucket through boto3, without its data server, which cannot."""

    def command(self, logdir: Path, port: int, index_dir: Path) -> list[str]:
        where = f"--logdir=s3://{BUCKET}/{FEW}"
        return [script("tensorboard"), "--load_fast=false", where, "--host=127.0.0.1", f"--port={port}"]


class BucketSeamark(Seamark):
    def __init__(self, prefix: str = ALL) -> None:
        self._address = f"s3://{BUCKET}/{prefix}"

    def command(self, logdir: Path, port: int, index_dir: Path) -> list[str]:
        command = super().command(logdir, port, index_dir)
        return [f"--logdir={self._address}" if word.startswith("--logdir=") else word for word in command]


@dataclass(frozen=True)
class Sizes:
    peer_runs: int
    calls: int


FULL = Sizes(peer_runs=50, calls=300_000)
QUICK = Sizes(peer_runs=5, calls=10_000)


class Buckets:
    def __init__(
        self, bench: Bench, layout: Layout, logdir: Path, sizes: Sizes, repeat: int, add: Callable[[Figure], None]
    ) -> None:
        self._bench, self._layout, self._logdir = bench, layout, logdir
        self._few = replace(layout, runs=sizes.peer_runs)
        self._calls, self._repeat, self._add = sizes.calls, repeat, add

    def run(self) -> None:
        if missing_s3_server():
            raise SystemExit(missing_s3_server())
        with s3_server(self._bench.fresh_dir("s3-")) as server:
            upload(server, self._logdir, ALL, self._layout.run_names)
            upload(server, self._logdir, FEW, self._few.run_names)
            with variables(self._environment(server)):
                self._starts()
                self._requests(server)
                self._writers()

    def _environment(self, server: S3Server) -> dict[str, str]:
        cache = self._bench.fresh_dir("cache-")
        # S3_ENDPOINT is TensorBoard's.
        own = {"S3_ENDPOINT": server.endpoint, "XDG_CACHE_HOME": str(cache), "XDG_DATA_HOME": str(cache)}
        return {**server.environment, **own}

    def _starts(self) -> None:
        few, all_runs = f"{self._few.runs:,} runs", f"{self._layout.runs:,} runs"
        peer = self._bench.start(BucketTensorBoard(), self._few, self._logdir, self._bench.fresh_dir("index-"))
        first, second = self._first_and_second(BucketSeamark(FEW), self._few)
        self._add(Figure(f"first start, {few} in a bucket", "s", first.secs, peer.secs))
        self._add(Figure(f"second start, {few} in a bucket", "s", second.secs, peer.secs))
        first, second = self._first_and_second(BucketSeamark(), self._layout)
        is_quick = second.secs <= SECOND_START_SECS
        target = f"≤ {SECOND_START_SECS:.0f} s"
        self._add(Figure(f"first start, {all_runs} in a bucket", "s", first.secs))
        self._add(Figure(f"second start, {all_runs} in a bucket", "s", second.secs, None, target, is_quick))
        self._add(Figure(f"peak memory, {all_runs} in a bucket, first start", "bytes", first.peak_bytes))
        first, second = self._first_and_second(Seamark(), self._layout)
        self._add(Figure(f"first start, the same {all_runs} on this disk", "s", first.secs))
        self._add(Figure(f"second start, the same {all_runs} on this disk", "s", second.secs))

    def _first_and_second(self, viewer: Viewer, layout: Layout) -> tuple[Start, Start]:
        """The fastest of several, each with a cache and an index of its own."""
        firsts, seconds = [], []
        for _ in range(self._repeat):
            index_dir = self._bench.fresh_dir("index-")
            with variables({"XDG_CACHE_HOME": str(self._bench.fresh_dir("cache-"))}):
                firsts.append(self._bench.start(viewer, layout, self._logdir, index_dir))
                seconds.append(self._bench.start(viewer, layout, self._logdir, index_dir))
        return min(firsts, key=lambda start: start.secs), min(seconds, key=lambda start: start.secs)

    def _requests(self, server: S3Server) -> None:
        """Counts the requests of a second start, and of one minute after it, in which nothing changes."""
        index_dir = self._bench.fresh_dir("index-")
        self._bench.start(BucketSeamark(), self._layout, self._logdir, index_dir)
        with (
            fault_proxy(server.endpoint) as proxy,
            variables({"AWS_ENDPOINT_URL": proxy.address}),
            self._bench.running(BucketSeamark(), self._logdir, index_dir) as (process, client),
        ):
            wait_answerable(BucketSeamark(), self._layout, process, client)
            # The first listing is over when the next one begins.
            pages = -(-self._layout.runs // 1000)
            while proxy.listings() <= pages:
                time.sleep(0.1)
            before, started = len(proxy.seen), time.perf_counter()
            while time.perf_counter() - started < COUNTED_SECS:
                time.sleep(0.1)
            polled = 60 / COUNTED_SECS * (len(proxy.seen) - before)
        self._add(Figure("requests of a second start", "count", pages + proxy.gets(), target=f"≤ {pages}",
                         met=proxy.gets() == 0))  # fmt: skip
        self._add(Figure("requests in a minute without changes", "count", polled, target="≤ 240", met=polled <= 240))

    def _writers(self) -> None:
        """The bucket is away: nothing listens at its address."""
        local = min(self._written_secs(str(self._bench.fresh_dir("written-"))) for _ in range(self._repeat))
        with variables({"AWS_ENDPOINT_URL": "http://127.0.0.1:9"}):
            away = min(self._written_secs("s3://away/run") for _ in range(self._repeat))
        calls = f"{self._calls:,} calls of add_scalar"
        self._add(Figure(f"{calls}, folder on this disk", "s", local))
        target = f"≤ {WRITER_SHARE:.1f} × on this disk"
        self._add(Figure(f"{calls}, bucket that is away", "s", away, None, target, away <= WRITER_SHARE * local))

    def _written_secs(self, logdir: str) -> float:
        command = [sys.executable, "-c", WRITER, logdir, str(self._calls)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return float(done.stdout)


@contextmanager
def variables(values: dict[str, str]) -> Iterator[None]:
    """Sets environment variables for the processes that are started meanwhile."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def upload(server: S3Server, logdir: Path, prefix: str, runs: list[str]) -> None:
    store = server.store(prefix)
    files = [path for run in runs for path in (logdir / run).iterdir()]
    with ThreadPoolExecutor(UPLOAD_THREADS) as pool:
        for _ in pool.map(
            lambda path: obstore.put(store, path.relative_to(logdir).as_posix(), path.read_bytes()), files
        ):
            pass
