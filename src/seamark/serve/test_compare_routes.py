"""Groups and importances over HTTP, on logs as people have them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from seamark.compare.test_support import log_run
from seamark.compare.what_mattered import Trials
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


def asked(client: TestClient, route: str, **body: Any) -> dict[str, Any]:
    answer = client.post(f"/api/{route}", json=body)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_seeds_of_a_setting_are_one_row_with_their_spread(client: TestClient) -> None:
    told = asked(client, "groups", by=["param:lr"], metrics=["metric:val/loss:last", "run:points"], baseline=[0.1])
    assert [group["key"] for group in told["groups"]] == [[0.1], [0.2], [None]]
    first, second, none = (group["metrics"]["metric:val/loss:last"] for group in told["groups"])
    assert first["n"] == 6 and first["mean"] == pytest.approx(1.25) and "against" not in first
    assert first["low"] < first["mean"] < first["high"] and first["best"]["run"] == "lr0.1-0"
    assert second["against"]["difference"] == pytest.approx(1.0) and second["against"]["welch_p"] < 0.001
    assert second["against"]["bootstrap_low"] > 0 and second["against"]["caveat"] == ""
    assert none["n"] == 0 and none["mean"] is None and none["best"] is None and none["against"]["caveat"]
    assert told["problems"] == ["1 run with NaN or infinity left out of the statistics of 'val/loss'"]
    assert "broken" in told["groups"][0]["runs"]
    assert told["groups"][0]["metrics"]["run:points"]["n"] == 7


def test_a_query_says_which_runs_and_goal_which_is_best(client: TestClient) -> None:
    metric = "metric:val/loss:last"
    told = asked(client, "groups", query='lr == 0.2 and opt == "adam"', by=[], metrics=[metric], goal={metric: "max"})
    (group,) = told["groups"]
    assert len(group["runs"]) == 6 and group["key"] == [] and group["metrics"][metric]["best"]["run"] == "lr0.2-5"
    some = asked(client, "groups", runs=["lr0.1-0", "lr0.2-0"], by=["param:opt"], metrics=[metric])
    assert some["groups"][0]["runs"] == ["lr0.1-0", "lr0.2-0"]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"by": ["param:sed"], "metrics": []}, "did you mean 'seed'"),
        ({"by": [], "metrics": ["param:opt"]}, "which is text"),
        ({"by": ["param:lr"], "metrics": [], "baseline": [7]}, "no group"),
        ({"by": ["param:lr"], "metrics": [], "baseline": []}, "list of 1 values"),
        ({"by": [], "metrics": [], "goal": {"x": "up"}}, "min or max"),
        ({"by": "param:lr", "metrics": []}, "not a list"),
        ({"by": [], "metrics": [], "nonsense": 1}, "nonsense"),
        ({"by": [f"param:{n}" for n in range(51)]}, "at most 50"),
    ],
)
def test_wrong_groups_are_refused_with_a_sentence(client: TestClient, body: Any, says: str) -> None:
    answer = client.post("/api/groups", content=json.dumps(body))
    assert answer.status_code == 400 and says in answer.json()["error"], answer.text


def test_an_error_in_the_query_says_where_it_is(client: TestClient) -> None:
    answer = client.post("/api/groups", json={"query": "lr <", "by": [], "metrics": []})
    assert answer.status_code == 400 and {"error", "at", "length"} <= set(answer.json())


def test_importances_come_with_effects_and_say_when_there_are_too_few_runs(client: TestClient, tmp_path: Path) -> None:
    told = asked(client, "importance", target="metric:val/loss:last")
    assert told["n"] == 12 and told["needed"] == 20 and told["importances"] == []
    assert "20 are needed" in told["problem"] and "1 run with NaN" in told["problem"]
    effects = {effect["id"]: effect for effect in told["effects"]}
    assert effects["param:lr"]["x"] == [0.1, 0.2] and effects["param:lr"]["n"] == [6, 6]
    assert effects["param:lr"]["mean"] == pytest.approx([1.25, 2.25])
    assert set(effects) == {"param:lr", "param:seed"}  # opt is the same in all runs with a loss


def test_importances_of_enough_runs_are_told_in_order(tmp_path: Path) -> None:
    for n in range(40):
        lr = (n * 7 % 40) / 40
        log_run(tmp_path / f"run{n}", {"lr": lr, "seed": n % 4, "opt": "<script>"}, val__loss=[9.0, lr])
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        with TestClient(create_app(store), base_url="http://localhost") as client:
            told = asked(
                client, "importance", target="metric:val/loss:min", goal="max", params=["param:seed", "param:lr"]
            )
    assert [one["id"] for one in told["importances"]] == ["param:lr", "param:seed"]
    assert told["importances"][0]["where"] == "high" and told["importances"][0]["importance"] > 0.5
    assert "random forest" in told["method"] and told["explained"] > 0.5 and "problem" not in told


def test_the_same_runs_are_worked_out_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    before = Trials.what_mattered
    monkeypatch.setattr(Trials, "what_mattered", lambda trials: made.append(trials) or before(trials))
    one = asked(client, "importance", target="metric:val/loss:last")
    assert asked(client, "importance", target="metric:val/loss:last", query="points > 0") == one
    assert len(made) == 1
    asked(client, "importance", target="metric:val/loss:last", goal="max")
    asked(client, "importance", target="metric:val/loss:last", runs=["lr0.1-0", "lr0.1-1"])
    assert len(made) == 3


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({}, "no target"),
        ({"target": "metric:val/los:last"}, "did you mean 'val/loss'"),
        ({"target": "param:opt"}, "which is text"),
        ({"target": "metric:val/loss:last", "goal": "up"}, "min or max"),
        ({"target": "metric:val/loss:last", "params": ["param:x"]}, "no column"),
        ({"target": "metric:val/loss:last", "params": "param:lr"}, "not a list"),
        ({"target": ["metric:val/loss:last"]}, "no target"),
    ],
)
def test_wrong_targets_are_refused_with_a_sentence(client: TestClient, body: Any, says: str) -> None:
    answer = client.post("/api/importance", json=body)
    assert answer.status_code == 400 and says in answer.json()["error"], answer.text
