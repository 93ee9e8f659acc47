"""The server on a store in ClickHouse: the page's routes answer, and what cannot be answered says why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from starlette.testclient import TestClient

import seamark
from seamark.clickhouse.client import HttpClient
from seamark.clickhouse.following import ingest_all
from seamark.clickhouse.store import ClickHouseStore
from seamark.serve.app import create_app
from seamark.store import StoreUnavailableError
from seamark.store.test_contract import write_logs
from seamark.store.test_support import TIMEOUT_SECS, loaded

SERIES = "/api/series?run=plain&tag=loss&width=100"


@pytest.fixture
def filled(databases: Any, tmp_path: Path) -> Any:
    address = databases.make()
    write_logs(tmp_path)
    with loaded(tmp_path) as embedded:
        ingest_all(HttpClient(address), embedded)
    return address


def test_the_page_gets_runs_tags_series_and_the_table(filled: Any) -> None:
    with (
        ClickHouseStore(HttpClient(filled)) as store,
        TestClient(create_app(store), base_url="http://localhost") as page,
    ):
        assert store.wait_loaded(TIMEOUT_SECS)
        assert "plain" in {run["name"] for run in page.get("/api/runs").json()["runs"]}
        assert page.get("/api/tags").status_code == 200
        assert page.get(SERIES).status_code == 200
        assert page.get("/api/problems").json()["problems"] == []
        assert page.get("/data/plugin/scalars/scalars?run=plain&tag=loss").status_code == 200


def test_a_run_that_was_ingested_before_its_order_was_stored_says_so(filled: Any) -> None:
    with (
        ClickHouseStore(HttpClient(filled)) as store,
        TestClient(create_app(store), base_url="http://localhost") as page,
    ):
        assert store.wait_loaded(TIMEOUT_SECS)
        known = store._catalogue.runs()["plain"]
        record = msgspec.structs.replace(known.row.record, tensorboard_ranges=None)
        former = msgspec.structs.replace(known, row=msgspec.structs.replace(known.row, record=record))
        store._catalogue._runs = {**store._catalogue.runs(), "plain": former}
        answer = page.get("/data/plugin/scalars/scalars?run=plain&tag=loss")
        assert answer.status_code == 501
        assert "ingest it again: 'plain'" in answer.json()["error"]


def test_python_reads_the_same_runs(filled: Any, tmp_path: Path) -> None:
    address = str(filled).replace("://", f"://{filled.user}:{filled.password}@")
    ours, want = seamark.open(address), seamark.open(tmp_path, index_dir=None)
    assert sorted(run.name for run in ours) == sorted(run.name for run in want)
    np.testing.assert_array_equal(ours["plain"].scalars("loss")["value"], want["plain"].scalars("loss")["value"])
    with pytest.raises(StoreUnavailableError, match="seamark store init"):
        seamark.open(address.replace(filled.database, "missing"))


def test_a_cluster_that_is_away_is_said_in_one_sentence(filled: Any, cluster: Any) -> None:
    with (
        ClickHouseStore(HttpClient(filled)) as store,
        TestClient(create_app(store), base_url="http://localhost") as page,
    ):
        assert store.wait_loaded(TIMEOUT_SECS)
        cluster.stop()
        try:
            answer = page.get(SERIES)
            assert answer.status_code == 503
            assert "ClickHouse cannot be reached" in answer.json()["error"]
            assert filled.password not in answer.text and filled.user not in answer.text
            assert page.get("/api/runs").status_code == 200, "the list stays"
        finally:
            cluster.start()
        assert page.get(SERIES).status_code == 200
