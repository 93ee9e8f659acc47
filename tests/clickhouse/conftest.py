"""A real cluster of two shards for the tests of this folder; they are skipped where the server is not installed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from seamark.clickhouse.address import Address, parse_address
from seamark.clickhouse.client import HttpClient
from seamark.clickhouse.schema import create_tables

sys.path.insert(0, str(Path(__file__).parents[2]))
from tools.clickhouse_cluster import CLUSTER, Cluster, find_server, free_port

SHARDS = 2
USER, PASSWORD = "reader", "s3cret"


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    if find_server() is None:
        pytest.skip("clickhouse-server is not installed; apt-get install clickhouse-server")
    made = Cluster(
        tmp_path_factory.mktemp("cluster"), shards=SHARDS, port=free_port(SHARDS), user=USER, password=PASSWORD
    )
    made.start()
    yield made
    made.stop()


def with_login(address: Address) -> str:
    """Returns the address as users give it."""
    return str(address).replace("://", f"://{address.user}:{address.password}@")


class Databases:
    """Makes a database with the tables for each caller."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._count = 0

    def make(self) -> Address:
        self._count += 1
        text = f"clickhouse://{USER}:{PASSWORD}@{self._cluster.hosts}/test{self._count}"
        address = parse_address(text)
        client = HttpClient(address)
        create_tables(client, CLUSTER)
        client.close()
        return address


@pytest.fixture(scope="session")
def databases(cluster: Cluster) -> Databases:
    return Databases(cluster)
