"""Groups and importances over HTTP."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from seamark.compare.importance.importance_report import ImportanceData
from seamark.compare.test_support import log_run
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    for lr in (0.1, 0.2):
        for seed in range(6):
            loss = lr * 10 + seed / 10
            log_run(tmp_path / f"lr{lr}-{seed}", {"lr": lr, "seed": seed, "opt": "adam"}, val__loss=[9.0, loss])
    log_run(tmp_path / "broken", {"lr": 0.1, "seed": 9, "opt": "<script>"}, val__loss=[9.0, math.nan])
    log_run(tmp_path / "plain", other=[1.0])
    roots = [LogRoot("", tmp_path)]
    with Store(roots, index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        with TestClient(create_app(store, roots=roots), base_url="http://localhost") as client:
            yield client


def post(client: TestClient, route: str, **body: Any) -> dict[str, Any]:
    answer = client.post(f"/api/{route}", json=body)
    assert answer.status_code == 200, answer.text
    content: dict[str, Any] = answer.json()
    return content


def test_seeds_of_a_setting_are_one_row_with_their_spread(client: TestClient) -> None:
    content = post(client, "groups", by=["param:lr"], metrics=["metric:val/loss:last", "run:points"], baseline=[0.1])
    assert [group["key"] for group in content["groups"]] == [[0.1], [0.2], [None]]
    first, second, none = (group["metrics"]["metric:val/loss:last"] for group in content["groups"])
    assert first["n"] == 6 and first["mean"] == pytest.approx(1.25) and "against" not in first
    assert first["low"] < first["mean"] < first["high"] and first["best"]["run"] == "lr0.1-0"
    assert second["against"]["difference"] == pytest.approx(1.0) and second["against"]["welch_p"] < 0.001
    assert second["against"]["bootstrap_low"] > 0 and second["against"]["caveat"] == ""
    assert none["n"] == 0 and none["mean"] is None and none["best"] is None and none["against"]["caveat"]
    assert content["problems"] == ["1 run with NaN or infinity left out of the statistics of 'val/loss'"]
    assert "broken" in content["groups"][0]["runs"]
    assert content["groups"][0]["metrics"]["run:points"]["n"] == 7


def test_a_query_says_which_runs_and_goal_which_is_best(client: TestClient) -> None:
    metric = "metric:val/loss:last"
    content = post(client, "groups", query='lr == 0.2 and opt == "adam"', by=[], metrics=[metric], goal={metric: "max"})
    (group,) = content["groups"]
    assert len(group["runs"]) == 6 and group["key"] == [] and group["metrics"][metric]["best"]["run"] == "lr0.2-5"
    some = post(client, "groups", runs=["lr0.1-0", "lr0.2-0"], by=["param:opt"], metrics=[metric])
    assert some["groups"][0]["runs"] == ["lr0.1-0", "lr0.2-0"]


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"by": ["param:sed"], "metrics": []}, "did you mean 'seed'"),
        ({"by": [], "metrics": ["param:opt"]}, "which is text"),
        ({"by": ["param:lr"], "metrics": [], "baseline": [7]}, "no group"),
        ({"by": ["param:lr"], "metrics": [], "baseline": []}, "must have 1 values"),
        ({"by": [], "metrics": [], "goal": {"x": "up"}}, "one of max, min"),
        ({"by": "param:lr", "metrics": []}, "must be a list"),
        ({"by": [], "metrics": [], "nonsense": 1}, "nonsense"),
        ({"by": [f"param:{n}" for n in range(51)]}, "at most 50"),
    ],
)
def test_a_wrong_group_is_an_error(client: TestClient, body: Any, sentence: str) -> None:
    answer = client.post("/api/groups", content=json.dumps(body))
    assert answer.status_code == 400 and sentence in answer.json()["error"], answer.text


def test_an_error_in_a_query_has_its_position(client: TestClient) -> None:
    answer = client.post("/api/groups", json={"query": "lr <", "by": [], "metrics": []})
    assert answer.status_code == 400 and {"error", "at", "length"} <= set(answer.json())


def test_importances_have_effects_and_a_problem_with_too_few_runs(client: TestClient, tmp_path: Path) -> None:
    content = post(client, "importance", target="metric:val/loss:last")
    assert content["n"] == 12 and content["needed"] == 20 and content["importances"] == []
    assert "20 are needed" in content["problem"] and "1 run with NaN" in content["problem"]
    effects = {effect["id"]: effect for effect in content["effects"]}
    assert effects["param:lr"]["x"] == [0.1, 0.2] and effects["param:lr"]["n"] == [6, 6]
    assert effects["param:lr"]["mean"] == pytest.approx([1.25, 2.25])
    assert set(effects) == {"param:lr", "param:seed"}  # opt is the same in all runs with a loss


def test_importances_of_enough_runs_are_sorted(tmp_path: Path) -> None:
    for n in range(40):
        lr = (n * 7 % 40) / 40
        log_run(tmp_path / f"run{n}", {"lr": lr, "seed": n % 4, "opt": "<script>"}, val__loss=[9.0, lr])
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        with TestClient(create_app(store), base_url="http://localhost") as client:
            content = post(
                client, "importance", target="metric:val/loss:min", goal="max", params=["param:seed", "param:lr"]
            )
    assert [one["id"] for one in content["importances"]] == ["param:lr", "param:seed"]
    assert content["importances"][0]["where"] == "high" and content["importances"][0]["importance"] > 0.5
    assert "random forest" in content["method"] and content["explained"] > 0.5 and "problem" not in content


def test_the_forest_of_unchanged_runs_is_cached(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    before = ImportanceData.importance_report
    monkeypatch.setattr(ImportanceData, "importance_report", lambda trials: made.append(trials) or before(trials))
    one = post(client, "importance", target="metric:val/loss:last")
    assert post(client, "importance", target="metric:val/loss:last", query="points > 0") == one
    assert len(made) == 1
    post(client, "importance", target="metric:val/loss:last", goal="max")
    post(client, "importance", target="metric:val/loss:last", runs=["lr0.1-0", "lr0.1-1"])
    assert len(made) == 3


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({}, "missing parameter 'target'"),
        ({"target": "metric:val/los:last"}, "did you mean 'val/loss'"),
        ({"target": "param:opt"}, "which is text"),
        ({"target": "metric:val/loss:last", "goal": "up"}, "one of max, min"),
        ({"target": "metric:val/loss:last", "params": ["param:x"]}, "no column"),
        ({"target": "metric:val/loss:last", "params": "param:lr"}, "must be a list"),
        ({"target": ["metric:val/loss:last"]}, "must be text, got a list"),
    ],
)
def test_a_wrong_target_is_an_error(client: TestClient, body: Any, sentence: str) -> None:
    answer = client.post("/api/importance", json=body)
    assert answer.status_code == 400 and sentence in answer.json()["error"], answer.text
