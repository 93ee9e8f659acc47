"""The contract of stores in today's dialect of ClickHouse: chdb runs the engine inside this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from seamark.clickhouse.schema import create_tables
from seamark.clickhouse.store import ClickHouseStore
from seamark.store import LogRoot, Store
from seamark.store.test_contract import OpenStore, StoreContract
from tests.clickhouse.chdb_client import ChdbClient
from tests.clickhouse.following import follow_into

session_module = pytest.importorskip("chdb.session", reason="chdb is not installed; pip install chdb")


class TestChdb(StoreContract):
    @pytest.fixture(scope="class")
    @classmethod
    def open_store(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenStore]:
        session = session_module.Session(str(tmp_path_factory.mktemp("chdb")))
        numbers = iter(range(100))

        @contextmanager
        def opened(logdir: Path) -> Iterator[ClickHouseStore]:
            client = ChdbClient(session, tmp_path_factory.mktemp("blocks"), f"test{next(numbers)}")
            create_tables(client, None)
            with (
                Store([LogRoot("", logdir)], index_dir=None, reload_secs=0.2) as source,
                follow_into(client, source),
                ClickHouseStore(client, poll_secs=0.1) as store,
            ):
                yield store

        yield opened
        session.close()
