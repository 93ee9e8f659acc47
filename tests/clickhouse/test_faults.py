"""Nothing is lost or doubled when inserts are repeated, the ingester is killed or a shard goes away for a while."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seamark.clickhouse.address import Address
from seamark.clickhouse.catalogue import read_runs
from seamark.clickhouse.client import HttpClient
from seamark.clickhouse.following import ingest_all
from seamark.clickhouse.removal import remove_runs
from seamark.clickhouse.rows import RunState
from seamark.clickhouse.store import ClickHouseStore
from seamark.format.types import RunName
from seamark.store import RunStore, Store, StoreUnavailableError
from seamark.store.test_contract import HOSTILE, assert_same_columns, events, write_logs
from seamark.store.test_support import LOSS, TIMEOUT_SECS, append, curve, file_start, loaded, scalar_bytes, wait_until

RUNS = 12


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    for number in range(RUNS):
        append(events(tmp_path / f"run{number}"), file_start() + scalar_bytes(LOSS, curve(0, 500, scale=number + 1)))
    return tmp_path


def assert_same_points(tested: RunStore, embedded: Store) -> None:
    names = sorted(embedded.run_names())
    assert sorted(tested.run_names()) == names
    for query in ({}, {"max_points": 10}, {"max_points": 10, "start": 50.0, "stop": 450.0, "edges": True}):
        got, want = (store.scalars(names, LOSS, **query) for store in (tested, embedded))  # type: ignore[arg-type]
        assert_same_columns(got, want, close=("mean",))


class Doubling(HttpClient):
    """Inserts everything twice, as a client does that lost an answer."""

    def insert(self, table: str, columns: Any) -> None:
        super().insert(table, columns)
        super().insert(table, columns)


def test_doubled_inserts_change_nothing(databases: Any, logdir: Path) -> None:
    write_logs(logdir / "more")
    address = databases.make()
    with loaded(logdir) as embedded:
        ingest_all(Doubling(address), embedded)
        with ClickHouseStore(HttpClient(address)) as store:
            assert store.wait_loaded(TIMEOUT_SECS)
            assert_same_points(store, embedded)
            for run in ("more/media",):
                got, want = (one.payloads(RunName(run), "note", "text") for one in (store, embedded))  # type: ignore[arg-type]
                assert_same_columns(got, want)


def test_ingesting_again_inserts_nothing(databases: Any, logdir: Path) -> None:
    address = databases.make()
    with loaded(logdir) as embedded:
        assert ingest_all(HttpClient(address), embedded).points == RUNS * 500
        assert ingest_all(HttpClient(address), embedded).points == 0
    append(events(logdir / "run3"), scalar_bytes(LOSS, curve(500, 510)))
    with loaded(logdir) as embedded:
        assert ingest_all(HttpClient(address), embedded).points == 10, "only the new points"


class Interrupted(HttpClient):
    """Ends before the row that says that a run is complete."""

    def insert(self, table: str, columns: Any) -> None:
        if table == "runs" and (np.asarray(columns["state"]) == RunState.COMPLETE).any():
            raise RuntimeError("the ingester was killed")
        super().insert(table, columns)


@pytest.mark.parametrize("has_first_part", [False, True])
def test_an_interrupted_ingestion_is_repeated(databases: Any, logdir: Path, has_first_part: bool) -> None:
    address = databases.make()
    if has_first_part:
        with loaded(logdir) as embedded:
            ingest_all(HttpClient(address), embedded)
        for number in range(RUNS):
            append(events(logdir / f"run{number}"), scalar_bytes(LOSS, curve(500, 600)))
    with loaded(logdir) as embedded:
        with pytest.raises(RuntimeError, match="killed"):
            ingest_all(Interrupted(address), embedded)
        with ClickHouseStore(HttpClient(address)) as store:
            assert store.wait_loaded(TIMEOUT_SECS)
            assert len(store.run_names()) == (RUNS if has_first_part else 0), "a run is shown as it was, or not at all"
        ingest_all(HttpClient(address), embedded)
        with ClickHouseStore(HttpClient(address)) as store:
            assert store.wait_loaded(TIMEOUT_SECS)
            assert_same_points(store, embedded)


def test_a_killed_ingester_is_continued_by_the_next(databases: Any, logdir: Path) -> None:
    address: Address = databases.make()
    text = str(address).replace("://", f"://{address.user}:{address.password}@")
    command = [sys.executable, "-m", "seamark", "ingest", str(logdir), "--to", text, "--follow", "--index_dir", "none"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "SEAMARK_STATE_DIR": "none"})
    assert process.stdout is not None
    assert b"Ingesting" in process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.wait()
    with loaded(logdir) as embedded:
        ingest_all(HttpClient(address), embedded)
        with ClickHouseStore(HttpClient(address)) as store:
            assert store.wait_loaded(TIMEOUT_SECS)
            assert_same_points(store, embedded)


class Pausing(HttpClient):
    """Kills a shard before the first insert of points, and starts it again while the insert is repeated."""

    def __init__(self, address: Address, cluster: Any) -> None:
        super().__init__(address)
        self._cluster = cluster
        self.failures = 0

    def insert(self, table: str, columns: Any) -> None:
        if table == "points" and self.failures == 0:
            self._cluster.kill_shard(1)
        try:
            super().insert(table, columns)
        except StoreUnavailableError:
            self.failures += 1
            if self.failures == 1:
                self._cluster.start_shard(1)
                self._cluster.wait(1)
            raise


def test_a_shard_that_dies_during_ingestion_and_comes_back(databases: Any, cluster: Any, logdir: Path) -> None:
    address = databases.make()
    client = Pausing(address, cluster)
    with loaded(logdir) as embedded:
        ingest_all(client, embedded)
        assert client.failures > 0
        with ClickHouseStore(HttpClient(address)) as store:
            assert store.wait_loaded(TIMEOUT_SECS)
            assert_same_points(store, embedded)


def test_while_a_shard_is_away_the_page_says_so_and_answers_nothing_wrong(
    databases: Any, cluster: Any, logdir: Path
) -> None:
    address = databases.make()
    with loaded(logdir) as embedded:
        ingest_all(HttpClient(address), embedded)
        with ClickHouseStore(HttpClient(address), poll_secs=0.1) as store:
            assert store.wait_loaded(TIMEOUT_SECS)
            cluster.kill_shard(1)
            try:
                with pytest.raises(StoreUnavailableError, match="ClickHouse cannot"):
                    store.scalars(store.run_names(), LOSS)
                deadline = time.monotonic() + TIMEOUT_SECS
                while not store.problems():
                    assert time.monotonic() < deadline
                    time.sleep(0.05)
                assert address.password not in str(store.problems())
                assert len(store.runs()) == RUNS, "the list stays as it was"
            finally:
                cluster.start_shard(1)
                cluster.wait(1)
            while store.problems():
                assert time.monotonic() < deadline + TIMEOUT_SECS
                time.sleep(0.05)
            assert_same_points(store, embedded)


def test_removed_runs_are_gone_and_their_rows_deleted(databases: Any, logdir: Path) -> None:
    append(events(logdir / HOSTILE), file_start() + scalar_bytes(LOSS, curve(0, 5)))
    address = databases.make()
    client = HttpClient(address)
    with loaded(logdir) as embedded:
        ingest_all(client, embedded)
    keys = {row.run for row in read_runs(client, "").values() if row.name in (HOSTILE, "run1")}
    with ClickHouseStore(HttpClient(address), poll_secs=0.1) as store:
        assert store.wait_loaded(TIMEOUT_SECS)
        with pytest.raises(ValueError, match="no run of this name"):
            remove_runs(client, [RunName("gone")])
        assert remove_runs(client, [RunName(HOSTILE), RunName("run1")]) == 2
        wait_until(store, lambda: len(store.run_names()) == RUNS - 1)
    deadline = time.monotonic() + TIMEOUT_SECS
    count = "SELECT count() AS n FROM points WHERE run IN {keys:Set(UInt64)}"
    while client.select(count, ["n"], keys=sorted(keys))["n"].sum():
        assert time.monotonic() < deadline, "the rows are still there"
        time.sleep(0.1)


def test_a_wrong_password_is_named_and_not_shown(databases: Any) -> None:
    address: Address = databases.make()
    wrong = Address(address.hosts, address.database, "", False, address.user, "wr0ng")
    with pytest.raises(StoreUnavailableError, match="rejects this user or password") as error:
        HttpClient(wrong).select("SELECT 1 AS a", ["a"])
    assert "wr0ng" not in str(error.value)


def test_hostile_names_are_only_names(databases: Any, tmp_path: Path) -> None:
    """The contract has them too; here the tables are still there afterwards."""
    address = databases.make()
    tags = ["'); DROP TABLE points --", "\\' OR 1=1", "{keys:Set(UInt64)}", "a\0b", "ü\u2028"]
    append(events(tmp_path / HOSTILE), file_start() + b"".join(scalar_bytes(tag, curve(0, 3)) for tag in tags))
    with loaded(tmp_path) as embedded:
        ingest_all(HttpClient(address), embedded)
        with ClickHouseStore(HttpClient(address)) as store:
            assert store.wait_loaded(TIMEOUT_SECS)
            for tag in tags:
                got, want = (one.scalars(RunName(HOSTILE), tag) for one in (store, embedded))  # type: ignore[arg-type]
                assert_same_columns(got, want)
