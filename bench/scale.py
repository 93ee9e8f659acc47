"""Measures a ClickHouse cluster of two shards on this machine: ingestion, bytes per point, and what pages ask for.

The cluster and the progress are in a folder, so that a run that was interrupted goes on where it stopped.
"""

from __future__ import annotations

import math
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from bench import scale_tables
from bench.scale_queries import Row, measured_queries, shown_secs
from bench.scale_runs import RUN_POINTS, STEPS, TAGS, GeneratedRuns, run_name
from seamark.clickhouse.address import parse_address
from seamark.clickhouse.catalogue import read_shown_runs
from seamark.clickhouse.client import HttpClient
from seamark.clickhouse.ingest import Ingester
from seamark.clickhouse.schema import create_tables
from tools.clickhouse_cluster import CLUSTER, Cluster, find_server, free_port

SHARDS = 2
# Runs between two messages of progress; at the end of each, inserts are waited for.
PORTION_RUNS = 400
# What the folder takes at most, with parts that are being merged or were; 5.7 of them stay.
DISK_BYTES_PER_POINT = 20
WANTED_RATE = 1e6
WANTED_BYTES = 6.0


class Ingested(msgspec.Struct):
    """What ingestion took from the size before to this one, over all sessions."""

    points: int = 0
    secs: float = 0.0
    generator_cpu_secs: float = 0.0
    ingester_cpu_secs: float = 0.0
    servers_cpu_secs: float = 0.0
    rows: list[Row] = []  # of this size, once it was measured


class ScaleProgress:
    """A JSON file beside the cluster, by size."""

    def __init__(self, path: Path) -> None:
        self._path = path
        text = path.read_bytes() if path.exists() else b"{}"
        self.sizes = msgspec.json.decode(text, type=dict[int, Ingested])

    def of(self, size: int) -> Ingested:
        return self.sizes.setdefault(size, Ingested())

    def save(self) -> None:
        self._path.write_bytes(msgspec.json.encode(self.sizes))


