"""The page of a store in ClickHouse, and the page of the log directory whose points it has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from starlette.testclient import TestClient

from seamark.clickhouse.address import Address
from seamark.clickhouse.client import HttpClient
from seamark.clickhouse.following import ingest_all
from seamark.clickhouse.store import ClickHouseStore
from seamark.serve.app import create_app
from seamark.store.test_support import TIMEOUT_SECS, loaded


class Pages(NamedTuple):
    tested: TestClient
    embedded: TestClient


@contextmanager
def ingested_pages(address: Address, logdir: Path) -> Iterator[Pages]:
    """Ingests the log directory into the database at `address`, and opens both."""
    with loaded(logdir) as embedded:
        ingest_all(HttpClient(address), embedded)
        with ClickHouseStore(HttpClient(address)) as tested:
            assert tested.wait_loaded(TIMEOUT_SECS)
            pages = Pages(*(TestClient(create_app(store), base_url="http://localhost") for store in (tested, embedded)))
            with pages.tested, pages.embedded:
                yield pages
