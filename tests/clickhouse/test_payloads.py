"""Payloads that were copied to a bucket or a folder: servers need no event files, and removal deletes the copies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from seamark.clickhouse.client import HttpClient
from seamark.clickhouse.following import ingest_all
from seamark.clickhouse.payload_objects import FolderObjects, PayloadObjects, open_objects
from seamark.clickhouse.removal import remove_runs
from seamark.clickhouse.store import ClickHouseStore
from seamark.format.types import RunName, Tag
from seamark.kinds import summary, text
from seamark.serve.app import create_app
from seamark.store import PayloadGoneError, StoreUnavailableError
from seamark.store.buckets.objects import Objects
from seamark.store.test_contract import assert_same_columns, events, write_logs
from seamark.store.test_support import TIMEOUT_SECS, append, file_start, loaded
from tools.s3_server import BUCKET, missing_s3_server, s3_server

MEDIA, NOTE = RunName("media"), Tag("note")


@pytest.fixture(params=["folder", "bucket"])
def place(request: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Callable[[], int]]]:
    """The address, and a function that counts the objects."""
    if request.param == "folder":
        folder = tmp_path / "payloads"
        yield str(folder), lambda: sum(path.is_file() for path in folder.rglob("*"))
        return
    if missing_s3_server():
        pytest.skip(missing_s3_server())
    with s3_server(tmp_path) as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        address = f"s3://{BUCKET}/payloads"
        yield address, lambda: sum(map(len, Objects(address).pages()))


def test_payloads_are_read_from_their_copy_and_deleted_with_their_run(
    databases: Any, tmp_path: Path, place: tuple[str, Callable[[], int]]
) -> None:
    where, count = place
    logdir, away = tmp_path / "logs", tmp_path / "away"
    write_logs(logdir)
    address = databases.make()
    client = HttpClient(address)
    with loaded(logdir) as embedded:
        ingest_all(client, embedded, objects=open_objects(where))
        first = count()
        assert first == sum(run.payloads > 0 for run in embedded.runs()), "an object for each run with payloads"
        ingest_all(client, embedded, objects=open_objects(where))
        assert count() == first, "a second time writes nothing"
    more = text.encode("note", "later")
    append(events(logdir / "media"), summary.event_record([more], step=90, wall_time=2e9))
    with loaded(logdir) as embedded, ClickHouseStore(HttpClient(address), poll_secs=0.1) as store:
        ingest_all(client, embedded, objects=open_objects(where))
        assert count() == first + 1, "only what is new"
        want = embedded.payloads(MEDIA, NOTE, "text")
        whole = [embedded.payload(MEDIA, NOTE, "text", index) for index in want.index.tolist()]
        weights = embedded.histograms(MEDIA, Tag("weights"))
        logdir.rename(away)
        assert store.wait_loaded(TIMEOUT_SECS)
        assert_same_columns(store.payloads(MEDIA, NOTE, "text"), want)
        for index, content in zip(want.index.tolist(), whole, strict=True):
            assert store.payload(MEDIA, NOTE, "text", index) == content
            assert store.payload_part(MEDIA, NOTE, "text", index, start=2, size=7) == content[2:9]
        assert len(store.histograms(MEDIA, Tag("weights")).histograms) == len(weights.histograms)
        with TestClient(create_app(store), base_url="http://localhost") as page:
            last = {"run": MEDIA, "tag": NOTE, "kind": "text", "index": int(want.index[-1])}
            answer = page.get("/api/payload", params=last)
            assert answer.status_code == 200 and "later" in answer.text
        remove_runs(client, [MEDIA])
        assert count() == first - 1, "of the other runs"


def test_a_run_that_is_written_again_leaves_no_objects_behind(databases: Any, tmp_path: Path) -> None:
    logdir, folder = tmp_path / "logs", tmp_path / "payloads"
    write_logs(logdir)
    address, objects = databases.make(), FolderObjects(str(folder))
    with loaded(logdir) as embedded:
        ingest_all(HttpClient(address), embedded, objects=objects)
    before = {path.parent for path in folder.rglob("*") if path.is_file()}
    (path := events(logdir / "media")).unlink()
    record = summary.event_record([text.encode("note", "another")], step=0, wall_time=2e9)
    append(path, file_start() + record)
    with loaded(logdir) as embedded:
        ingest_all(HttpClient(address), embedded, objects=objects)
    after = {path.parent for path in folder.rglob("*") if path.is_file()}
    assert len(before) == len(after) and len(before - after) == 1


def test_names_of_objects_never_leave_the_folder(tmp_path: Path) -> None:
    objects: PayloadObjects = FolderObjects(str(tmp_path / "payloads"))
    for name in ("../../etc/passwd", "/etc/passwd", "0" * 16 + "/../x", ""):
        with pytest.raises(PayloadGoneError, match="no ingester wrote"):
            objects.read(name, 0, 10)
    (tmp_path / "file").touch()
    with pytest.raises(StoreUnavailableError, match="cannot be written"):
        FolderObjects(str(tmp_path / "file")).write(f"{1:016x}/{2:032x}", b"x")
    with pytest.raises(ValueError, match="no user, password or options"):
        open_objects("s3://key:secret@bucket/x")
