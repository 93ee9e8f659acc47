"""/api/trials and /api/trials/columns: windows of trials, and columns of all of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from seamark.compare.test_support import log_run
from seamark.plugin.columns import decode_columns
from seamark.serve.api import table
from seamark.serve.api.test_table import client_of

LOSS = "metric:loss:last"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    log_run(tmp_path / "a", {"lr": 0.1, "seed": 0.0, "opt": "sgd"}, began=1.0, loss=[1.0])
    log_run(tmp_path / "b", {"lr": 0.1, "seed": 1.0, "opt": "sgd"}, began=2.0, loss=[2.0])
    log_run(tmp_path / "c", {"lr": "auto", "seed": 1.0}, began=3.0, loss=[math.inf])
    with client_of(tmp_path) as client:
        yield client


def post(client: TestClient, **body: Any) -> Any:
    answer = client.post("/api/trials", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_window_has_the_first_runs_of_its_trials_and_spans_over_all(client: TestClient) -> None:
    found = post(client, group_by=["param:lr"], columns=[LOSS, f"std:{LOSS}"], sort=[f"-{LOSS}"], stop=1)
    assert (found["total"], found["matched"], found["runs"]) == (3, 2, ["a"])
    assert found["columns"][0] == {"id": LOSS, "type": "number", "values": [1.5], "low": 1.5, "high": 1.5}
    assert found["columns"][1]["values"] == [pytest.approx(math.sqrt(0.5))]
    filtered = post(client, where={"param:lr": ["0.10", None], LOSS: [[2, 9]]}, columns=["param:lr"])
    assert (filtered["runs"], filtered["total"], filtered["columns"][0]["values"]) == (["b"], 3, [0.1])


def test_columns_of_all_trials_are_numbers_with_states_and_categories(client: TestClient) -> None:
    answer = client.post("/api/trials/columns", json={"columns": ["param:lr", "param:opt", LOSS]})
    header, columns = decode_columns(answer.content)
    assert header["runs"] == ["a", "b", "c"] and header["total"] == 3
    assert [(one["id"], one["type"], one["categories"]) for one in header["values"]] == [
        ("param:lr", "text", [0.1, "auto"]),
        ("param:opt", "text", ["sgd"]),
        (LOSS, "number", None),
    ]
    assert columns["number0"].tolist() == [0, 0, 1]
    assert columns["state1"].tolist() == [0, 0, 1] and math.isnan(columns["number1"][2])
    assert columns["state2"].tolist() == [0, 0, 2] and columns["number2"][:2].tolist() == [1, 2]
    grouped = client.post("/api/trials/columns", json={"columns": [], "group_by": ["param:lr"]})
    assert decode_columns(grouped.content)[0]["runs"] == [["a", "b"], ["c"]]


@pytest.mark.parametrize("route", ["table", "trials", "trials/columns"])
def test_a_column_that_is_named_very_often_is_refused(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, route: str
) -> None:
    monkeypatch.setattr(table, "MAX_CELLS", 6)
    assert client.post(f"/api/{route}", json={"columns": [LOSS] * 2}).status_code == 200
    answer = client.post(f"/api/{route}", json={"columns": [LOSS] * 3})
    sentence = "3 columns of 3 rows are more than 6 cells: ask for fewer at a time"
    assert (answer.status_code, answer.json()["error"]) == (400, sentence)


def test_importance_is_of_the_runs_of_the_trials(client: TestClient) -> None:
    def count(**body: Any) -> int:
        return int(client.post("/api/importance", json={"target": LOSS, **body}).json()["n"])

    assert [count(), count(where={LOSS: [[0, 1.5]]})] == [2, 1]
    assert count(group_by=["param:lr"], where={LOSS: [[0, 1.5]]}) == 2


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"where": {"param:gone": ["x"]}}, "no column 'param:gone'"),
        ({"where": {LOSS: [[1]]}}, "where"),
        ({"group_by": ["param:lrr"]}, "did you mean 'lr'"),
        ({"sort": ["nonsense"], "group_by": []}, "no column 'nonsense'"),
        ({"query": "lr < "}, ""),
    ],
)
def test_a_wrong_body_is_an_error(client: TestClient, body: dict[str, Any], sentence: str) -> None:
    answer = client.post("/api/trials", json=body)
    assert answer.status_code == 400 and sentence in answer.json()["error"]
