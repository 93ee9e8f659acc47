"""Merges the layouts of all runs and matches their patterns; broken ones are reported beside the others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from seamark.dashboards.custom_scalars.routes import MAX_BODY_BYTES, endpoints
from seamark.kinds import custom_scalars
from seamark.kinds.custom_scalars import Category, Chart, Layout, Margin, MarginSeries, Multiline
from seamark.kinds.summary import event_record, tensor_value
from seamark.kinds.tensor import from_array
from seamark.plugin import Context, as_routes
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile

LOSSES = Chart("losses", Multiline(("loss/.*",)))
BAND = Chart("band", Margin((MarginSeries("loss/mean", "loss/low", "loss/high"),)))


def log(folder: Path, *layouts: Layout) -> None:
    with EventFile(folder) as file:
        for tag in ("loss/mean", "loss/low", "loss/high", "<b>&'\"\N{GRINNING FACE}"):
            file.add_scalar(tag, 1.0, 0)
        for step, layout in enumerate(layouts):
            file.append(event_record(custom_scalars.encode(layout), step=step, wall_time=1000.0 + step))


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    log(tmp_path / "a", Layout((Category("old", (LOSSES,)),)), Layout((Category("all", (LOSSES,), closed=True),)))
    log(tmp_path / "b", Layout((Category("all", (LOSSES, BAND)), Category("more", (Chart("empty", None),)))))
    with EventFile(tmp_path / "broken") as file:
        value = tensor_value(custom_scalars.TAG, from_array(np.zeros(3, np.float32)), plugin_name="custom_scalars")
        file.append(event_record(value, step=0, wall_time=1000.0))
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        yield TestClient(Starlette(routes=as_routes(endpoints(Context(store)))))


def test_the_newest_layouts_of_all_runs_are_merged(client: TestClient) -> None:
    response = client.get("/layout").json()
    losses = {"title": "losses", "multiline": {"tag": ["loss/.*"]}}
    band = {
        "title": "band",
        "margin": {"series": [{"value": "loss/mean", "lower": "loss/low", "upper": "loss/high"}]},
    }
    assert response["category"] == [
        {"title": "all", "chart": [losses, band], "closed": True},
        {"title": "more", "chart": [{"title": "empty"}], "closed": False},
    ]


def test_a_layout_that_cannot_be_read_is_reported_beside_the_others(client: TestClient) -> None:
    (problem,) = client.get("/layout").json()["problems"]
    assert problem["run"] == "broken"
    assert "layout" in problem["error"]


def test_each_pattern_gets_its_tags_or_an_error(client: TestClient) -> None:
    asked = ["loss/(low|high)", "loss(", "", "nothing", "<b>"]
    response = client.post("/match", json={"patterns": asked}).json()["matches"]
    assert response[0] == {"tags": ["loss/high", "loss/low"]}
    assert "not a regular expression" in response[1]["error"]
    assert response[2] == {"error": "the regular expression is empty"}
    assert response[3] == {"tags": []}
    assert response[4] == {"tags": ["<b>&'\"\N{GRINNING FACE}"]}


@pytest.mark.parametrize("body", [b"", b"[]", b'{"patterns": "a"}', b'{"patterns": [1]}', b"[" * 100_000])
def test_an_invalid_body_is_rejected(client: TestClient, body: bytes) -> None:
    answer = client.post("/match", content=body)
    assert answer.status_code == 400
    assert answer.json()["error"]
    assert client.post("/match", json={"patterns": ["a"] * 3000}).status_code == 400
    assert client.post("/match", content=b" " * (MAX_BODY_BYTES + 1)).status_code == 413


def test_thousands_of_hostile_patterns_share_one_time_limit(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = [f"(a+)+{at}!" for at in range(1000)] + [".?" * 24 + f"{at}!" for at in range(1000)]
    response = client.post("/match", json={"patterns": hostile}).json()["matches"]
    assert len(response) == 2000 and all(one.get("tags") == [] or "took more than" in one["error"] for one in response)
    monkeypatch.setattr("seamark.dashboards.custom_scalars.routes.MAX_SECS", -1.0)
    assert "took more than" in client.post("/match", json={"patterns": ["a"]}).json()["matches"][0]["error"]
