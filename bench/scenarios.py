"""Measurements over HTTP. Each starts a new process."""

from __future__ import annotations

import os
import random
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from bench import scalars
from bench.client import Client, free_port
from bench.layouts import Layout, event_file
from bench.process import ServerProcess
from bench.viewers import Viewer

# Polling costs the server time: at first every 10 ms, later after each 2 % of the elapsed time.
POLL_SECS = 0.01
POLL_SHARE = 0.02
RESPONSE_TIMEOUT_SECS = 300.0
QUERY_REPEATS = 7
START_ATTEMPTS = 3

Serving = AbstractContextManager[tuple[ServerProcess, Client]]


@dataclass(frozen=True)
class Start:
    """A start of a viewer: seconds until all data is available, and the peak memory until then."""

    secs: float
    peak_bytes: int


@dataclass
class Bench:
    """The folder for scratch files, beside the data so that hard links work."""

    scratch: Path
    append_cycle_secs: float = 5.0  # TensorBoard's reload interval: appends are spread over it

    def fresh_dir(self, prefix: str) -> Path:
        return Path(tempfile.mkdtemp(prefix=prefix, dir=self.scratch))

    @contextmanager
    def running(self, viewer: Viewer, logdir: Path, index_dir: Path) -> Iterator[tuple[ServerProcess, Client]]:
        """A viewer that accepts connections. One that ends before that, as when its port was taken, starts again."""
        for _ in range(START_ATTEMPTS):
            port = free_port()
            command = viewer.command(logdir, port, index_dir)
            with ServerProcess(command, log_path=self.scratch / f"{viewer.name}.log") as process:
                if not _accepts_connections(process, port):
                    continue
                client = Client(port)
                try:
                    yield process, client
                finally:
                    client.close()
                return
        raise RuntimeError(f"the viewer ended {START_ATTEMPTS} times before it answered:\n{process.last_output()}")

    @contextmanager
    def running_with_tag(
        self, viewer: Viewer, logdir: Path, run: str, tag: str, index_dir: Path | None = None
    ) -> Iterator[tuple[ServerProcess, Client]]:
        """A viewer that lists this tag of this run, with a fresh index unless one is given."""
        with self.running(viewer, logdir, index_dir or self.fresh_dir("index-")) as (process, client):
            wait_until(lambda: tag in (viewer.tags(client) or {}).get(run, set()), process)
            yield process, client

    def start(self, viewer: Viewer, layout: Layout, logdir: Path, index_dir: Path) -> Start:
        """Process start → every scalar series of the layout is available."""
        with self.running(viewer, logdir, index_dir) as (process, client):
            wait_answerable(viewer, layout, process, client)
            return Start(process.elapsed_secs(), process.peak_bytes())

    def start_empty(self, viewer: Viewer) -> Start:
        """Process start → the first response, with nothing to load."""
        logdir, index_dir = self.fresh_dir("empty-"), self.fresh_dir("index-")
        with self.running(viewer, logdir, index_dir) as (process, client):
            wait_until(lambda: viewer.tags(client) is not None, process)
            return Start(process.elapsed_secs(), process.peak_bytes())

    def append_delays(self, viewer: Viewer, layout: Layout, logdir: Path, *, count: int) -> list[float]:
        """Seconds from appending a point until it is in a response, in a loaded log directory."""
        growing, index_dir = self.fresh_dir("append-"), self.fresh_dir("index-")
        target = _link_all_but_last(layout, logdir, growing)
        run, tag = layout.run_names[-1], layout.tag_names[-1]
        moments = random.Random(layout.name)
        delays = []
        with self.running(viewer, growing, index_dir) as (process, client):
            wait_answerable(viewer, layout, process, client)
            for step in range(layout.steps, layout.steps + count):
                time.sleep(moments.uniform(0.0, self.append_cycle_secs))
                delays.append(_append_and_wait(viewer, process, client, target, run, tag, step))
        shutil.rmtree(growing)
        return delays

    def query_secs(self, viewer: Viewer, layout: Layout, logdir: Path, index_dir: Path, kind: str) -> float:
        """Best of several requests, bodies read whole, for one series or for one tag of all runs."""
        run, tag = layout.run_names[0], layout.tag_names[0]
        with self.running(viewer, logdir, index_dir) as (process, client):
            wait_answerable(viewer, layout, process, client)
            if kind == "series":
                return best_secs(lambda: viewer.one_series(client, run, tag))
            return best_secs(lambda: viewer.one_tag(client, layout.run_names, tag))


def wait_answerable(viewer: Viewer, layout: Layout, process: ServerProcess, client: Client) -> None:
    """Waits until the last step of the last tag of each sampled run is available, and all tags are listed."""
    for run in layout.sample_runs():
        _wait_for_step(viewer, process, client, run, layout.tag_names[-1], layout.last_step)
    wanted = {run: set(layout.tag_names) for run in layout.run_names}
    wait_until(lambda: _holds(viewer.tags(client), wanted), process)


def wait_until(condition: Callable[[], bool], process: ServerProcess) -> None:
    """Polls until the condition holds. Raises if the viewer ends or takes too long."""
    started = time.perf_counter()
    while not condition():
        if not process.alive():
            raise RuntimeError(f"the viewer ended before it answered:\n{process.last_output()}")
        waited_secs = time.perf_counter() - started
        if waited_secs > RESPONSE_TIMEOUT_SECS:
            raise TimeoutError(f"no complete response after {RESPONSE_TIMEOUT_SECS:.0f} s")
        time.sleep(max(POLL_SECS, POLL_SHARE * waited_secs))


def best_secs(ask: Callable[[], object], repeat: int = QUERY_REPEATS) -> float:
    """The fastest of several calls, each of which must succeed."""
    best = float("inf")
    for _ in range(repeat):
        started = time.perf_counter()
        answer = ask()
        best = min(best, time.perf_counter() - started)
        if answer is None:
            raise RuntimeError("a request was not answered with 200")
    return best


def _accepts_connections(process: ServerProcess, port: int) -> bool:
    """Waits until the process listens on the port; false if it ends before."""
    while process.alive():
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
        time.sleep(POLL_SECS)
    return False


def _holds(tags: dict[str, set[str]] | None, wanted: dict[str, set[str]]) -> bool:
    return tags is not None and all(names <= tags.get(run, set()) for run, names in wanted.items())


def _link_all_but_last(layout: Layout, logdir: Path, growing: Path) -> Path:
    """Hard links to every run, and a copy of the last one, which will grow."""
    for run in layout.run_names:
        source, target = event_file(logdir / run), event_file(growing / run)
        target.parent.mkdir()
        if run == layout.run_names[-1]:
            shutil.copyfile(source, target)
        else:
            os.link(source, target)
    return target


def _append_and_wait(
    viewer: Viewer, process: ServerProcess, client: Client, path: Path, run: str, tag: str, step: int
) -> float:
    record = scalars.one_point(tag, step, 0.5, scalars.START_SECS + step)
    with path.open("ab") as file:
        file.write(record)
    started = time.perf_counter()
    _wait_for_step(viewer, process, client, run, tag, step)
    return time.perf_counter() - started


def _wait_for_step(viewer: Viewer, process: ServerProcess, client: Client, run: str, tag: str, step: int) -> None:
    wait_until(lambda: viewer.last_step(client, run, tag) == step, process)
