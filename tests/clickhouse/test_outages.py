"""A network that is cut, a full disk and TLS: nothing is lost or doubled, and what is wrong is said in one sentence."""

from __future__ import annotations

import logging
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from seamark.clickhouse.address import Address, Host, parse_address
from seamark.clickhouse.client import HttpClient
from seamark.clickhouse.following import ingest_all
from seamark.clickhouse.schema import create_tables
from seamark.clickhouse.store import ClickHouseStore
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store, StoreUnavailableError
from seamark.store.test_contract import assert_same_columns, events
from seamark.store.test_support import LOSS, TIMEOUT_SECS, append, curve, file_start, loaded, scalar_bytes
from tests.clickhouse.following import follow_into
from tools.clickhouse_cluster import CLUSTER, Cluster, find_server, free_port
from tools.tcp_proxy import TcpProxy

RUNS = 6
pytestmark = pytest.mark.skipif(find_server() is None, reason="clickhouse-server is not installed")


def write_runs(logdir: Path, start: int, stop: int) -> None:
    for number in range(RUNS):
        head = b"" if start else file_start()
        append(events(logdir / f"run{number}"), head + scalar_bytes(LOSS, curve(start, stop, scale=number + 1)))


def wait_for(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + TIMEOUT_SECS
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def assert_same(address: Address, logdir: Path) -> None:
    with loaded(logdir) as embedded, ClickHouseStore(HttpClient(address)) as store:
        assert store.wait_loaded(TIMEOUT_SECS)
        names = sorted(embedded.run_names())
        assert sorted(store.run_names()) == names
        for query in ({}, {"max_points": 5}):
            got, want = (one.scalars(names, LOSS, **query) for one in (store, embedded))  # type: ignore[arg-type]
            assert_same_columns(got, want, close=("mean",))


@pytest.fixture
def proxy(cluster: Any) -> Iterator[TcpProxy]:
    made = TcpProxy(cluster.ports[0])
    yield made
    made.close()


@pytest.mark.parametrize("is_silent", [False, True])
def test_a_network_that_is_cut_and_comes_back(databases: Any, tmp_path: Path, proxy: TcpProxy, is_silent: bool) -> None:
    direct: Address = databases.make()
    through = Address((Host("127.0.0.1", proxy.port),), direct.database, "", False, direct.user, direct.password)
    write_runs(tmp_path, 0, 300)
    client = HttpClient(through, timeout_secs=1.0)
    with (
        Store([LogRoot("", tmp_path)], index_dir=None, reload_secs=0.2) as source,
        follow_into(client, source),
        ClickHouseStore(HttpClient(through, timeout_secs=1.0), poll_secs=0.1) as store,
        TestClient(create_app(store), base_url="http://localhost") as page,
    ):
        assert store.wait_loaded(TIMEOUT_SECS)
        series = "/api/series?run=run1&tag=loss&width=100"
        assert page.get(series).status_code == 200
        changes = store.subscribe()
        proxy.cut(is_silent=is_silent)
        write_runs(tmp_path, 300, 600)  # while nothing gets through
        wait_for(lambda: bool(page.get("/api/problems").json()["problems"]), "the page says nothing")
        answer = page.get(series.replace("100", "200"))  # the other is in the cache
        assert answer.status_code == 503 and "ClickHouse cannot be reached" in answer.json()["error"]
        for text in (answer.text, page.get("/api/problems").text):
            assert direct.password not in text and direct.user not in text
        assert len(page.get("/api/runs").json()["runs"]) == RUNS, "the list stays"
        assert changes.get(TIMEOUT_SECS) is not None, "open pages are told to look at the problems"
        proxy.mend()
        wait_for(lambda: not page.get("/api/problems").json()["problems"], "the page does not recover")
        delta = changes.get(TIMEOUT_SECS)
        assert delta is not None and len(delta.runs_reset) == RUNS, "and to repeat what failed"
        wait_for(lambda: all(run.points == 600 for run in store.runs()), "points do not arrive")
    assert_same(direct, tmp_path)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 48 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", folder], check=False, capture_output=True
    ).returncode:
        pytest.skip("this user cannot mount a small file system")
    yield folder
    subprocess.run(["umount", "-l", folder], check=False)


def test_a_full_disk_on_one_node(tmp_path: Path, small_disk: Path, caplog: pytest.LogCaptureFixture) -> None:
    logdir, folder = tmp_path / "logs", tmp_path / "cluster"
    write_runs(logdir, 0, 2000)
    cluster = Cluster(folder, port=free_port(2))
    (folder / "shard1").mkdir(parents=True)
    (folder / "shard1" / "data").symlink_to(small_disk)
    cluster.start()
    filler = small_disk / "filler"
    try:
        address = parse_address(f"clickhouse://{cluster.hosts}/runs")
        create_tables(HttpClient(address), CLUSTER)
        with filler.open("wb", buffering=0) as stream, pytest.raises(OSError, match="No space left"):
            while stream.write(bytes(1 << 12)):
                pass
        with caplog.at_level(logging.WARNING), loaded(logdir) as embedded:
            done: list[int] = []
            thread = threading.Thread(target=lambda: done.append(ingest_all(HttpClient(address), embedded).points))
            thread.start()
            wait_for(lambda: "an insert failed and is repeated" in caplog.text, "the full disk was not noticed")
            assert "the disk of a node is full" in caplog.text
            filler.unlink()
            thread.join(TIMEOUT_SECS)
        assert done == [RUNS * 2000]
        assert_same(address, logdir)
    finally:
        cluster.stop()


def test_tls_checks_the_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"],
        check=True, capture_output=True,
    )  # fmt: skip
    logdir = tmp_path / "logs"
    write_runs(logdir, 0, 50)
    cluster = Cluster(tmp_path / "cluster", shards=1, port=free_port(1), certificate=(certificate, key))
    cluster.start()
    try:
        address = parse_address(f"clickhouses://127.0.0.1:{cluster.https_port(0)}/runs")
        with pytest.raises(StoreUnavailableError, match="certificate verify failed"):
            create_tables(HttpClient(address), None)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        create_tables(HttpClient(address), None)
        with loaded(logdir) as embedded:
            ingest_all(HttpClient(address), embedded)
        assert_same(address, logdir)
    finally:
        cluster.stop()