class ScalePart:
    """Fills one cluster step by step and measures after each."""

    def __init__(
        self, sizes: list[int], repeat: int, say: Callable[[str], None], folder: Path, *, table_runs: int
    ) -> None:
        self._sizes = sizes
        self._repeat = repeat
        self._say = say
        self._folder = folder
        self._table_runs = table_runs

    def run(self) -> str:
        """Returns the page, or a sentence if the server is not installed."""
        if find_server() is None:
            return "clickhouse-server is not installed; run apt-get install clickhouse-server.\n"
        self._folder.mkdir(parents=True, exist_ok=True)
        check_disk(self._folder, max(self._sizes))
        cluster = Cluster(self._folder / "cluster", shards=SHARDS, port=free_port(SHARDS))
        cluster.stop()  # what a run that was killed left
        cluster.start()
        try:
            measured = self._measured(cluster)
            tables = self._tables(cluster)
        finally:
            cluster.stop()
        shutil.rmtree(self._folder)
        return f"{page(measured)}\n{tables}"

    def _tables(self, cluster: Cluster) -> str:
        address, runs = f"clickhouse://{cluster.hosts}/tables", self._table_runs
        secs = scale_tables.fill(address, runs, self._say)
        self._say(f"{runs:,} runs of {len(scale_tables.TAGS)} tags in {shown_secs(secs)}")
        rows = []
        for row in scale_tables.measure(address, runs, max(3, self._repeat), cluster=cluster):
            self._say(f"  {row.measured}: {row.got}")
            rows.append(row)
        return scale_tables.page(runs, rows)

    def _measured(self, cluster: Cluster) -> list[tuple[int, list[Row]]]:
        address = f"clickhouse://{cluster.hosts}/scale"
        client = HttpClient(parse_address(address))
        create_tables(client, CLUSTER)
        progress = ScaleProgress(self._folder / "progress.json")
        for size in self._sizes:
            found = progress.of(size)
            if not found.rows:
                runs = max(1, size // RUN_POINTS)
                self._ingest(client, cluster, runs, progress, found)
                self._settle(client)
                found.rows = [
                    *ingest_rows(found),
                    bytes_row(stored_bytes(client) / (runs * RUN_POINTS)),
                    *measured_queries(address, runs, self._repeat),
                ]
                progress.save()
            for row in found.rows:
                self._say(f"  {row.measured}: {row.got}")
        return [(size, progress.of(size).rows) for size in self._sizes]

    def _ingest(
        self, client: HttpClient, cluster: Cluster, runs: int, progress: ScaleProgress, found: Ingested
    ) -> None:
        known = read_shown_runs(client, "")
        missing = [name for name in map(run_name, range(runs)) if name not in known]
        source = GeneratedRuns()
        ingester = Ingester(client, source)  # type: ignore[arg-type]
        for start in range(0, len(missing), PORTION_RUNS):
            portion = missing[start : start + PORTION_RUNS]
            clocks = time.perf_counter(), time.process_time(), cluster.cpu_secs(), source.cpu_secs
            ingester.update(portion)
            found.points += len(portion) * RUN_POINTS
            found.secs += time.perf_counter() - clocks[0]
            found.generator_cpu_secs += source.cpu_secs - clocks[3]
            found.ingester_cpu_secs += time.process_time() - clocks[1] - (source.cpu_secs - clocks[3])
            found.servers_cpu_secs += cluster.cpu_secs() - clocks[2]
            progress.save()
            left = (len(missing) - start - len(portion)) * RUN_POINTS
            rate = found.points / found.secs
            there = f"{runs * RUN_POINTS - left:,} of {runs * RUN_POINTS:,} points"
            self._say(f"{there}; {rate:,.0f} points/s; {left / rate / 60:.1f} minutes left")
        ingester.close()

    def _settle(self, client: HttpClient) -> None:
        """Waits for the merges that ingestion left."""
        while True:
            found = client.select(f"SELECT count() AS n FROM cluster({CLUSTER}, system, merges)", ["n"])
            if int(found["n"].sum()) == 0:
                return
            time.sleep(0.2)


def check_disk(folder: Path, points: int) -> None:
    """Fails before the points do not fit."""
    used = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    wanted, free = points * DISK_BYTES_PER_POINT, shutil.disk_usage(folder).free + used
    if free < wanted:
        raise SystemExit(
            f"{points:,} points take up to {wanted / 1e9:,.0f} GB, and {free / 1e9:,.0f} GB are free; "
            f"give another --data_dir, or fewer --scale_points: '{folder}'"
        )


def ingest_rows(found: Ingested) -> list[Row]:
    rate = found.points / found.secs
    millions = found.points / 1e6
    cpu = [found.generator_cpu_secs, found.ingester_cpu_secs, found.servers_cpu_secs]
    parts = " + ".join(f"{secs / millions:.2f}" for secs in cpu)
    return [
        Row(
            "ingested, points per second, generating included",
            f"{rate:,.0f}", f"≥ {WANTED_RATE:,.0f}", rate >= WANTED_RATE,
        ),
        Row("CPU seconds per million points: generator + ingester + servers", parts),
    ]  # fmt: skip


def bytes_row(stored: float) -> Row:
    return Row("bytes per point on disk", f"{stored:.1f}", f"≤ {WANTED_BYTES:g}", stored <= WANTED_BYTES)


def stored_bytes(client: HttpClient) -> float:
    found = client.select(
        f"SELECT sum(bytes_on_disk) AS bytes FROM cluster({CLUSTER}, system, parts) "
        "WHERE active AND database = {db:String} AND table = 'points_local'",
        ["bytes"],
        db=client.address.database,
    )
    return float(found["bytes"].sum())


def page(measured: list[tuple[int, list[Row]]]) -> str:
    cores, load = os.cpu_count(), os.getloadavg()[0]
    lines = [
        "# Runs in ClickHouse",
        "",
        f"{time.strftime('%Y-%m-%d')}; {cores} cores shared by generator, ingester, queries and both shards of",
        f"Debian's ClickHouse 18.16, with a load of {load:.0f} at last. Made by `python -m bench --parts scale`: runs",
        f"of {TAGS} tags and {STEPS:,} steps, every tag with a time of its own. Rates count from the size before on.",
        "",
        "| measured | " + " | ".join(f"{size:,} points" for size, _ in measured) + " | wanted |",
        "|---|" + "---:|" * len(measured) + "---|",
    ]
    for at, row in enumerate(measured[-1][1]):
        cells = [rows[at].got + (", missed" if rows[at].is_met is False else "") for _, rows in measured]
        lines.append(f"| {row.measured} | {' | '.join(cells)} | {row.wanted} |")
    return "\n".join([*lines, ""])


def sizes(max_points: int) -> list[int]:
    """Returns ten million, a hundred million and so on, up to the maximum."""
    return [10**power for power in range(7, 1 + int(math.log10(max_points)))] or [max_points]
