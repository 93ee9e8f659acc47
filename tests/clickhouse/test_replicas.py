"""Tables that every replica of a shard has, on a cluster of two shards with two replicas each and a ZooKeeper."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from seamark.clickhouse.address import parse_address
from seamark.clickhouse.client import HttpClient
from seamark.clickhouse.following import ingest_all
from seamark.clickhouse.schema import create_statements, create_tables
from seamark.clickhouse.store import ClickHouseStore
from seamark.store.test_support import LOSS, TIMEOUT_SECS, append, curve, file_start, loaded, scalar_bytes
from tools.clickhouse_cluster import CLUSTER, ZOOKEEPER, Cluster, find_server, free_port


def test_the_statements_of_replicated_tables() -> None:
    statements = "\n".join(create_statements("db", "c", (18, 16, 1), is_replicated=True))
    path = "'/clickhouse/tables/{shard}/db/points_local', '{replica}'"
    assert f"ENGINE = ReplicatedReplacingMergeTree({path}, points) PARTITION BY month" in statements
    assert (
        "ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/db/layouts_local', '{replica}') ORDER" in statements
    )
    assert statements.count("Replicated") == statements.count("Distributed(c, db, ") == 5


def write_runs(logdir: Path, numbers: Iterable[int]) -> None:
    for number in numbers:
        append(logdir / f"run{number}" / "events.out.tfevents.1", file_start() + scalar_bytes(LOSS, curve(0, 300)))


@pytest.mark.skipif(not ZOOKEEPER.exists(), reason="ZooKeeper is not installed; apt-get install zookeeper")
@pytest.mark.skipif(find_server() is None, reason="clickhouse-server is not installed")
def test_a_replica_of_each_shard_may_be_away(tmp_path: Path) -> None:
    logdir = tmp_path / "logs"
    write_runs(logdir, range(8))
    cluster = Cluster(tmp_path / "cluster", replicas=2, port=free_port(4))
    cluster.start()
    try:
        address = parse_address(f"clickhouse://{cluster.hosts}/runs")
        client = HttpClient(address)
        create_tables(client, CLUSTER)
        create_tables(client, CLUSTER)  # again, without effect
        for host in address.hosts:  # a replica has what was inserted there, and nothing else
            client.execute("SYSTEM STOP FETCHES runs.points_local", host=host)
        with loaded(logdir) as embedded:
            assert ingest_all(client, embedded).points == 8 * 300
        count = f"SELECT count() AS n FROM cluster({CLUSTER}, runs, points_local)"
        chunks = 8 * 3
        for _ in range(10):  # the replicas that got the points are asked, not those that lack them
            assert int(client.select(count, ["n"])["n"][0]) == chunks
        # Points that another program inserted into the other replica, which this one does not get.
        write_runs(logdir, range(8, 16))
        first, second = address.hosts[2:]
        for host in address.hosts:
            if host != first:
                client.execute("SYSTEM START FETCHES runs.points_local", host=host)
            client.execute("SYSTEM SYNC REPLICA runs.runs_local", host=host)  # else the first runs are inserted again
        with loaded(logdir) as embedded:
            ingest_all(HttpClient(msgspec.structs.replace(address, hosts=(second, *address.hosts[:2]))), embedded)
            want: Any = embedded.scalars(sorted(embedded.run_names()), LOSS)
        client.execute("SYSTEM SYNC REPLICA runs.points_local", host=second)
        chunks = 16 * 3
        deadline = time.monotonic() + 3 * TIMEOUT_SECS
        while int(client.select(count, ["n"])["n"][0]) != chunks:
            assert time.monotonic() < deadline, "a replica that lags behind is still asked"
            time.sleep(0.2)
        client.execute("SYSTEM START FETCHES runs.points_local", host=first)
        for host in address.hosts:  # what one replica got the other has
            client.execute("SYSTEM SYNC REPLICA runs.points_local", host=host)
            client.execute("SYSTEM SYNC REPLICA runs.runs_local", host=host)
        cluster.kill_shard(0)
        cluster.kill_shard(3)
        assert int(client.select(count, ["n"])["n"][0]) == chunks
        with ClickHouseStore(HttpClient(address)) as store:
            assert store.wait_loaded(TIMEOUT_SECS)
            got: Any = store.scalars(sorted(store.run_names()), LOSS)
            assert got.runs == want.runs and got.last.tolist() == want.last.tolist()
    finally:
        cluster.stop()
