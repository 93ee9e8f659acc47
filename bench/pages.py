"""Measures many pages at once: each follows a growing sweep by server-sent events and requests series.

python -m bench.pages                          1,000 runs, 50 pages, 20 seconds
python -m bench.pages --runs 50 --secs 3       a small one
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import numpy as np

from bench.report import Figure
from seamark import _core
from seamark.write.append.event_file import EventFile
from tools.browser import end_process

TAGS = [f"group/metric_{number}" for number in range(5)]
FINAL_TAG = "group/final"  # written last: a page that receives it has received every change
STEPS = 400
SERIES = "/api/series?tag={tag}&width=400&columns=step_last,mean&encoding=compact"
ARRIVAL_TIMEOUT_SECS = 60.0
P99_SECS = 0.25


@dataclass
class PageResult:
    """The messages, requests and errors of one page."""

    messages: int = 0
    errors: list[str] = field(default_factory=list)
    cursors: list[int] = field(default_factory=list)
    request_secs: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Load:
    """The results of all pages."""

    pages: list[PageResult]
    secs: float

    @property
    def errors(self) -> list[str]:
        return [error for page in self.pages for error in page.errors]

    @property
    def request_secs(self) -> list[float]:
        return sorted(secs for page in self.pages for secs in page.request_secs)

    def percentile(self, share: float) -> float:
        return float(np.quantile(self.request_secs, share))

    def __str__(self) -> str:
        return (
            f"{len(self.pages)} pages for {self.secs:.0f} s: {sum(page.messages for page in self.pages):,} messages, "
            f"{len(self.request_secs):,} requests, "
            f"median {self.percentile(0.5) * 1e3:.0f} ms, p99 {self.percentile(0.99) * 1e3:.0f} ms, "
            f"{len(self.errors)} errors"
        )


def make_sweep(folder: Path, runs: int) -> list[EventFile]:
    """Creates event files with a history, and leaves them open."""
    files = []
    steps = np.repeat(np.arange(STEPS, dtype=np.int64), len(TAGS))
    tag_index = np.tile(np.arange(len(TAGS), dtype=np.uint32), STEPS)
    for number in range(runs):
        values = np.random.default_rng(number).random(steps.size)
        file = EventFile(folder / f"run_{number:04d}")
        file.append(
            _core.encode_scalars([tag.encode() for tag in TAGS], tag_index, steps, 1e9 + steps.astype(float), values)
        )
        file.flush()
        files.append(file)
    return files


@contextlib.contextmanager
def serving(logdir: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "seamark", "--logdir", str(logdir), "--port", "0"]
    process = subprocess.Popen(
        [*command, "--index_dir", "none", "--state_dir", "none", "--config", "none"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield line[line.index("http://") :].split()[0]
    finally:
        end_process(process)


class Target(NamedTuple):
    """The page that is asked: where its routes begin, and with which token."""

    host: str
    port: int
    prefix: str = ""
    token: str = ""

    def request(self, path: str, *headers: str) -> bytes:
        lines = [f"GET {self.prefix}{path} HTTP/1.1", f"Host: {self.host}:{self.port}", *headers]
        if self.token:
            lines.append(f"Authorization: Bearer {self.token}")
        return "".join(f"{line}\r\n" for line in [*lines, ""]).encode()


async def put_under_load(address: str, files: list[EventFile], *, pages: int, secs: float) -> Load:
    target = Target(urlsplit(address).hostname or "", urlsplit(address).port or 0)
    await loaded(target)
    results = [PageResult() for _ in range(pages)]
    ending = asyncio.Event()
    listeners = [asyncio.create_task(listen(target, result)) for result in results]
    clients = [asyncio.create_task(request_series(target, TAGS, result, ending)) for result in results]
    begun = time.monotonic()
    step = STEPS
    while time.monotonic() - begun < secs:
        for file in random.sample(files, min(len(files), 25)):
            for tag in TAGS:
                file.add_scalar(tag, 0.5, step)
            file.flush()
        step += 1
        await asyncio.sleep(0.1)
    ending.set()
    await asyncio.gather(*clients)
    # After everything else has arrived, so that this tag is in the last message.
    await asyncio.sleep(1.0)
    files[0].add_scalar(FINAL_TAG, 1.0, step)
    files[0].flush()
    _, late = await asyncio.wait(listeners, timeout=ARRIVAL_TIMEOUT_SECS)
    for listener in late:
        listener.cancel()
    for listener, result in zip(listeners, results, strict=True):
        if listener in late:
            result.errors.append("the last point did not arrive")
        elif (error := listener.exception()) is not None:
            result.errors.append(repr(error))
    check(results)
    return Load(results, secs)


def check(pages: list[PageResult]) -> None:
    """Checks that every page received each message once and in order."""
    for result in pages:
        expected = list(range(result.cursors[0], result.cursors[0] + len(result.cursors))) if result.cursors else []
        if result.cursors != expected:
            result.errors.append("a message is missing or was received twice")


async def loaded(target: Target) -> None:
    while json.loads((await fetch(target, "/api/progress"))[1])["loading"]:
        await asyncio.sleep(0.1)


async def listen(target: Target, result: PageResult) -> None:
    reader, writer = await asyncio.open_connection(target.host, target.port, limit=1 << 24)
    writer.write(target.request("/api/events"))
    try:
        async for line in reader:
            if line.startswith(b"id: "):
                result.cursors.append(int(line.rpartition(b"-")[2]))
            elif line.startswith(b"data: ") and b'"tags"' in line:
                # Not parsed: that would take the processor time of fifty browsers.
                result.messages += 1
                if FINAL_TAG.encode() in line:
                    return
        result.errors.append("the events ended")
    finally:
        writer.close()


async def request_series(target: Target, tags: list[str], result: PageResult, ending: asyncio.Event) -> None:
    chance = random.Random(id(result))
    while not ending.is_set():
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ending.wait(), chance.uniform(0.5, 1.5))
            return
        begun = time.monotonic()
        status, _ = await fetch(target, SERIES.format(tag=chance.choice(tags)))
        result.request_secs.append(time.monotonic() - begun)
        if status != 200:
            result.errors.append(f"a request for series returned {status}")


async def fetch(target: Target, path: str) -> tuple[int, bytes]:
    reader, writer = await asyncio.open_connection(target.host, target.port)
    writer.write(target.request(path, "Connection: close"))
    try:
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    finally:
        writer.close()
    return int(head.split()[1]), body


def run(*, runs: int, pages: int, secs: float) -> Load:
    with tempfile.TemporaryDirectory(prefix="seamark-pages-") as folder:
        files = make_sweep(Path(folder), runs)
        with serving(Path(folder)) as address:
            load = asyncio.run(put_under_load(address, files, pages=pages, secs=secs))
        for file in files:
            file.close()
    return load


def measure(add: Callable[[Figure], None], *, quick: bool) -> None:
    """Adds the figures to the report; `quick` only shows that it works."""
    load = run(runs=40, pages=10, secs=2.0) if quick else run(runs=1000, pages=50, secs=20.0)
    if load.errors:
        raise RuntimeError(f"{len(load.errors)} errors, the first: {load.errors[0]}")
    what = f"one tag over all runs, {len(load.pages)} pages with live updates"
    p99 = load.percentile(0.99)
    add(Figure(f"{what}: median", "s", load.percentile(0.5)))
    add(Figure(f"{what}: p99", "s", p99, None, f"≤ {P99_SECS * 1e3:g} ms", p99 <= P99_SECS))
    add(
        Figure(
            f"{what}: messages that came, none missed or doubled", "count", sum(page.messages for page in load.pages)
        )
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.pages", description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--secs", type=float, default=20.0)
    args = parser.parse_args()
    load = run(runs=args.runs, pages=args.pages, secs=args.secs)
    print(load)
    for error in sorted(set(load.errors)):
        print(f"  {error}", file=sys.stderr)
    return 1 if load.errors else 0


if __name__ == "__main__":
    sys.exit(main())
