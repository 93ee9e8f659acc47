"""Measures the table of many runs of a ClickHouse cluster through `seamark serve --store`, as a page requests it."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from bench.client import Client, free_port
from bench.process import ServerProcess
from bench.scale_queries import Row, shown_secs, timed_row
from seamark.clickhouse.address import parse_address
from seamark.clickhouse.client import HttpClient
from seamark.clickhouse.ingest import Ingester
from seamark.clickhouse.schema import create_tables
from seamark.format.types import RunName, Tag
from seamark.kinds import hparams
from seamark.store import RunInfo, SeriesInfo
from seamark.store.ask.stored_run import StoredScalars
from tools.clickhouse_cluster import CLUSTER, Cluster

TAGS = [Tag(f"group{number // 10}/metric{number}") for number in range(50)]
STEPS = 4
SEEDS = 5
START_WALL = 1_760_000_000.0
PORTION_RUNS = 2000  # between two messages of progress
SHOWN = 10  # columns of metrics
WINDOW = 64  # rows
WANTED_TABLE_SECS = 0.5
WANTED_MEGABYTES = 500.0
START_SECS = 300.0


class SweepRun:
    """A run of a sweep as the embedded store hands it to the ingester: few steps, and hyperparameters."""

    files: tuple[()] = ()
    payload_keys: tuple[tuple[str, Tag], ...] = (("hparams", Tag("_hparams_/session_start_info")),)
    scalar_tags = TAGS

    def __init__(self, number: int) -> None:
        random = np.random.default_rng(number)
        self._steps = np.arange(STEPS) * 100
        self._walls = START_WALL + number * 60 + np.arange(STEPS, dtype=np.float64)
        self._values = random.normal(1, 0.5, (len(TAGS), STEPS)).astype(np.float32).astype(np.float64)
        setting = number // SEEDS
        given = {
            "lr": 10.0 ** -(setting % 5),
            "opt": ("adam", "sgd", "lion")[setting % 3],
            "width": 32.0 * (setting % 8),
        }
        start = hparams.SessionStart({**given, "seed": float(number % SEEDS)})
        self._start = hparams.encode(start).metadata.SerializeToString()
        name = RunName(f"sweep/run{number:06}")
        walls = float(self._walls[0]), float(self._walls[-1])
        path = Path("/generated") / name
        self.info = RunInfo(name, path, str(path), *walls, 0, 0, len(TAGS), len(TAGS) * STEPS, 0)

    def metadata(self, kind: str, tag: Tag) -> bytes:
        return self._start if kind == "hparams" else b""

    def tensorboard_ranges(self) -> list[tuple[()]]:
        return [()] * (len(TAGS) + 1)

    def infos(self) -> list[SeriesInfo]:
        walls = float(self._walls[0]), float(self._walls[-1])
        return [
            SeriesInfo(
                self.info.name, tag, "scalars", "scalars", "", "", b"", STEPS, 1, 0, int(self._steps[-1]), *walls,
                float(values[-1]), float(values.min()), float(values.max()),
            )
            for tag, values in zip(TAGS, self._values, strict=True)
        ]  # fmt: skip

    def digests(self, *, tail: int) -> dict[str, Any]:
        values, count = self._values, len(TAGS)
        last_step = float(self._steps[-1])
        return {
            "count": np.full(count, STEPS), "first": values[:, 0], "last": values[:, -1], "min": values.min(1),
            "max": values.max(1), "mean": values.mean(1), "tail": values[:, -tail:].mean(1),
            "min_step": self._steps[values.argmin(1)].astype(float),
            "max_step": self._steps[values.argmax(1)].astype(float), "last_step": np.full(count, last_step),
        }  # fmt: skip

    def scalars(self, tag: Tag) -> StoredScalars:
        zeros = np.zeros(STEPS, np.uint32), np.zeros(STEPS, np.uint8)
        return StoredScalars(self._steps, self._walls, self._values[TAGS.index(tag)], *zeros)


class SweepRuns:
    """In place of the embedded store."""

    def stored_run(self, name: RunName) -> SweepRun:
        return SweepRun(int(name[-6:]))


def fill(address: str, runs: int, say: Callable[[str], None]) -> float:
    """Ingests the runs and says how many are there. Returns the seconds that it took."""
    client = HttpClient(parse_address(address))
    create_tables(client, CLUSTER)
    started = time.perf_counter()
    ingester = Ingester(client, SweepRuns())  # type: ignore[arg-type]
    for start in range(0, runs, PORTION_RUNS):
        stop = min(runs, start + PORTION_RUNS)
        ingester.update(RunName(f"sweep/run{number:06}") for number in range(start, stop))
        say(f"{stop:,} of {runs:,} runs of the table; {time.perf_counter() - started:,.0f} s")
    ingester.close()
    client.close()
    return time.perf_counter() - started


class TablePage:
    """Requests what the page of the table requests."""

    def __init__(self, port: int) -> None:
        self._client = Client(port)

    def ask(self, path: str, body: object) -> dict[str, Any]:
        found = self._client.post(path, json.dumps(body).encode(), "application/json")
        assert found is not None, f"no answer from {path}"
        return dict(json.loads(found))

    def rows(self, query: str, sort: Sequence[str], start: int = 0) -> dict[str, Any]:
        columns = ["run:name", "run:started", "param:lr", "param:opt", *(f"metric:{tag}:last" for tag in TAGS[:SHOWN])]
        body = {"query": query, "sort": sort, "columns": columns, "start": start, "stop": start + WINDOW}
        return self.ask("/api/table", body)

    def wait_for_runs(self, count: int, server: ServerProcess) -> None:
        deadline = time.monotonic() + START_SECS
        while time.monotonic() < deadline and server.alive():
            found = self._client.get("/api/table/columns")
            if found is not None and json.loads(found)["runs"] == count:
                return
            time.sleep(0.2)
        raise SystemExit(f"the server did not show {count:,} runs:\n{server.last_output()}")


@contextmanager
def served(address: str, port: int) -> Iterator[ServerProcess]:
    command = [sys.executable, "-m", "seamark", "serve", "--store", address, "--port", str(port)]
    with (
        tempfile.TemporaryDirectory(prefix="seamark-tables-") as folder,
        ServerProcess(command, log_path=Path(folder) / "server.log") as server,
    ):
        yield server


def measure(address: str, runs: int, repeat: int, *, cluster: Cluster) -> Iterator[Row]:
    """Yields the figures of a table of so many runs that the database has."""
    port = free_port()
    with served(address, port) as server:
        page = TablePage(port)
        page.wait_for_runs(runs, server)
        yield Row("from the start of the server to the list of columns", shown_secs(server.elapsed_secs()))
        secs, first = timed(lambda _: page.rows("", []), 1)
        assert first["matched"] == runs
        yield row(f"first table, {SHOWN} columns of metrics", secs)
        # Another bound each time: the server keeps the rows of a query until a run changes.
        bounds = iter(np.linspace(0.2, 0.9, 4 * repeat + 4).tolist())
        two = f'metric["{TAGS[20]}"].min < {{}} and metric["{TAGS[30]}"].last > 0 and lr < 0.5'
        sort = [f"-metric:{TAGS[3]}:last"]
        queries = [two.format(next(bounds)) for _ in range(repeat)]
        before = server.processor_secs(), cluster.cpu_secs()
        secs, found = timed(lambda at: page.rows(queries[at], sort), repeat)
        used = server.processor_secs() - before[0], cluster.cpu_secs() - before[1]
        yield row(f"query of two metrics and lr, sorted by a third ({found['matched']:,} runs match)", secs)
        # The time on an idle machine lies between this and the half of it.
        parts = f"{shown_secs(used[0] / repeat)} of the server, {shown_secs(used[1] / repeat)} of the shards"
        yield Row("its processor time", parts)
        secs, _ = timed(lambda at: page.rows(queries[-1], sort, start=WINDOW * (at + 1)), repeat)
        yield row("its next rows", secs)
        secs, _ = timed(lambda at: page.rows("", [f"metric:{TAGS[40 + at % 8]}:min"]), repeat)
        yield row("all runs sorted by another metric", secs)
        query = f'"run" in name and log(metric["{TAGS[21]}"].max) > {{}}'
        secs, found = timed(lambda at: page.rows(query.format(next(bounds)), sort), repeat)
        assert "log()" in found["computed_here"]
        yield row("a query that the server computes itself: log()", secs)
        by = {"by": ["param:lr", "param:opt", "param:width"], "metrics": [f"metric:{tag}:last" for tag in TAGS[:2]]}
        secs, found = timed(lambda at: page.ask("/api/groups", {**by, "query": two.format(next(bounds))}), repeat)
        yield row(f"{len(found['groups']):,} groups with the statistics of two metrics", secs)
        megabytes = server.peak_bytes() / 2**20
        yield Row(
            "peak memory of the server",
            f"{megabytes:,.0f} MB",
            f"≤ {WANTED_MEGABYTES:g} MB",
            megabytes <= WANTED_MEGABYTES,
        )


def timed(act: Callable[[int], dict[str, Any]], repeat: int) -> tuple[float, dict[str, Any]]:
    """Returns the median of the seconds, and the last answer."""
    secs, answer = [], {}
    for at in range(repeat):
        started = time.perf_counter()
        answer = act(at)
        secs.append(time.perf_counter() - started)
    return statistics.median(secs), answer


def row(measured: str, secs: float) -> Row:
    return timed_row(measured, secs, WANTED_TABLE_SECS)


def page(runs: int, rows: Sequence[Row]) -> str:
    lines = [
        "## The table",
        "",
        f"{runs:,} runs of {len(TAGS)} tags and {STEPS} steps, through `seamark serve --store`; requests as the page "
        f"sends them, with {WINDOW} rows.",
        "",
        "| measured | got | wanted |",
        "|---|---:|---|",
    ]
    return "\n".join(
        [
            *lines,
            *(
                f"| {one.measured} | {one.got}{', missed' if one.is_met is False else ''} | {one.wanted} |"
                for one in rows
            ),
            "",
        ]
    )
