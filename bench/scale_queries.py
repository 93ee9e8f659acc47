"""What pages ask of a database of runs, timed in a process of its own, whose memory is that of a server."""

from __future__ import annotations

import multiprocessing
import resource
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

import msgspec

from bench.scale_runs import TAG_NAMES
from seamark.clickhouse.address import parse_address
from seamark.clickhouse.client import HttpClient
from seamark.clickhouse.store import ClickHouseStore
from seamark.compare import RunTable

PIXELS = 2000
MANY_PIXELS = 200
MAX_RUNS = 1000  # a page asks for this width and for a few columns if there are so many
WANTED_SERIES_SECS = 0.050
WANTED_TAG_SECS = 0.500
WANTED_TABLE_SECS = 0.500
WANTED_MEGABYTES = 500


class Row(msgspec.Struct):
    measured: str
    got: str
    wanted: str = ""
    is_met: bool | None = None


def measured_queries(address: str, runs: int, repeat: int) -> list[Row]:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_queries, (address, runs, repeat))


def _queries(address: str, runs: int, repeat: int) -> list[Row]:
    with ClickHouseStore(HttpClient(parse_address(address))) as store:
        store.wait_loaded()
        return [*_window_rows(store, repeat), *_table_rows(store, runs, repeat), _memory_row()]


def _window_rows(store: ClickHouseStore, repeat: int) -> Iterator[Row]:
    names = store.run_names()
    some = names[:: max(1, len(names) // MAX_RUNS)][:MAX_RUNS]
    middle = names[len(names) // 2]
    for smoothing, what in ((0.0, "plain"), (0.6, "smoothed")):
        window = partial(store.scalars, tag=TAG_NAMES[20], smoothing=smoothing, attempts="marked")
        secs = timed(partial(window, middle, max_points=PIXELS), repeat)
        yield timed_row(f"one series at {PIXELS:,} px, {what}", secs, WANTED_SERIES_SECS)
        columns = ["step_last", "smoothed" if smoothing else "mean", "count", "attempt", "replaced"]
        secs = timed(partial(window, some, max_points=MANY_PIXELS, columns=columns), repeat)
        measured = f"one tag over many runs at {MANY_PIXELS} px, {what}"
        yield timed_row(measured, secs, WANTED_TAG_SECS, runs=len(some))


def _table_rows(store: ClickHouseStore, runs: int, repeat: int) -> Iterator[Row]:
    secs = timed(lambda: store.digests([TAG_NAMES[20]], store.run_names(), tail=10), repeat)
    yield timed_row("statistics of one tag for all runs", secs, WANTED_TABLE_SECS, runs=runs)
    started = time.perf_counter()
    table = RunTable(store)
    yield Row("first table of all runs", f"{shown_secs(time.perf_counter() - started)} ({runs:,} runs)")
    started = time.perf_counter()
    table.select(f'metric["{TAG_NAMES[20]}"].min < 0.1', sort=[f"metric:{TAG_NAMES[3]}:last"])
    secs = time.perf_counter() - started
    yield timed_row("its first query and sort by two metrics", secs, WANTED_TABLE_SECS, runs=runs)


def _memory_row() -> Row:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Row(
        "peak memory of the process that asked", f"{peak:,.0f} MB", f"≤ {WANTED_MEGABYTES} MB", peak <= WANTED_MEGABYTES
    )


def timed(act: Callable[[], object], repeat: int) -> float:
    secs = []
    for _ in range(max(3, repeat)):
        started = time.perf_counter()
        act()
        secs.append(time.perf_counter() - started)
    return statistics.median(secs)


def timed_row(measured: str, secs: float, wanted: float, *, runs: int = 1) -> Row:
    got = shown_secs(secs) + (f" ({runs:,} runs)" if runs > 1 else "")
    return Row(measured, got, f"≤ {shown_secs(wanted)}", secs <= wanted)


def shown_secs(secs: float) -> str:
    return f"{secs * 1000:,.0f} ms" if secs < 10 else f"{secs:,.1f} s"
