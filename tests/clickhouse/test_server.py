"""The contract of stores, on a real cluster of two shards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from seamark.clickhouse.client import HttpClient
from seamark.clickhouse.store import ClickHouseStore
from seamark.store import LogRoot, Store
from seamark.store.test_contract import OpenStore, StoreContract
from tests.clickhouse.following import follow_into


class TestCluster(StoreContract):
    @pytest.fixture(scope="class")
    @classmethod
    def open_store(cls, databases) -> OpenStore:  # type: ignore[no-untyped-def]
        @contextmanager
        def opened(logdir: Path) -> Iterator[ClickHouseStore]:
            address = databases.make()
            with (
                Store([LogRoot("", logdir)], index_dir=None, reload_secs=0.2) as source,
                follow_into(HttpClient(address), source),
                ClickHouseStore(HttpClient(address), poll_secs=0.1) as store,
            ):
                yield store

        return opened
