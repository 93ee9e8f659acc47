"""Cases in which the routes differ from TensorBoard or go beyond it: hostile names, damage, restarts, limits."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from seamark.format.messages import Summary, Tensor
from seamark.kinds import histogram, image, metadata, text
from seamark.kinds.summary import event_record
from seamark.serve.app import create_app
from seamark.serve.tensorboard import LazyApp, RouteGroups
from seamark.serve.tensorboard.catalogue import Catalogue
from seamark.serve.tensorboard.scalars.routes import tags_json
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile

HOSTILE = "<script>alert('é')</script>&\"../%2e"


def log_values(folder: Path, *values: Summary.Value) -> None:
    file = EventFile(folder, wall_time=1000.0)
    for step, value in enumerate(values):
        file.append(event_record(value, step=step, wall_time=1000.0 + step))
    file.close()


def log_scalars(folder: Path, tag: str, points: list[tuple[int, float]]) -> None:
    with EventFile(folder, wall_time=1000.0) as file:
        for i, (step, value) in enumerate(points):
            file.add_scalar(tag, value, step, wall_time=1000.0 + i)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    log_scalars(tmp_path / "a", "loss", [(step, float(step)) for step in range(1500)])
    log_scalars(tmp_path / "b" / "<script>", HOSTILE, [(0, 1.0)])
    log_scalars(tmp_path / "restarted", "loss", [(0, 0.0), (1, 1.0), (2, 2.0), (1, 10.0), (2, 20.0)])
    log_values(tmp_path / "t", text.encode(HOSTILE, HOSTILE, description=f"*{HOSTILE}*"))
    pictures = [image.encode("p", np.zeros((n, 1, 1, 3), np.uint8)) for n in (1, 2, 3)]
    log_values(tmp_path / "i", *pictures)
    broken = Summary.Value(tag="h", metadata=metadata.encode("histograms"), tensor=Tensor(dtype=1, tensor_content=b"x"))
    log_values(tmp_path / "h", histogram.encode("h", [1.0]), broken, histogram.encode("h", [2.0]))
    newer = histogram.encode("n", [1.0])
    newer.metadata.plugin_data.content = b"\x08\x07"
    log_values(tmp_path / "n", newer)
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        yield store


@pytest.fixture
def client(store: Store) -> TestClient:
    return TestClient(create_app(store), base_url="http://localhost")


def data_client(store: Store, samples_per_plugin: dict[str, int]) -> TestClient:
    groups = RouteGroups(store, samples_per_plugin=samples_per_plugin)
    return TestClient(Starlette(routes=[Mount("/data", LazyApp(groups))]))


def get(client: TestClient, path: str, **params: Any) -> Any:
    answer = client.get(f"/data/{path}", params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_as_many_points_as_tensorboard_sends(client: TestClient) -> None:
    points = get(client, "plugin/scalars/scalars", run="a", tag="loss")
    assert len(points) == 1000
    assert (points[0][1], points[-1][1]) == (0, 1499)
    assert max(np.diff([point[1] for point in points])) == 2  # evenly spread
    assert get(client, "plugin/scalars/scalars", run="a", tag="loss") == points


def test_histograms_are_sampled_by_the_plugin_that_shows_them(tmp_path: Path) -> None:
    log_values(tmp_path, *(histogram.encode("h", [float(step)]) for step in range(600)))
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        for samples, want in (({}, [51, 500, 51]), ({"histograms": 70}, [70, 70, 70]), ({"histograms": 0}, [600] * 3)):
            client = data_client(store, samples)
            requests = json.dumps([{"plugin": "histograms", "tag": "h", "run": "."}])
            answers = [
                get(client, "plugin/histograms/histograms", run=".", tag="h"),
                get(client, "plugin/distributions/distributions", run=".", tag="h"),
                get(client, "plugin/timeseries/timeSeries", requests=requests)[0]["runToSeries"]["."],
            ]
            assert [len(points) for points in answers] == want
            assert answers[0][-1][1] == answers[2][-1]["step"] == 599


def test_as_many_points_as_the_flag_says(store: Store) -> None:
    client = data_client(store, {"scalars": 10, "images": 0})
    points = get(client, "plugin/scalars/scalars", run="a", tag="loss")
    assert len(points) == 10
    assert (points[0][1], points[-1][1]) == (0, 1499)
    assert len(get(client, "plugin/images/images", run="i", tag="p")) == 3
    request = json.dumps([{"plugin": "scalars", "tag": "loss"}])
    (answer,) = get(client, "plugin/timeseries/timeSeries", requests=request)
    assert {run: len(series) for run, series in answer["runToSeries"].items()} == {"a": 10, "restarted": 5}
    every = data_client(store, {"scalars": 0})
    assert len(get(every, "plugin/scalars/scalars", run="a", tag="loss")) == 1500


def test_steps_that_go_back_keep_their_order(client: TestClient) -> None:
    points = get(client, "plugin/scalars/scalars", run="restarted", tag="loss")
    assert [point[1:] for point in points] == [[0, 0.0], [1, 1.0], [2, 2.0], [1, 10.0], [2, 20.0]]


def test_hostile_names_are_only_data(client: TestClient) -> None:
    run = "b/<script>"
    assert get(client, "plugin/scalars/tags")[run][HOSTILE]["displayName"] == HOSTILE
    assert len(get(client, "plugin/scalars/scalars", run=run, tag=HOSTILE)) == 1
    response = client.get("/data/plugin/scalars/scalars", params={"run": HOSTILE, "tag": "<b>"})
    assert response.status_code == 404
    assert response.json()["code"] == "not_found"
    assert response.headers["x-content-type-options"] == "nosniff"


def test_text_is_sanitised(client: TestClient) -> None:
    for markdown in ("true", "false"):
        (entry,) = get(client, "plugin/text/text", run="t", tag=HOSTILE, markdown=markdown)
        assert "<script" not in entry["text"] and "&lt;script&gt;" in entry["text"]


def test_one_broken_payload_does_not_hide_the_others(client: TestClient) -> None:
    assert [point[1] for point in get(client, "plugin/histograms/histograms", run="h", tag="h")] == [0, 2]


def test_series_of_a_newer_plugin_version_are_left_out(client: TestClient) -> None:
    assert get(client, "plugin/histograms/tags").keys() == {"h"}


def test_of_a_step_logged_twice_the_first_picture_is_shown(tmp_path: Path) -> None:
    with EventFile(tmp_path, wall_time=1000.0) as file:
        for at, step in enumerate((5, 7, 7)):
            value = image.encode("p", np.full((1, 1, 1, 3), at, np.uint8))
            file.append(event_record(value, step=step, wall_time=1000.0 + at))
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        entries = get(
            TestClient(create_app(store), base_url="http://localhost"), "plugin/images/images", run=".", tag="p"
        )
        assert [(entry["step"], entry["wall_time"]) for entry in entries] == [(5, 1000.0), (7, 1001.0)]


def test_samples_are_counted_per_step(client: TestClient) -> None:
    assert get(client, "plugin/images/tags")["i"]["p"]["samples"] == 3
    assert [entry["step"] for entry in get(client, "plugin/images/images", run="i", tag="p", sample=1)] == [1, 2]
    assert get(client, "plugin/images/images", run="i", tag="p", sample=3) == []
    for sample in ("-1", "x", "1.5"):
        answer = client.get("/data/plugin/images/images", params={"run": "i", "tag": "p", "sample": sample})
        assert answer.status_code == 400
        assert "sample must be a whole number" in answer.text


def word(*parts: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


@pytest.mark.parametrize("key", ["", "x", "é", "[]", word(), word("images", "i", "p", 0, 0), word("images", "i", "p", 0, 1, 0), word("images", "i", "p", -1, 0, 0), word("images", "i", "p", 9, 0, 0), word("images", "i", "p", 0, 0, 7), word("images", "i", "p", True, 0, 0), word("audio", "i", "p", 0, 0, 0), word("images", "..", "p", 0, 0, 0), word({}, [], None, 0, 0, 0)])  # fmt: skip
def test_an_invalid_key_is_not_found(client: TestClient, key: str) -> None:
    assert client.get("/data/plugin/images/individualImage", params={"blob_key": key}).status_code == 404


def test_an_image_has_the_media_type_of_its_bytes(client: TestClient) -> None:
    entry = get(client, "plugin/images/images", run="i", tag="p")[0]
    answer = client.get("/data/plugin/images/individualImage", params=parse_qsl(entry["query"]))
    assert answer.headers["content-type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG")


def test_a_body_above_the_limit_is_rejected(client: TestClient) -> None:
    answer = client.post("/data/plugin/scalars/scalars_multirun", content=b"x" * ((16 << 20) + 1))
    assert answer.status_code == 413


def test_unknown_paths_and_methods(client: TestClient) -> None:
    for path in ("/data/nothing", "/data/plugin/scalars/nothing", "/data/plugin/../runs/x"):
        assert client.get(path).status_code == 404
    assert client.post("/data/runs").status_code == 405


def test_a_new_point_is_listed_at_once(tmp_path: Path) -> None:
    with EventFile(tmp_path / "a") as file, Store([LogRoot("", tmp_path)], index_dir=None) as store:
        assert store.wait_loaded(30)
        client = TestClient(create_app(store), base_url="http://localhost")
        assert get(client, "plugin/scalars/tags") == {}
        changes = store.subscribe()
        file.add_scalar("loss", 1.0, 0)
        file.flush()
        assert changes.get(timeout_secs=30) is not None
        assert list(get(client, "plugin/scalars/tags")["a"]) == ["loss"]


def test_listing_scalar_tags_reads_no_points(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a million tags that took half a minute. Runs with the same series share one part of the response."""
    catalogue = Catalogue(store, {})
    monkeypatch.setattr(Store, "series", lambda *_, **__: pytest.fail("looks at every point"))
    listed = json.loads(tags_json(catalogue))
    assert list(listed) == ["a", "b/<script>", "restarted"]
    assert listed["a"] == {"loss": {"displayName": "loss", "description": ""}}
    tables = catalogue.scalar_tables.all()
    assert tables["a"] is tables["restarted"] and catalogue.scalar_tables.all() is tables
