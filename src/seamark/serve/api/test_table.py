"""/api/table: windows, positions of errors in the query, and ETags."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from seamark.compare.test_support import log_every_status, log_run
from seamark.format.types import RunName, Tag
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    log_run(tmp_path / "a", {"lr": 0.1, "opt": "sgd"}, loss=[1.0, 0.5])
    log_run(tmp_path / "b", {"lr": 0.2}, loss=[math.nan])
    log_run(tmp_path / "c", {"lr": "auto"}, loss=[math.inf, 3.0])
    with client_of(tmp_path) as client:
        yield client


@contextmanager
def client_of(logdir: Path) -> Iterator[TestClient]:
    roots = [LogRoot("", logdir)]
    with Store(roots, index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        with TestClient(create_app(store, roots=roots), base_url="http://localhost") as client:
            yield client


def post_table(client: TestClient, **body: Any) -> Any:
    answer = client.post("/api/table", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_window_of_matching_runs(client: TestClient) -> None:
    found = post_table(
        client, query="points > 0", sort=["-metric:loss:last"], columns=["param:lr", "param:opt", "metric:loss:last"],
        start=0, stop=2,
    )  # fmt: skip
    assert (found["total"], found["matched"], found["start"], found["runs"]) == (3, 3, 0, ["c", "a"])
    assert found["columns"] == [
        {"id": "param:lr", "type": "text", "values": ["auto", 0.1], "low": None, "high": None},
        {"id": "param:opt", "type": "text", "values": [None, "sgd"], "low": None, "high": None},
        {"id": "metric:loss:last", "type": "number", "values": [3.0, 0.5], "low": 0.5, "high": 3.0},
    ]
    rest = post_table(client, sort=["-metric:loss:last"], columns=["metric:loss:last", "metric:loss:first"], start=2)
    assert rest["runs"] == ["b"] and [column["values"] for column in rest["columns"]] == [["NaN"], ["NaN"]]
    assert post_table(client, columns=["metric:loss:first"], runs=["c", "gone"])["columns"][0]["values"] == ["Infinity"]
    assert post_table(client)["runs"] == ["a", "b", "c"]


def test_the_metrics_of_a_first_window_are_computed_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log_run(tmp_path / "a", {}, loss=[1.0, 0.5], acc=[0.25])
    compute, computed = Store.digests, []

    def digests(store: Store, tags: Sequence[Tag], runs: Sequence[RunName], *, tail: int) -> Any:
        computed.append(list(tags))
        return compute(store, tags, runs, tail=tail)

    monkeypatch.setattr(Store, "digests", digests)
    columns = ["metric:acc:max", "metric:loss:min", "metric:loss:last"]
    with client_of(tmp_path) as client:
        post_table(client, query='metric["loss"].min < 1', sort=["metric:acc:max"], columns=columns)
    assert computed == [["acc", "loss"]]


def test_columns_may_be_named_as_in_queries(client: TestClient) -> None:
    found = post_table(client, columns=["lr", "loss", "loss.min"])["columns"]
    assert [column["id"] for column in found] == ["param:lr", "metric:loss:last", "metric:loss:min"]


def test_an_error_in_a_query_has_its_position(client: TestClient) -> None:
    answer = client.post("/api/table", json={"query": "lr < 1 and losss < 3"})
    assert answer.status_code == 400
    sentence = "there is no column 'losss'; did you mean 'loss'?"
    assert answer.json() == {"error": sentence, "code": "invalid_parameter", "at": 11, "length": 5}


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"columns": ["param:lrr"]}, "did you mean 'lr'"),
        ({"sort": ["-nonsense"]}, "no column 'nonsense'"),
        ({"columns": "x"}, "must be a list"),
        ({"start": -1}, "whole number"),
        ({"stop": "x"}, "whole number"),
        ({"tail": 0}, "whole number"),
        ({"query": 3}, "must be text"),
        ({"archived": "maybe"}, "one of hide, only, show"),
        ({"nonsense": 1}, "unknown parameter 'nonsense'"),
    ],
)
def test_a_wrong_body_is_an_error(client: TestClient, body: dict[str, Any], sentence: str) -> None:
    answer = client.post("/api/table", json=body)
    assert answer.status_code == 400 and sentence in answer.json()["error"]


def test_columns_are_sent_once(client: TestClient) -> None:
    first = client.get("/api/table/columns")
    listed = first.json()
    assert listed["runs"] == 3 and listed["merged_into"] == listed["inherits_params_from"] == {}
    assert listed["problems"][0].startswith("'lr' is a number in 2 and text in 1 of 3 runs")
    of = {column["id"]: column for column in listed["columns"]}
    assert of["param:lr"] == {
        "id": "param:lr", "name": "lr", "source": "param", "type": "text", "runs": 3, "mixed": True, "low": None, "high": None,
        "values": [{"value": 0.1, "runs": 1}, {"value": 0.2, "runs": 1}, {"value": "auto", "runs": 1}],
    }  # fmt: skip
    assert of["metric:loss"]["stats"][:3] == ["last", "min", "max"] and of["metric:loss"]["goal"] == "min"
    again = client.get("/api/table/columns", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304


def test_tags_and_archiving_through_the_state(client: TestClient) -> None:
    change = {"version": 0, "runs": {"a": {"tags": ["best"], "star": True}, "b": {"archived": True}}}
    assert client.patch("/api/state", json=change).status_code == 200
    assert post_table(client, query='tag("best")', columns=["run:tags", "run:star"])["columns"][0]["values"] == [
        ["best"]
    ]
    assert post_table(client)["runs"] == ["a", "c"]
    assert post_table(client, archived="only")["runs"] == ["b"]
    for wrong in ([1], [""], ["x" * 300], ["x"] * 300, "x"):
        answer = client.patch("/api/state", json={"version": 1, "runs": {"a": {"tags": wrong}}})
        assert answer.status_code == 400, wrong


def test_the_server_starts_without_the_modules_of_the_table() -> None:
    """Every start would wait for it, and not everybody opens the table."""
    loaded = "import sys, seamark.serve.app; print([m for m in sys.modules if m.startswith('seamark.compare.')])"
    output = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "['seamark.compare.settings']"


def test_the_list_of_columns_is_bounded_and_all_can_be_searched(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def listed(**params: Any) -> list[str]:
        answer = client.get("/api/table/columns", params=params).json()
        return [column["id"] for column in answer["columns"] if column["source"] == "param"]

    assert listed() == ["param:lr", "param:opt"]
    assert client.get("/api/table/columns").json()["left_out"] == {}
    monkeypatch.setattr("seamark.serve.api.table.MAX_COLUMNS", 1)
    assert client.get("/api/table/columns").json()["left_out"] == {"param": 1}
    assert listed() == ["param:lr"]
    assert listed(id=["param:opt", "metric:gone:min"]) == ["param:lr", "param:opt"]
    assert listed(search=" O  pt ") == ["param:opt"]
    assert listed(search="no such name") == []
    monkeypatch.setattr("seamark.serve.api.table.MAX_COLUMNS", 0)
    found = client.get("/api/table/columns", params={"id": ["metric:loss:min"]}).json()
    assert "metric:loss" in [column["id"] for column in found["columns"]] and found["left_out"] == {"param": 2}


def test_every_run_has_the_status_of_the_table(tmp_path: Path) -> None:
    """A run that add_scalars made has that of its training, and so has one whose file is damaged: nothing is left out."""
    expected = log_every_status(tmp_path)
    with client_of(tmp_path) as client:
        answer = client.get("/api/table/statuses").json()
        assert answer["is_known"]
        assert {status: sorted(runs) for status, runs in answer["statuses"].items()} == expected
