"""The demo's census run: What-If follows it along training, and its server may run the trained model."""

from __future__ import annotations

import time
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


def test_what_if_shows_the_run_and_its_bias(folder: Path) -> None:
    roots = [LogRoot("", folder)]
    settings = Settings(model_options=ModelOptions(allowed=(TRAINED_MODEL,)))
    with Store(roots, index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        with TestClient(create_app(store, roots=roots, settings=settings), base_url="http://localhost") as client:
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
