"""Curves and areas of all runs; one that cannot be read has an error beside the others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from seamark.dashboards.pr_curves import routes as module
from seamark.dashboards.pr_curves.routes import endpoints
from seamark.format.messages import PrCurvePluginData
from seamark.kinds import pr_curve
from seamark.kinds.summary import event_record, tensor_value
from seamark.kinds.tensor import from_array
from seamark.plugin import Context, as_routes
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile

LABELS = np.array([True, True, False, True, False])


def scores(step: int) -> np.ndarray:  # type: ignore[type-arg]
    return np.random.default_rng(step).random(5)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with EventFile(tmp_path / "good") as file:
        for step in range(0, 30, 10):
            file.append(event_record(pr_curve.encode("pr", LABELS, scores(step)), step=step, wall_time=1000.0 + step))
    with EventFile(tmp_path / "short") as file:
        for step in range(2):
            value = pr_curve.encode("pr", LABELS, scores(step))
            if step == 1:
                content = PrCurvePluginData(num_thresholds=201).SerializeToString()
                rows = from_array(np.zeros((5, 201), np.float32))
                value = tensor_value("pr", rows, plugin_name="pr_curves", content=content)
            file.append(event_record(value, step=step, wall_time=1000.0))
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        yield TestClient(Starlette(routes=as_routes(endpoints(Context(store)))))


def test_every_step_is_listed_with_the_areas_under_its_curve(client: TestClient) -> None:
    found = client.get("/steps?tag=pr&run=good&run=none").json()
    assert list(found) == ["good"]
    assert found["good"]["steps"] == [0, 10, 20]
    curve = pr_curve.decode(pr_curve.encode("pr", LABELS, scores(20)).SerializeToString())
    want = [2, pr_curve.average_precision(curve), pr_curve.area_under(curve)]
    assert found["good"]["areas"][2] == pytest.approx(want)


def test_a_long_series_gets_areas_for_some_steps_and_the_last(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_AREAS", 2)
    found = client.get("/steps?tag=pr&run=good").json()["good"]
    assert (found["steps"], [row[0] for row in found["areas"]], found["computed"]) == ([0, 10, 20], [0, 2], 2)


def test_curves_at_one_step_of_each_run(client: TestClient) -> None:
    found = client.get("/curves?tag=pr&run=good&index=1&run=short&index=0").json()
    counts = [found["good"][name] for name in module.COUNTS]
    assert [sum(at) for at in zip(*counts, strict=True)] == [5] * 201
    assert found["good"]["recall"][0] == 1.0
    assert 0 < found["good"]["end"] <= 201
    assert found["short"]["precision"][0] == pytest.approx(0.6)
    assert client.get("/curves?tag=pr&run=good").status_code == 400
    assert client.get("/curves?tag=pr&run=good&index=x").status_code == 400


def test_a_curve_with_too_few_rows_has_an_error_beside_the_others(client: TestClient) -> None:
    found = client.get("/curves?tag=pr&run=good&index=0&run=short&index=1").json()
    assert found["short"] == {"error": "pr curve has the wrong shape: got [5, 201], want [6, thresholds]"}
    assert "error" not in found["good"]
    assert [row[0] for row in client.get("/steps?tag=pr&run=short").json()["short"]["areas"]] == [0]
    assert "error" in client.get("/curves?tag=pr&run=good&index=99").json()["good"]
