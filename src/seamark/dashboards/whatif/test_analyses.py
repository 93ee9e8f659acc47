"""Analyses of many rows through the routes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from seamark.dashboards.whatif.answers.analyses import Analyses
from seamark.dashboards.whatif.wire.analyses import PerformanceBody, TrainingBody
from seamark.examples.form import Predictions, ScoredSet
from seamark.examples.slices.test_support import census, with_errors
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile

Post = Callable[..., Any]
ROWS = 3000


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    run = tmp_path / "runs" / "a"
    with EventFile(run) as file:
        file.add_scalar("loss", 1.0, 0)
    write_examples(run / "examples.csv")
    (run / "plain.examples.csv").write_text("x,score\n1,0.5\n2,0.4\n")
    roots = [LogRoot("", run.parent)]
    with Store(roots, index_dir=tmp_path / "index", follow=False) as store:
        assert store.wait_loaded(30)
        client = TestClient(create_app(store, roots=roots), base_url="http://localhost")

        def send(route: str, name: str = "file:examples.csv", **body: object) -> Any:
            return client.post(f"/api/dashboards/whatif/{route}", json={"run": "a", "name": name, **body})

        yield send


def write_examples(path: Path) -> None:
    """A model that is wrong for women of 50 years and more; `copy` is the truth in other words."""
    rng = np.random.default_rng(0)
    age, sex = rng.integers(20, 80, ROWS), rng.choice(["m", "f"], ROWS)
    truth = rng.random(ROWS) < 0.4
    wrong = rng.random(ROWS) < np.where((sex == "f") & (age >= 50), 0.5, 0.1)
    score = np.where(truth ^ wrong, 0.8, 0.2).round(3)
    split = np.where(np.arange(ROWS) % 2, "test", "train")
    copy = np.where(truth, "high", "low")
    lines = [
        f"{a},{s},{c},{p},{str(t).lower()},{x}"
        for a, s, c, p, t, x in zip(age, sex, copy, split, truth, score, strict=True)
    ]
    path.write_text("\n".join(["age,sex,copy,split,label,score", *lines]) + "\n")


def test_performance_by_slice_of_some_rows(post: Post) -> None:
    answer = post(
        "performance", slice_by=["sex"], cost_ratio=2, filter={"conditions": [{"column": "age", "at_least": 50}]}
    )
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert found["task"] == "binary" and found["multiclass"] is None
    everything, *pieces = found["binary"]["slices"]
    assert {piece["name"] for piece in pieces} == {"f", "m"} and everything["rows"] == sum(p["rows"] for p in pieces)
    assert found["binary"]["strategies"][0]["strategy"] == "single" and everything["roc"]["area"] < 0.9
    assert len(found["binary"]["thresholds"]) == len(everything["counts"]["true_positives"]) == 1001


def test_the_worst_slice_and_its_filter(post: Post) -> None:
    found = post("worst_slices").json()
    worst = found["slices"][0]
    assert {c["column"] for c in worst["conditions"]} == {"age", "sex"}
    filtered = post("performance", filter={"conditions": worst["conditions"]}).json()["binary"]["slices"][0]
    assert filtered["rows"] == worst["rows"]
    tp, fp = (filtered["counts"][name][500] for name in ("true_positives", "false_positives"))
    assert (filtered["positives"] - tp + fp) / filtered["rows"] == pytest.approx(worst["error"])


def test_thresholds_by_slice_count_the_errors_of_the_performance_tab(post: Post) -> None:
    found = post("performance", slice_by=["sex"]).json()["binary"]
    thresholds = {"f": 0.9, "m": 0.5}
    wrong = 0
    for piece in found["slices"][1:]:
        at = found["thresholds"].index(thresholds[piece["name"]])
        wrong += piece["positives"] - piece["counts"]["true_positives"][at] + piece["counts"]["false_positives"][at]
    worst = post("worst_slices", thresholds_by="sex", thresholds=thresholds, max_conditions=1).json()
    assert worst["overall"] == pytest.approx(wrong / ROWS)
    assert (
        worst["overall"]
        == post("worst_slices", thresholds_by=["sex"], thresholds=thresholds, max_conditions=1).json()["overall"]
    )


def test_features_alone_and_compared_with_other_rows(post: Post) -> None:
    alone = {one["name"]: one for one in post("features").json()["features"]}
    assert alone["age"]["rows"] == ROWS and alone["age"]["drift"] is None
    assert [flag["code"] for flag in alone["copy"]["flags"]] == ["leakage"]
    split = {"filter": {"conditions": [{"column": "split", "values": ["train"]}]}}
    found = post("features", **split, other_filter={"conditions": [{"column": "age", "below": 40}]}).json()
    age = next(one for one in found["features"] if one["name"] == "age")
    assert found["rows"] == ROWS / 2 and age["drift"] > 0.4 and age["drift_p"] < 1e-6
    assert "drift" in [flag["code"] for flag in age["flags"]]
    same = post("features", other={"run": "a", "name": "file:examples.csv"}).json()
    assert {one["drift"] for one in same["features"]} == {0.0} and same["other_rows"] == ROWS


def test_a_file_has_no_steps(post: Post) -> None:
    found = post("training").json()
    assert found["steps"] == [] and "two steps" in found["notes"][0]


def test_what_cannot_be_analysed_is_one_sentence(post: Post) -> None:
    answer = post("performance", name="file:plain.examples.csv")
    assert answer.status_code == 422 and answer.json()["error"].startswith("the set has no truth")
    answer = post("performance", slice_by=["nothing"])
    assert answer.status_code == 422 and "no column 'nothing'" in answer.json()["error"]
    answer = post("worst_slices", filter={"conditions": [{"column": "sex", "at_least": 3}]})
    assert answer.status_code == 400 and "a range needs numbers" in answer.json()["error"]
    assert post("performance", slice_by=["age", "sex", "copy"]).status_code == 400


class LoggedSet:
    """A library and models with one set of three steps, whose errors shrink."""

    def __init__(self) -> None:
        table = census(500)
        self.by_step = {
            step: with_errors(table, np.full(500, error)) for step, error in ((0, 0.5), (10, 0.3), (20, 0.1))
        }

    def steps(self, body: object) -> list[int]:
        return list(self.by_step)

    def open(self, parameters: Any) -> Any:
        return self.by_step.get(parameters.step, self.by_step[20]).examples

    def stored(self, examples: object, name: str) -> ScoredSet:
        return next(one for one in self.by_step.values() if one.examples is examples)


def test_training_reads_every_step() -> None:
    logged = LoggedSet()
    found = Analyses(logged, logged).training(  # type: ignore[arg-type]
        TrainingBody(run="a", name="logged:x", slice_by=["sex"], count=5)  # type: ignore[arg-type]
    )
    assert found.steps == (0, 10, 20) and [one.name for one in found.slices] == ["All", "Male", "Female"]
    errors = [step.error for step in found.slices[0].steps]
    assert errors == [logged.by_step[step].errors().mean() for step in found.steps]
    # Each step's wrong rows are among those of the step before.
    assert found.most_forgotten == () and len(found.hardest) == 5 and found.hardest[0].is_right == (False,) * 3


def test_a_hundred_thousand_rows_in_two_slices_and_all() -> None:
    rng = np.random.default_rng(0)
    table = census(100_000)
    scored = with_errors(table, np.full(100_000, 0.2))
    score = rng.random(100_000)
    scored = ScoredSet(scored.examples, Predictions("binary", score, ("false", "true")))

    class Library:
        def open(self, parameters: object) -> Any:
            return scored.examples

        def scored(self, examples: object, name: str) -> ScoredSet:
            return scored

    analyses = Analyses(Library(), Library())  # type: ignore[arg-type]
    body = PerformanceBody(run="a", name="x", slice_by=["sex"], cost_ratio=2)  # type: ignore[arg-type]
    assert len(analyses.performance(body).binary.slices) == 3  # type: ignore[union-attr]
