"""Exported files have every logged point."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from seamark.kinds import session_log
from seamark.kinds.summary import session_log_record
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    for run in ("a", "b"):
        with EventFile(tmp_path / run) as file:
            for step in (0, 1, 2):
                file.add_scalar("train/loss", step + 0.5, step, wall_time=100.0 + step)
            file.add_scalar("lr", float("nan"), 0, wall_time=5.0)
        with EventFile(tmp_path / run) as file:
            start = session_log.encode(session_log.SessionLog(session_log.SessionStatus.START))
            file.append(session_log_record(start, step=1, wall_time=200.0))
            file.add_scalar("train/loss", 1.5, 1, wall_time=101.0)
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        with TestClient(create_app(store), base_url="http://localhost") as client:
            yield client


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_a_csv_of_everything(client: TestClient) -> None:
    answer = client.get("/api/export")
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="scalars.csv"'
    assert "content-length" not in answer.headers, "it is sent while it is made"
    loss = [("train/loss", run, step, 100.0 + step, step + 0.5) for run in "ab" for step in (0, 1)]
    got = [
        (row["tag"], row["run"], int(row["step"]), float(row["wall_time"]), float(row["value"]))
        for row in rows_of(answer.text)
        if row["tag"] != "lr"
    ]
    assert got == loss
    assert [row["value"] for row in rows_of(answer.text) if row["tag"] == "lr"] == ["NaN", "NaN"]


def test_tags_and_runs_are_selected_by_url_and_by_body(client: TestClient) -> None:
    request = {"tag": ["train/loss"], "run": ["b"], "attempts": "all", "format": "csv"}
    by_url, by_body = client.get("/api/export", params=request), client.post("/api/export", json=request)
    assert by_url.text == by_body.text
    got = [(row["run"], row["step"], row["attempt"]) for row in rows_of(by_body.text)]
    assert got == [("b", "0", "0"), ("b", "1", "0"), ("b", "2", "0"), ("b", "1", "1")]


def test_parquet_has_the_same_values(client: TestClient) -> None:
    from pyarrow import parquet

    answer = client.post("/api/export", json={"format": "parquet"})
    assert answer.headers["content-disposition"] == 'attachment; filename="scalars.parquet"'
    table = parquet.read_table(io.BytesIO(answer.content)).to_pylist()
    plain = rows_of(client.get("/api/export").text)
    assert [(row["tag"], row["run"], str(row["step"])) for row in table] == [
        (row["tag"], row["run"], row["step"]) for row in plain
    ]
    assert [repr(row["value"]) for row in table] == [repr(float(row["value"])) for row in plain]


def test_without_pyarrow_the_error_names_the_package(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for answer in (client.get("/api/export?format=parquet"), client.post("/api/export", json={"format": "parquet"})):
        assert answer.status_code == 501
        assert "pip install 'seamark[parquet]'" in answer.json()["error"]
    assert client.get("/api/export").status_code == 200


@pytest.mark.parametrize(
    "body", [{"format": "xlsx"}, {"tag": "loss"}, {"run": [1]}, {"attempts": "some"}, {"what": 1}, []]
)
def test_a_wrong_request_is_an_error(client: TestClient, body: object) -> None:
    answer = client.post("/api/export", json=body)
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_a_head_request_makes_no_file(client: TestClient) -> None:
    answer = client.head("/api/export")
    assert answer.status_code == 200
    assert "content-length" not in answer.headers or answer.headers["content-length"] == "0"
