"""Two ingesters of the same logs, at the same time and after a restart: every point is there once."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from seamark.clickhouse.catalogue import read_runs
from seamark.clickhouse.client import HttpClient
from seamark.clickhouse.following import ingest_all
from seamark.clickhouse.ingest import Ingester
from seamark.clickhouse.payload_objects import FolderObjects
from seamark.clickhouse.store import ClickHouseStore
from seamark.store import LogRoot, RunStore, Store
from seamark.store.test_contract import LOSS, RunName, Tag, assert_same_columns, events, write_logs
from seamark.store.test_support import TIMEOUT_SECS, append, curve, loaded, scalar_bytes, wait_until
from tests.clickhouse.following import follow_into


def points_of(store: RunStore, run: str) -> int:
    found = store.run(RunName(run))
    return 0 if found is None else found.points


def test_two_ingesters_that_follow_the_same_logs(databases: Any, tmp_path: Path) -> None:
    logdir = tmp_path / "logs"
    write_logs(logdir)
    address = databases.make()
    copies = FolderObjects(str(tmp_path / "payloads"))
    barrier = threading.Barrier(2)
    failures: list[BaseException] = []
    ending = threading.Event()

    def ingest() -> None:
        try:
            with Store([LogRoot("", logdir)], index_dir=None, reload_secs=0.2) as source:
                source.wait_loaded()
                barrier.wait()
                with follow_into(HttpClient(address), source, objects=copies):
                    ending.wait(TIMEOUT_SECS)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=ingest) for _ in range(2)]
    for thread in threads:
        thread.start()
    with ClickHouseStore(HttpClient(address), poll_secs=0.1) as store:
        wait_until(store, lambda: points_of(store, "plain") == 3020)
        append(events(logdir / "plain"), scalar_bytes(LOSS, curve(3000, 3300)))
        wait_until(store, lambda: points_of(store, "plain") == 3320)
        ending.set()
        for thread in threads:
            thread.join(TIMEOUT_SECS)
        assert not failures
    # What both wrote last may be of either; a third, after a restart, finds nothing to add or writes the run again.
    with loaded(logdir) as embedded:
        ingest_all(HttpClient(address), embedded, objects=copies)
        assert ingest_all(HttpClient(address), embedded, objects=copies).points == 0
        with ClickHouseStore(HttpClient(address)) as store:
            assert store.wait_loaded(TIMEOUT_SECS)
            names = sorted(embedded.run_names())
            assert sorted(store.run_names()) == names
            for query in ({}, {"max_points": 40}, {"attempts": "all"}):
                got, want = (one.scalars(names, LOSS, **query) for one in (store, embedded))  # type: ignore[arg-type]
                assert_same_columns(got, want, close=("mean",))
            media, note = RunName("media"), Tag("note")
            assert_same_columns(store.payloads(media, note, "text"), embedded.payloads(media, note, "text"))
            for index in embedded.payloads(media, note, "text").index.tolist():
                assert store.payload(media, note, "text", index) == embedded.payload(media, note, "text", index)


def test_ingesters_that_know_nothing_of_each_other_write_the_same_rows(databases: Any, tmp_path: Path) -> None:
    write_logs(tmp_path)
    address = databases.make()
    client = HttpClient(address)
    with loaded(tmp_path) as embedded:
        first, second = Ingester(client, embedded), Ingester(client, embedded)
        names = embedded.run_names()
        first.update(names)
        keys = {row.name: row.run for row in read_runs(client, "").values()}
        second._refresh = lambda: None  # type: ignore[method-assign]  # as if both wrote at the same moment
        second.update(names)
        assert {row.name: row.run for row in read_runs(client, "").values()} == keys
        assert second.counts.points == first.counts.points, "it wrote everything"
        sql = "SELECT sum(points) AS n FROM points FINAL"
        assert int(client.select(sql, ["n"])["n"].sum()) == first.counts.points, "every point is there once"
        for ingester in (first, second):
            ingester.close()
