"""A run with hostile files is shown with its problems, and does not change the responses about other runs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from seamark.serve.app import create_app
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile

RECORD = {
    "schema": "seamark.run", "last_step": 10**400, "started_at": 1e308, "ended_at": -1e308, "heartbeat_at": 1e300,
    "exit_code": 10**30, "config": {"n": 10**300, "deep": json.loads("[" * 90 + "]" * 90)}, "summary": {"x": 10**300},
    "alerts": [{"at": 1e300, "title": "x", "step": 10**40}], "sessions": [{"started_at": 1e200, "pid": 10**30}],
    "writer": {"pid": 10**30}, "summary_counts": {"a": 10**40}, "metrics": [{"name": "*" * 50}],
}  # fmt: skip
FILES = {
    "config.yaml": "a:\n  " + "- " * 60_000 + "x",
    "hparams.yaml": "seed: 0x" + "f" * 20_000,
    "params.yaml": "a: &a {b: *a, c: *a}",
    "config.json": '{"a":' * 50_000,
    "run.json": json.dumps(RECORD),
}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    for name in ("good", "bad"):
        with EventFile(tmp_path / name) as file:
            file.add_scalar("loss", 1.0, 0)
    (tmp_path / "good" / "config.yaml").write_text("lr: 0.1")
    for name, text in FILES.items():
        (tmp_path / "bad" / name).write_text(text)
    roots = [LogRoot("", tmp_path)]
    with Store(roots, index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        with TestClient(create_app(store, roots=roots), base_url="http://localhost") as client:
            yield client


def test_the_table_has_both_runs_and_names_the_problems(client: TestClient) -> None:
    columns = client.get("/api/table/columns")
    assert columns.status_code == 200
    assert len([problem for problem in columns.json()["problems"] if "left out" in problem]) == 3
    ids = [column["id"] for column in columns.json()["columns"] if column["source"] != "metric"]
    table = client.post("/api/table", json={"columns": ids, "sort": ["run:last_step"]})
    assert table.status_code == 200 and sorted(table.json()["runs"]) == ["bad", "good"]


@pytest.mark.parametrize("run", ["good", "bad"])
def test_each_run_has_its_page(client: TestClient, run: str) -> None:
    answer = client.get("/api/run", params={"run": run})
    assert answer.status_code == 200
    assert len(answer.json()["problems"]) == (3 if run == "bad" else 0)


def test_the_two_can_be_compared(client: TestClient) -> None:
    assert client.post("/api/diff", json={"runs": ["good", "bad"]}).status_code == 200


def test_a_time_that_is_not_finite_is_not_known(tmp_path: Path) -> None:
    with EventFile(tmp_path / "a", wall_time=5.0) as file:
        file.add_scalar("loss", 1.0, 0, wall_time=math.inf)
    roots = [LogRoot("", tmp_path)]
    with Store(roots, index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        with TestClient(create_app(store, roots=roots), base_url="http://localhost") as client:
            (listed,) = client.get("/api/runs").json()["runs"]
            shown = client.get("/api/run", params={"run": "a"}).json()
    assert (listed["first_wall"], listed["last_wall"]) == (5.0, None)
    assert (shown["started"], shown["last_wall"], shown["duration"]) == (5.0, None, None)
