"""TensorBoard's own routes, answered by both: the same requests, bodies read whole.

python -m bench --parts tensorboard_routes
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from bench.client import Client
from bench.layouts import Layout
from bench.report import Figure
from bench.scenarios import RESPONSE_TIMEOUT_SECS, Bench, best_secs, wait_answerable, wait_until
from bench.viewers import Seamark, TensorBoard, Viewer
from seamark.format.messages import GraphDef
from seamark.kinds.summary import graph_record
from seamark.write.append.event_file import EventFile

GRAPH_RUN = "graph"
FULL_NODES, QUICK_NODES = 24_000, 200
MANY_RUNS_TIMES = 5.0
POLLS_PER_SEC = 10.0
FORM = "application/x-www-form-urlencoded"


@dataclass
class TensorBoardRoutes:
    bench: Bench
    layout: Layout
    logdir: Path
    nodes: int
    repeat: int
    add: Callable[[Figure], None]

    def __post_init__(self) -> None:
        self.ours, self.peer = Seamark(), TensorBoard()

    def run(self) -> None:
        self.many_runs()
        self.graph()
        self.polled_start()

    def many_runs(self) -> None:
        peer, ours = self._many_runs(self.peer), self._many_runs(self.ours)
        for what, secs in ours.items():
            is_met = secs * MANY_RUNS_TIMES <= peer[what]
            what_of_runs = f"{what} of {self.layout.runs:,} runs"
            self.add(Figure(what_of_runs, "s", secs, peer[what], f"≥ {MANY_RUNS_TIMES:g}x faster", is_met))

    def _many_runs(self, viewer: Viewer) -> dict[str, float]:
        tag, runs = self.layout.tag_names[0], self.layout.run_names
        fields = [("tag", tag), *(("runs", run) for run in runs)]
        series = urlencode({"requests": json.dumps([{"plugin": "scalars", "tag": tag}])}).encode()
        multirun, time_series = "/data/plugin/scalars/scalars_multirun", "/data/plugin/timeseries/timeSeries"
        with self._loaded(viewer) as client:
            return {
                "`scalars_multirun`": best_secs(lambda: client.post(multirun, urlencode(fields).encode(), FORM)),
                "`timeSeries`": best_secs(lambda: client.post(time_series, series, FORM)),
            }

    def graph(self) -> None:
        logdir = self.bench.fresh_dir("graph-")
        size = write_graph(logdir / GRAPH_RUN, self.nodes)
        limit = "&limit_attr_size=1024&large_attrs_key=_too_large_attrs"
        for what, query in (("", ""), (", large attributes left out", limit)):
            peer, _ = self._graph_secs(self.peer, logdir, query)
            ours, again = self._graph_secs(self.ours, logdir, query)
            title = f"graph of {size / 1e6:.1f} MB{what}"
            self.add(Figure(f"{title}, first request", "s", ours, peer, "not slower", ours <= peer))
            self.add(Figure(f"{title}, again", "s", again, peer))

    def _graph_secs(self, viewer: Viewer, logdir: Path, query: str) -> tuple[float, float]:
        """The first request to a fresh server, and the best of later ones; the least of several servers."""
        path = f"/data/plugin/graphs/graph?run={GRAPH_RUN}{query}"
        info = "/data/plugin/graphs/info"
        firsts, laters = [], []
        for _ in range(self.repeat):
            with self.bench.running(viewer, logdir, self.bench.fresh_dir("index-")) as (process, client):
                wait_until(lambda client=client: GRAPH_RUN.encode() in (client.get(info) or b""), process)  # type: ignore[misc]
                firsts.append(best_secs(lambda client=client: client.get(path), repeat=1))  # type: ignore[misc]
                laters.append(best_secs(lambda client=client: client.get(path), repeat=3))  # type: ignore[misc]
        # The peer caches nothing: its first request differs from later ones by what it imports.
        return min(firsts + laters) if viewer is self.peer else min(firsts), min(laters)

    def polled_start(self) -> None:
        """Process start → all tags of all runs listed, by a client that polls TensorBoard's listing."""
        peer = min(self._polled_start(self.peer) for _ in range(self.repeat))
        ours = min(self._polled_start(self.ours) for _ in range(self.repeat))
        title = f"cold start, {self.layout.name}, `scalars/tags` polled {POLLS_PER_SEC:g} times a second"
        self.add(Figure(title, "s", ours, peer))

    def _polled_start(self, viewer: Viewer) -> float:
        index_dir = self.bench.fresh_dir("index-")
        with self.bench.running(viewer, self.logdir, index_dir) as (process, client):
            while not self._lists_all(client):
                assert process.alive() and process.elapsed_secs() < RESPONSE_TIMEOUT_SECS, "no complete listing"
                time.sleep(1 / POLLS_PER_SEC)
            secs = process.elapsed_secs()
        shutil.rmtree(index_dir)
        return secs

    def _lists_all(self, client: Client) -> bool:
        body = client.get("/data/plugin/scalars/tags")
        listed = json.loads(body) if body else {}
        return len(listed) == self.layout.runs and all(len(tags) == self.layout.tags for tags in listed.values())

    @contextmanager
    def _loaded(self, viewer: Viewer) -> Iterator[Client]:
        running = self.bench.running(viewer, self.logdir, self.bench.fresh_dir("index-"))
        with running as (process, client):
            wait_answerable(viewer, self.layout, process, client)
            yield client


def write_graph(folder: Path, nodes: int) -> int:
    """Writes a graph with small attributes and some large ones. Returns its size in bytes."""
    graph = GraphDef()
    for number in range(nodes):
        node = graph.node.add(name=f"model/block_{number % 40}/layer_{number}", op="MatMul", device="/device:GPU:0")
        if number:
            node.input.append(f"model/block_{(number - 1) % 40}/layer_{number - 1}")
        node.attr["T"].type = 1
        node.attr["transpose_a"].b = False
        node.attr["value"].tensor.tensor_content = bytes(range(64))
        node.attr["_output_shapes"].list.shape.add().dim.add(size=32)
        if number % 50 == 0:
            node.attr["weights"].tensor.tensor_content = b"\x01\xff" * 2000
    data = graph.SerializeToString()
    with EventFile(folder) as file:
        file.append(graph_record(data, wall_time=1000.0))
        file.add_scalar("loss", 1.0, 0)
    return len(data)
