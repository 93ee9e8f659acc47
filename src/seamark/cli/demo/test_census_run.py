"""The demo's census run: What-If follows it along training, and its server may run the trained model."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from seamark.cli.demo.census_run import CENSUS_NAME, TRAINED_MODEL, CensusRun, demo_census
from seamark.plugin import ModelOptions
from seamark.serve.app import Settings, create_app
from seamark.store import LogRoot, Store

pytestmark = pytest.mark.timed

STEPS = 300
WALK_THROUGH = Path(__file__).parents[4] / "docs" / "what-if.md"
ROUTES = "/api/dashboards/whatif"
SET = {"run": CENSUS_NAME, "name": "logged:census"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("demo")
    run = CensusRun(found, total_steps=STEPS)
    for step in range(STEPS):
        run.train_one_step(step)
    run.close(was_stopped=False)
    return found


def post(client: TestClient, route: str, **body: Any) -> dict[str, Any]:
    """Waits for the model, which predicts all rows in the background."""
    deadline = time.monotonic() + 60
    while (answer := client.post(f"{ROUTES}/{route}", json={**SET, **body})).status_code == 503:
        assert time.monotonic() < deadline, answer.json()["error"]
    assert answer.status_code == 200, answer.json()["error"]
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture
def client(folder: Path) -> Iterator[TestClient]:
    roots = [LogRoot("", folder)]
    settings = Settings(model_options=ModelOptions(allowed=(TRAINED_MODEL,)))
    with Store(roots, index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        with TestClient(create_app(store, roots=roots, settings=settings), base_url="http://localhost") as opened:
            yield opened


def test_what_if_shows_the_run_and_its_bias(client: TestClient) -> None:
    training = post(client, "training")
    # The live model is the same at every step, so these are the logged predictions.
    errors = [step["error"] for step in training["slices"][0]["steps"]]
    assert len(training["steps"]) >= 10 and errors[-1] < 0.2 < errors[0]
    assert training["most_flips"]
    (worst, *_) = post(client, "worst_slices", model="trained")["slices"]
    assert {one["column"] for one in worst["conditions"]} == {"sex", "education_years"}
    points = [{"row": 0}, {"row": 0, "edits": {"education_years": 16, "age": None, "occupation": "Executive"}}]
    before, after = post(client, "predict", points=points)["predictions"]
    assert before["score"] == pytest.approx(demo_census().scores[0])
    assert after["score"] > before["score"]


def test_the_walk_through_has_the_numbers_of_the_trained_model(client: TestClient) -> None:
    said = " ".join(WALK_THROUGH.read_text().partition("## Walk-through")[2].partition("\n## ")[0].split())
    found = post(client, "worst_slices", model="trained")
    worst = found["slices"][0]
    assert f"{worst['error']:.1%} of its {worst['rows']} rows".replace("%", " %") in said
    assert f"{found['tried']:,} slices" in said and f"{found['overall']:.1%} are wrong".replace("%", " %") in said
    near = post(client, "counterfactual", model="trained", row=27)["near"]
    assert f"row {near['row']:,} differs in one feature" in said
    assert f"has {near['prediction']['score']:.2f}" in said
    parts = attributions(client)
    education, marital = parts["education_years"], parts["marital_status"]
    assert f"`education_years` adds {education['value']:.2f} ± {education['error']:.2f}" in said
    assert f"`marital_status` takes {-marital['value']:.2f} ± {marital['error']:.2f} away" in said
    assert f"`occupation` {parts['occupation']['value']:.3f} ± {parts['occupation']['error']:.3f}" in said
    measured = post(client, "performance", model="trained", slice_by=["sex"])["binary"]
    areas = {one["name"]: f"{one['roc']['area']:.2f}" for one in measured["slices"]}
    assert f"The AUC is {areas['Male']} for men and {areas['Female']} for women" in said
    cost = {one["strategy"]: math.floor(one["cost"] + 0.5) for one in measured["strategies"]}  # as the page rounds
    assert f"cost {cost['per_group']} per 1,000 rows" in said and cost["demographic_parity"] == cost["per_group"]
    assert f"equal accuracy {cost['equal_accuracy']}, and equalized odds {cost['equalized_odds']}" in said


def attributions(client: TestClient) -> dict[str, dict[str, Any]]:
    """Of row 27, by feature, once all samples are taken."""
    deadline = time.monotonic() + 60
    while (found := post(client, "attributions", model="trained", row=27))["progress"]["state"] == "running":
        assert time.monotonic() < deadline
    return {one["feature"]: one for one in found["attributions"]}
